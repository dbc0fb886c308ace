import EndpointKit
import JSONText

/// Where the value of a credential comes from if its own variable is not set.
enum CredentialSource: Sendable, Equatable {
    case variable(String)
    case file(String)
    /// A program and its arguments. The value is the text that it prints, without the line break at its end.
    case command([String])

    static let timeLimit = Duration.seconds(10)
    static let maxValueLength = 65_536

    /// Reads `{"variable": NAME}`, `{"file": PATH}` or `{"command": [PROGRAM, …]}` in the configuration.
    ///
    /// - Throws: ``UsageError`` for anything else. It does not show the value, which may be the secret itself.
    init(_ place: JSONPlace) throws {
        guard let source = Self.named(by: place.json) else {
            let expected = #"expected {"variable": NAME}, {"file": PATH} or {"command": [PROGRAM, …]}"#
            if place.json.string == nil { throw place.error(expected) }
            throw place.error(
                "a secret must not be in this file, which may end up in backups and repositories; " + expected)
        }
        self = source
    }

    /// Returns the source that an object names with its only member; nil if it names none.
    private static func named(by json: JSONValue) -> CredentialSource? {
        guard let members = json.members, members.count == 1, case let (key, value) = members[0] else { return nil }
        switch (key, value.string) {
        case ("variable", let name?): return .variable(name)
        case ("file", let path?): return .file(path)
        case ("command", nil):
            let words = value.elements?.compactMap(\.string) ?? []
            let isComplete = !words.isEmpty && words.count == value.elements?.count
            return isComplete ? .command(words) : nil
        default: return nil
        }
    }

    var sentence: String {
        switch self {
        case .variable(let name): "variable \(name)"
        case .file(let path): "file \(path)"
        case .command(let words): "command \(words.joined(separator: " "))"
        }
    }
}
