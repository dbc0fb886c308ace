import EndpointKit
import JSONText

extension Credential {
    /// Returns the name of the variable for a secret: `SHOP_API_KEY` for the header `X-Api-Key` of an API `shop`.
    ///
    /// - Parameters:
    ///   - prefix: The start of the name, such as `SHOP`.
    ///   - words: The words of the header or query item. An `x` at their start is left out.
    static func variableName(prefix: String, words: [String]) -> String {
        let distinctiveWords = words.first == "x" ? words.dropFirst() : words[...]
        return ([prefix] + distinctiveWords.map { $0.uppercased() }).joined(separator: "_")
    }

    /// The declaration in Swift: `.bearer(variable: "SHOP_TOKEN")`.
    ///
    /// Alternatives follow as `.or(…)`, and `.optional` ends a credential that need not be sent.
    var declaration: SwiftText {
        let schemes = alternatives.map(Self.declaration(of:))
        var calls = Array(schemes.prefix(1))
        calls += schemes.dropFirst().map { SwiftText.list(".or(", [$0], ")") }
        if isOptional { calls.append(".optional") }
        return .sum(calls, by: "")
    }

    /// Returns the declaration of one scheme of a credential.
    ///
    /// A cookie becomes a header: `.header("Cookie", prefix: "session=", variable: "SHOP_SESSION")`.
    private static func declaration(of scheme: Scheme) -> SwiftText {
        let variable = "variable: \"\(scheme.variables[0])\""
        switch scheme.httpScheme {
        case "basic":
            let variables = scheme.variables.map(SwiftLiteral.string)
            return .list(".basic(", ["userVariable: \(variables[0])", "passwordVariable: \(variables[1])"], ")")
        case "bearer": return ".bearer(\(variable))"
        // Every other scheme is a header, a query item or a cookie.
        default: break
        }
        let isCookie = scheme.placement == .cookie
        let name = isCookie ? "Cookie" : scheme.name
        let prefix = isCookie ? scheme.name + "=" : scheme.prefix
        var arguments: [SwiftText] = [.literal(name)]
        if !prefix.isEmpty { arguments.append("prefix: \(SwiftText.literal(prefix))") }
        arguments.append("\(variable)")
        return .list(scheme.placement == .query ? ".query(" : ".header(", arguments, ")")
    }
}

/// A variable of the shell that must be set to call an endpoint.
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
            // A plain header that begins with `Basic ` stands for the scheme if user or password is empty.
            let isPair = scheme.prefix == "Basic " && scheme.httpScheme == nil
            self += scheme.variables.map { NeededVariable(name: $0, isPair: isPair) }.filter { !contains($0) }
        }
    }
}

extension [Credential] {
    /// The array literal of the credentials: `[.bearer(variable: "SHOP_TOKEN")]`.
    var list: SwiftText { .list("[", map(\.declaration), "]") }
}
