import EndpointKit

/// A pattern for names and paths, such as `movie` or `movies.*-list`.
///
/// A glob with `*` and `?` matches a whole text, any other pattern a part of it. Upper and lower case are the same.
struct NamePattern: Sendable {
    /// Globs of which one must match the whole text. There are two if the pattern is in Swift's spelling: `newMovies`
    /// also matches `new-movies`.
    private let globs: Set<String>

    /// The most bytes of a pattern for each byte of a text that it matches. A letter may be spelled with separate
    /// accents, which are several bytes each.
    private static let maxBytesPerByte = 8

    /// Makes a pattern of a text. It is a glob if it has a `*` or `?`.
    init(_ text: String) {
        let words = text.split(separator: ".", omittingEmptySubsequences: false)
        let kebabText = words.map { KebabCase.text(String($0)) }.joined(separator: ".")
        let isGlob = text.contains { "*?".contains($0) }
        let spellings = [text.lowercased(), kebabText.lowercased()]
        globs = Set(spellings.map { isGlob ? $0 : "*\($0)*" })
    }

    /// Whether a text matches.
    func matches(_ text: String) -> Bool {
        let characters = Array(text.lowercased())
        return globs.contains { glob in
            // The comparison of a letter with a hundred thousand accents would take long.
            let bytes = glob.utf8.count { $0 != UInt8(ascii: "*") }
            guard bytes <= Self.maxBytesPerByte * text.utf8.count else { return false }
            return Self.isGlob(glob, of: characters)
        }
    }

    /// Whether a glob matches a whole text. The time is proportional to the product of their lengths.
    private static func isGlob(_ glob: String, of text: [Character]) -> Bool {
        // For each number of characters: whether the symbols so far match that beginning of the text.
        var matchesBeginning = [true] + text.map { _ in false }
        for symbol in glob {
            if symbol == "*" {
                let shortest = matchesBeginning.firstIndex(of: true) ?? matchesBeginning.endIndex
                matchesBeginning = matchesBeginning.indices.map { $0 >= shortest }
            } else {
                let longerBeginnings = zip(text, matchesBeginning).map { character, matchedBefore in
                    matchedBefore && (symbol == "?" || symbol == character)
                }
                matchesBeginning = [false] + longerBeginnings
            }
        }
        return matchesBeginning.last == true
    }
}
