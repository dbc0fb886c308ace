import EndpointKit

/// A pattern for names and paths. Upper and lower case are the same in it.
///
/// | Pattern | Matches |
/// |---|---|
/// | `movie` | every text that contains `movie` |
/// | `movies.*-list` | a whole text; `*` is any characters, `?` is one |
struct NamePattern: Sendable {
    /// The globs of which one must match the whole text, in lower case. A pattern in Swift's spelling has two:
    /// `newMovies` also matches `new-movies`.
    private let globs: Set<String>

    /// The most bytes that a pattern may have for each byte of a text, apart from its `*`. A longer pattern can't
    /// match.
    ///
    /// The factor is there because a letter may be spelled with separate accents, each of which takes several bytes.
    private static let maxBytesPerByte = 8

    /// Makes a pattern from the text that a person has typed. Without `*` and `?`, it matches every text that contains
    /// it.
    init(_ pattern: String) {
        let words = pattern.split(separator: ".", omittingEmptySubsequences: false)
        let kebabPattern = words.map { KebabCase.text(String($0)) }.joined(separator: ".")
        let spellings = [pattern.lowercased(), kebabPattern.lowercased()]
        let isGlob = pattern.contains { "*?".contains($0) }
        globs = Set(spellings.map { isGlob ? $0 : "*\($0)*" })
    }

    /// Whether the pattern matches a text, in which upper and lower case are the same.
    func matches(_ text: String) -> Bool {
        let characters = Array(text.lowercased())
        return globs.contains { glob in
            // Without this check, the comparison of a letter that has a hundred thousand accents would take long.
            let byteCount = glob.utf8.count { $0 != UInt8(ascii: "*") }
            guard byteCount <= Self.maxBytesPerByte * text.utf8.count else { return false }
            return Self.matches(glob, wholeText: characters)
        }
    }

    /// Whether a glob matches a whole text. In a glob, `*` stands for any characters and `?` for one.
    ///
    /// The algorithm is dynamic programming. The symbols of the glob are taken one after the other, and for each an
    /// array says which beginnings of the text match the symbols so far. The time is proportional to the product of
    /// both lengths, while backtracking could take exponential time for a glob such as `*a*a*a*b`.
    private static func matches(_ glob: String, wholeText text: [Character]) -> Bool {
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
