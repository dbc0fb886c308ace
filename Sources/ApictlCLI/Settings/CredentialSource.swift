import EndpointKit
import JSONText

/// The source of a credential's value, for the case that the variable of the credential is not set.
enum CredentialSource: Sendable, Equatable {
    /// Another variable, by its name.
    case variable(String)
    /// A file, by its path. The value is the file's text.
    case file(String)
    /// A program and its arguments. The value is the text that it prints, without the line break at its end.
    case command([String])

    /// The longest time that a source may take. A program may need to ask a server. But it must not wait for a
    /// person, because nobody is there to answer it.
    static let timeLimit = Duration.seconds(10)
    /// The longest value, in bytes. Tokens have some hundred bytes, rarely thousands.
    static let maxValueLength = 65_536

    /// Reads `{"variable": NAME}`, `{"file": PATH}` or `{"command": [PROGRAM, …]}` in the configuration.
    ///
    /// - Throws: ``UsageError`` for any other value. The error does not show it, because it may be the secret itself.
    init(_ place: JSONPlace) throws {
        guard let source = Self.named(by: place.json) else {
            let expected = #"expected {"variable": NAME}, {"file": PATH} or {"command": [PROGRAM, …]}"#
            // A string in place of an object is probably the secret itself.
            let isSecret = place.json.string != nil
            let warning = "a secret must not be in this file, which may end up in backups and repositories; "
            throw place.error(isSecret ? warning + expected : expected)
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
            // Every word must be a string.
            let isComplete = !words.isEmpty && words.count == value.elements?.count
            return isComplete ? .command(words) : nil
        default: return nil
        }
    }

    /// The source in a few words: `file /run/secrets/token`.
    var sentence: String {
        switch self {
        case .variable(let name): "variable \(name)"
        case .file(let path): "file \(path)"
        case .command(let words): "command \(words.joined(separator: " "))"
        }
    }
}
