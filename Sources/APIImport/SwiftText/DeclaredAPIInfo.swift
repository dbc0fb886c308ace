/// Reads the arguments of an `APIInfo(…)` in a file of Swift, as far as they are literals.
///
/// The file is not parsed. The arguments are read by their lines and their indentation, as `swift format` lays them
/// out. They go on with the lines that are indented more than the first one.
package struct DeclaredAPIInfo {
    /// The text after `APIInfo(`.
    private let arguments: String

    /// Returns the `APIInfo(…)` of each API in Swift code.
    ///
    /// The code is not parsed. The arguments of an `APIInfo(…)` are the rest of its line, and all lines right after it
    /// that are indented more, as `swift format` lays them out.
    ///
    /// - Parameter code: A file of Swift, or a part of one.
    package static func all(in code: String) -> [DeclaredAPIInfo] {
        let lines = code.parts(at: "\n")
        var declarations: [DeclaredAPIInfo] = []
        for (index, line) in lines.enumerated() {
            guard let argumentsStart = line.firstRange(of: "APIInfo(")?.upperBound else { continue }
            let firstArguments = String(line[argumentsStart...])
            let largerIndentation = line.prefix { $0 == " " } + " "
            let followingLines = lines[(index + 1)...].prefix { $0.hasPrefix(largerIndentation) }
            let arguments = ([firstArguments] + followingLines).joined(separator: "\n")
            declarations.append(DeclaredAPIInfo(arguments: arguments))
        }
        return declarations
    }

    /// The name of the API; nil if it is not a literal.
    package var name: String? {
        let openingText = "name: \""
        let firstArgument = arguments.drop(while: \.isWhitespace)
        guard firstArgument.hasPrefix(openingText) else { return nil }
        return String(firstArgument.dropFirst(openingText.count).prefix { $0 != "\"" })
    }

    /// Whether the API or one of its servers has credentials.
    package var hasCredentials: Bool { arguments.firstRange(of: "credentials: ") != nil }

    /// The type whose servers the API takes: `Shop` for `servers: Shop.servers`. Nil if the API has its own.
    package var ownerOfServers: String? {
        guard let start = arguments.firstRange(of: " servers: ")?.upperBound else { return nil }
        let value = arguments[start...].prefix { !$0.isWhitespace && $0 != "," && $0 != ")" }
        return value.hasSuffix(".servers") ? String(value.dropLast(".servers".count)) : nil
    }
}
