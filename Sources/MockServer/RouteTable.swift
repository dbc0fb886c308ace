import EndpointKit

/// Finds what belongs to a method and a path.
///
/// Literal segments win over values; equal templates are found in order of declaration. What is found for GET serves HEAD too.
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

    /// An entry that fits, and the values in the path.
    package struct Found: Sendable {
        package let value: Value
        package let pathValues: [String]
    }

    package enum Match {
        /// The entries of the most specific template, at least one.
        case found([Found])
        /// The path has only these methods, sorted.
        case otherMethods([String])
        case unknownPath
    }

    package let entries: [Entry]

    package init(_ entries: [Entry]) { self.entries = entries }

    /// What belongs to `method`, compared as written, and to `path`.
    package func match(_ method: String, _ path: PathSegments) -> Match {
        let matching = entries.filter { $0.template.matches(path) }
        for method in method == "HEAD" ? ["HEAD", "GET"] : [method] {
            let best = Self.mostSpecific(matching.filter { $0.method == method })
            if !best.isEmpty {
                return .found(best.map { Found(value: $0.value, pathValues: $0.template.values(in: path) ?? []) })
            }
        }
        guard !matching.isEmpty else { return .unknownPath }
        var methods = Set(matching.map(\.method))
        if methods.contains("GET") { methods.insert("HEAD") }
        return .otherMethods(methods.sorted())
    }

    private static func mostSpecific(_ entries: [Entry]) -> [Entry] {
        var best: [Entry] = []
        for entry in entries {
            if let rival = best.first {
                if rival.template.isMoreSpecific(than: entry.template) { continue }
                if entry.template.isMoreSpecific(than: rival.template) { best = [] }
            }
            best.append(entry)
        }
        return best
    }
}
