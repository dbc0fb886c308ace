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
    init(_ value: JSONPlace) throws {
        guard let source = Self.parse(value.json) else {
            let expected = #"expected {"variable": NAME}, {"file": PATH} or {"command": [PROGRAM, …]}"#
            // A string in place of an object is probably the secret itself.
            let isProbablySecret = value.json.string != nil
            let warning = "a secret must not be in this file, which may end up in backups and repositories; "
            throw value.error(isProbablySecret ? warning + expected : expected)
        }
        self = source
    }

    /// Returns the source that an object with a single member describes, such as `{"file": "token.txt"}`.
    ///
    /// - Returns: The source; nil for any other value.
    private static func parse(_ json: JSONValue) -> CredentialSource? {
        guard let members = json.members, members.count == 1 else { return nil }
        let (key, value) = members[0]
        switch key {
        case "variable": return value.string.map { .variable($0) }
        case "file": return value.string.map { .file($0) }
        case "command":
            guard let elements = value.elements, !elements.isEmpty else { return nil }
            let words = elements.compactMap(\.string)
            let areAllStrings = words.count == elements.count
            return areAllStrings ? .command(words) : nil
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
