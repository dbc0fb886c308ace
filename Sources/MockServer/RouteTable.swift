import EndpointKit

/// Finds what belongs to a method and a path.
///
/// Literal segments win over values; of two equal templates the first declared wins. What is found for GET serves HEAD too.
package struct RouteTable<Value: Sendable>: Sendable {
    package struct Entry: Sendable {
        package let method: String
        package let template: PathTemplate
        package let value: Value

        package init(_ method: String, _ template: PathTemplate, _ value: Value) {
            self.method = method
            self.template = template
            self.value = value
        }
    }

    package enum Match {
        case found(Value)
        /// The path has only these methods, sorted.
        case otherMethods([String])
        case unknownPath
    }

    package let entries: [Entry]

    package init(_ entries: [Entry]) { self.entries = entries }

    /// What belongs to `method`, compared as written, and to `path`, percent-encoded as in a request.
    package func match(_ method: String, _ path: String) -> Match {
        let matching = entries.filter { $0.template.matches(path) }
        for method in method == "HEAD" ? ["HEAD", "GET"] : [method] {
            if let entry = Self.mostSpecific(matching.filter { $0.method == method }) { return .found(entry.value) }
        }
        guard !matching.isEmpty else { return .unknownPath }
        var methods = Set(matching.map(\.method))
        if methods.contains("GET") { methods.insert("HEAD") }
        return .otherMethods(methods.sorted())
    }

    private static func mostSpecific(_ entries: [Entry]) -> Entry? {
        guard var best = entries.first else { return nil }
        for entry in entries.dropFirst() where entry.template.isMoreSpecific(than: best.template) { best = entry }
        return best
    }
}
