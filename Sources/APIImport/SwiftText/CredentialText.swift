import EndpointKit
import JSONText

extension Credential {
    /// Returns the variable for a secret: `SHOP_API_KEY` for the words of `X-Api-Key`.
    static func variable(_ prefix: String, _ words: [String]) -> String {
        ([prefix] + words.dropFirst(words.first == "x" ? 1 : 0).map { $0.uppercased() }).joined(separator: "_")
    }

    /// The declaration in Swift: `.bearer(variable: "SHOP_TOKEN")`.
    ///
    /// Alternatives follow as `.or(…)`, and `.optional` ends a credential that need not be sent. A cookie becomes a
    /// header: `.header("Cookie", prefix: "session=", variable: "SHOP_SESSION")`.
    var declaration: SwiftText {
        let texts = alternatives.map { scheme -> SwiftText in
            let variable = "variable: \"\(scheme.variables[0])\""
            switch scheme.httpScheme {
            case "basic":
                let variables = scheme.variables.map(SwiftLiteral.string)
                return .list(".basic(", ["userVariable: \(variables[0])", "passwordVariable: \(variables[1])"], ")")
            case "bearer": return ".bearer(\(variable))"
            default: break
            }
            let isCookie = scheme.placement == .cookie
            let name = isCookie ? "Cookie" : scheme.name
            let prefix = isCookie ? scheme.name + "=" : scheme.prefix
            var items: [SwiftText] = ["\(SwiftLiteral.string(name))", "\(variable)"]
            if !prefix.isEmpty { items.insert("prefix: \(SwiftLiteral.string(prefix))", at: 1) }
            return .list(scheme.placement == .query ? ".query(" : ".header(", items, ")")
        }
        let others = texts.dropFirst().map { SwiftText.list(".or(", [$0], ")") }
        return .sum(texts.prefix(1) + others + (isOptional ? [".optional"] : []), by: "")
    }
}

/// A variable that must be set.
package struct NeededVariable: Hashable, CustomStringConvertible {
    package let name: String
    /// Whether the value is not the secret alone, but `user:password` in Base64 with one of the two empty.
    var isPair = false

    /// The name of the variable, with a remark on the value if it is not the secret alone.
    package var description: String { name + (isPair ? " (the Base64 text of USER: or :PASSWORD)" : "") }
}

extension [NeededVariable] {
    /// Adds the variables of credentials, except for those that are in the array already.
    mutating func add(_ credentials: [Credential]) {
        for scheme in credentials.flatMap(\.alternatives) {
            let isPair = scheme.prefix == "Basic " && scheme.httpScheme == nil
            self += scheme.variables.map { NeededVariable(name: $0, isPair: isPair) }.filter { !contains($0) }
        }
    }
}

extension [Credential] {
    /// The array literal of the credentials: `[.bearer(variable: "SHOP_TOKEN")]`.
    var list: SwiftText { .list("[", map(\.declaration), "]") }
}
