import EndpointKit

/// The name of a session (`--session NAME`), which is also the beginning of the name of its file.
struct SessionName: Sendable, Equatable {
    let text: String

    /// The longest name, in bytes. With the ending of its lock, it stays below NAME_MAX (255 bytes).
    private static let maxLength = 64

    /// Makes a name of letters, digits, `.`, `_` and `-`, which begins with a letter or digit. So it has no meaning for
    /// a file system, and the file is not hidden.
    ///
    /// - Returns: Nil for any other text, such as a path.
    init?(_ text: String) {
        guard let first = text.utf8.first, first.isLetterOrDigit, text.utf8.count <= Self.maxLength else { return nil }
        guard text.utf8.allSatisfy({ $0.isLetterOrDigit || "._-".utf8.contains($0) }) else { return nil }
        self.text = text
    }
}

extension OptionValueType where Value == SessionName {
    static let session = parsed(
        "NAME", expected: "a name of letters, digits, '.', '_' and '-', at most 64, with a letter or digit first",
        completion: .sessions
    ) { SessionName($0) }
}
