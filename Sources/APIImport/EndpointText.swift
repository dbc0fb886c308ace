/// An endpoint in Swift: a case of an enum, an example of it, and the arm of the switch that makes it.
struct EndpointText: Sendable {
    /// An associated value.
    struct Value: Sendable {
        /// Nil for one without a label.
        let label: String?
        let name: String
        let type: String
        /// Nil if the type has no value that can be written.
        let example: SwiftText?
    }

    /// The name of the case.
    let name: String
    let method: String
    var values: [Value] = []
    /// Those of the call that makes the endpoint.
    var arguments: [SwiftText] = []
    /// Whether no value of the example is made up.
    var isExampleReal = true
    /// What can't be said, for people to look at.
    var comments: [String] = []

    /// `popular(page: Int?)`
    var declaration: SwiftText {
        .call(
            SwiftNames.quoted(name),
            values.map { value in value.label.map { "\($0): \(value.type)" } ?? "\(value.type)" })
    }

    /// `.popular(page: 1)`; nil if a type has no value.
    var example: SwiftText? {
        let texts = values.compactMap { value in
            value.example.map { text in value.label.map { "\($0): \(text)" } ?? text }
        }
        return texts.count == values.count ? .call(".\(name)", texts) : nil
    }

    /// The case, after comments.
    var caseLines: [SwiftLine] {
        comments.map { .comment("import: \($0)", mark: "//") } + ["case \(declaration)"]
    }

    /// `case .popular(let page):` and what it returns: with many arms, one switch expression would take long to compile.
    func arm(usesReturn: Bool) -> [SwiftLine] {
        let isUsual = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"].contains(method)
        let start = (usesReturn ? "return " : "") + (isUsual ? ".\(method.lowercased())(" : "Endpoint(")
        let all = (isUsual ? [] : [.literal(method)]) + arguments
        let pattern = SwiftText.call("case .\(name)", values.map { "let \(SwiftNames.quoted($0.name))" })
        return ["\(pattern):", .indented([.text(.list(start, all, ")"))])]
    }

    /// The enum of an API with these endpoints, and with `members` between cases and examples.
    static func api(_ type: String, _ endpoints: [EndpointText], usesReturn: Bool, members: [SwiftLine]) -> SwiftLine {
        var lines = endpoints.flatMap(\.caseLines) + [""] + members
        for (name, isReal) in [("examples", true), ("signatures", false)] {
            let examples = endpoints.filter { $0.isExampleReal == isReal }.compactMap(\.example)
            if !isReal, examples.isEmpty { continue }
            lines.append("public static let \(name): [\(type)] = \(SwiftText.list("[", examples, "]"))")
        }
        let arms = endpoints.flatMap { $0.arm(usesReturn: usesReturn) }
        let endpoint = SwiftLine.block("public var endpoint: Endpoint", ["switch self {"] + arms + ["}"])
        return .block("public enum \(type): API", lines + ["", endpoint])
    }
}
