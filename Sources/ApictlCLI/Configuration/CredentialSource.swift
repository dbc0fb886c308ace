import EndpointKit

/// Where the value of a credential comes from if its own variable is not set.
enum CredentialSource: Decodable, Sendable, Equatable {
    /// Another variable.
    case variable(String)
    /// The content of a file, without the line break at its end.
    case file(String)
    /// What a command prints, without the line break at its end.
    case command([String])
    /// A text, which is refused: it may be the secret itself.
    case text

    /// How long a command may take.
    static let timeLimit = Duration.seconds(10)
    /// The longest value, in bytes.
    static let longestValue = 65_536

    private enum CodingKeys: String, CodingKey { case variable, file, command }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.singleValueContainer(), (try? container.decode(String.self)) != nil {
            self = .text
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let sources: [CredentialSource] = [
            try container.decodeIfPresent(String.self, forKey: .variable).map { .variable($0) },
            try container.decodeIfPresent(String.self, forKey: .file).map { .file($0) },
            try container.decodeIfPresent([String].self, forKey: .command).map { .command($0) },
        ].compactMap(\.self)
        guard sources.count == 1, sources[0] != .command([]) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: Self.expectation))
        }
        self = sources[0]
    }

    private static let expectation = #"{"variable": NAME}, {"file": PATH} or {"command": [PROGRAM, …]}"#

    /// Why a text is refused. The text itself is not shown.
    static let refusal =
        "a secret must not be in this file, which may end up in backups and repositories; expected \(expectation)"

    /// Where the value comes from, for `config`.
    var sentence: String {
        switch self {
        case .variable(let name): "variable \(name)"
        case .file(let path): "file \(path)"
        case .command(let words): "command \(words.joined(separator: " "))"
        case .text: "text"
        }
    }
}

/// The source of a credential gave no value.
struct CredentialSourceFailure: Error, Equatable {
    /// The variable that the value is for.
    let variable: String
    let source: CredentialSource
    let reason: String

    var sentence: String { "no value for \(variable) from \(source.sentence): \(reason)" }
}
