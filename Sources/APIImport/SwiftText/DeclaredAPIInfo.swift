/// Reads the arguments of an `APIInfo(…)` in a file of Swift, as far as they are literals.
///
/// The file is not parsed. The arguments are read by their lines and their indentation, as `swift format` lays them out:
/// they go on with the lines that are indented more than the first one.
package struct DeclaredAPIInfo {
    /// The text after `APIInfo(`.
    private let arguments: String

    /// Returns the `APIInfo(…)` of each API in a file, or in a part of one.
    ///
    /// - Parameter text: The text of the file.
    package static func all(in text: String) -> [DeclaredAPIInfo] {
        let lines = text.parts(at: "\n")
        return lines.indices.compactMap { index in
            guard let start = lines[index].firstRange(of: "APIInfo(")?.upperBound else { return nil }
            let firstLine = String(lines[index][start...])
            let innerMargin = lines[index].prefix { $0 == " " } + " "
            let innerLines = lines[(index + 1)...].prefix { $0.hasPrefix(innerMargin) }
            return DeclaredAPIInfo(arguments: ([firstLine] + innerLines).joined(separator: "\n"))
        }
    }

    /// The name of the API; nil if it is not a literal.
    package var name: String? {
        let label = "name: \""
        let text = arguments.drop(while: \.isWhitespace)
        guard text.hasPrefix(label) else { return nil }
        return String(text.dropFirst(label.count).prefix { $0 != "\"" })
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
