import EndpointKit

/// Matches a text that contains the pattern, or as a whole if the pattern is a glob with `*` and `?`; case is ignored.
struct NamePattern {
    /// The pattern as a glob, and in kebab case, because names in Swift's spelling match too.
    private let globs: Set<String>

    /// In how many bytes one may be spelled otherwise, as letters with separate accents.
    private static let maxPerByte = 8

    init(_ text: String) {
        let words = text.split(separator: ".", omittingEmptySubsequences: false)
        let spellings = [text, words.map { KebabCase.text(String($0)) }.joined(separator: ".")]
        let isGlob = text.contains { "*?".contains($0) }
        globs = Set(spellings.map { isGlob ? $0.lowercased() : "*\($0.lowercased())*" })
    }

    func matches(_ text: String) -> Bool {
        globs.contains { glob in
            // To compare a letter with a hundred thousand accents takes long.
            glob.utf8.count { $0 != UInt8(ascii: "*") } <= Self.maxPerByte * text.utf8.count
                && Self.isGlob(glob, of: Array(text.lowercased()))
        }
    }

    private static func isGlob(_ pattern: String, of text: [Character]) -> Bool {
        // Whether the pattern so far matches the first 0, 1, 2 … characters.
        var matched = [true] + text.map { _ in false }
        for symbol in pattern {
            if symbol == "*" {
                let first = matched.firstIndex(of: true) ?? matched.endIndex
                matched = matched.indices.map { $0 >= first }
            } else {
                matched = [false] + zip(text, matched).map { $1 && (symbol == "?" || symbol == $0) }
            }
        }
        return matched.last == true
    }
}
