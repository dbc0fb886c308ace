import EndpointKit

/// A pattern for names and paths. Upper and lower case are the same in it.
///
/// | Pattern | Matches |
/// |---|---|
/// | `movie` | every text that contains `movie` |
/// | `movies.*-list` | a whole text; `*` is any characters, `?` is one |
struct NamePattern: Sendable {
    /// The globs of which one must match the whole text. A pattern in Swift's spelling has two: `newMovies` also
    /// matches `new-movies`.
    private let globs: Set<String>

    /// The most bytes that a pattern may have for each byte of a text, apart from its `*`. A longer pattern can't
    /// match.
    ///
    /// The factor is there because a letter may be spelled with separate accents, each of which takes several bytes.
    private static let maxBytesPerByte = 8

    /// Makes a pattern from a text. Without `*` and `?`, it matches a part of a text.
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
            // Without this check, the comparison of a letter that has a hundred thousand accents would take long.
            let bytes = glob.utf8.count { $0 != UInt8(ascii: "*") }
            guard bytes <= Self.maxBytesPerByte * text.utf8.count else { return false }
            return Self.isGlob(glob, of: characters)
        }
    }

    /// Whether a glob matches a whole text. The time is proportional to the product of their lengths, whatever the
    /// glob is.
    ///
    /// The symbols of the glob are taken one after the other. For each, an array says which beginnings of the text
    /// match the symbols so far.
    private static func isGlob(_ glob: String, of text: [Character]) -> Bool {
        // Index n is for the first n characters. Before the first symbol, only the empty beginning matches.
        var matchesBeginning = [true] + text.map { _ in false }
        for symbol in glob {
            if symbol == "*" {
                // A `*` matches any further characters, so that every longer beginning matches too.
                let shortest = matchesBeginning.firstIndex(of: true) ?? matchesBeginning.endIndex
                matchesBeginning = matchesBeginning.indices.map { $0 >= shortest }
            } else {
                // Any other symbol matches one character more than the symbols before it.
                let longerBeginnings = zip(text, matchesBeginning).map { character, matchedBefore in
                    matchedBefore && (symbol == "?" || symbol == character)
                }
                matchesBeginning = [false] + longerBeginnings
            }
        }
        return matchesBeginning.last == true
    }
}
