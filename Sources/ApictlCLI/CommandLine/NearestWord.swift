/// Finds the known word that was probably meant by an unknown one.
enum NearestWord {
    /// The longest word that is compared, in bytes. The time of a comparison grows with the square of the length.
    static let maxLength = 64

    /// The most words that a message suggests, so that it stays short.
    private static let maxMatches = 5

    // MARK: Questions

    /// Returns the end of a message that suggests words: `; did you mean 'one' or 'other'?`
    ///
    /// - Returns: The question; an empty text if there are no words.
    static func question(_ words: [String]) -> String {
        if words.isEmpty { return "" }
        let quotedWords = words.map { "'\($0)'" }
        return "; did you mean \(quotedWords.joinedAsAlternatives)?"
    }

    /// Returns the end of a message that suggests the nearest candidate; empty if none is near.
    ///
    ///     question("popullar", in: ["popular", "top"])   // "; did you mean 'popular'?"
    static func question(_ word: String, in candidates: some Sequence<String>) -> String {
        guard let match = match(word, in: candidates) else { return "" }
        return question([match])
    }

    // MARK: Matches

    /// Returns the candidate that a word is a misspelling or the beginning of; nil if there is none.
    static func match(_ word: String, in candidates: some Sequence<String>) -> String? {
        matches(word, in: candidates, mayContain: false).first
    }

    /// Returns up to five candidates that `word` may stand for, the likeliest first.
    ///
    /// The first candidates are those of which `word` is a misspelling, by the number of edits. Then come candidates
    /// that start with `word`, and then those that contain it. Candidates of the same rank stay in their order. Upper
    /// and lower case are the same.
    ///
    /// - Parameters:
    ///   - word: The unknown word. A word of more than ``maxLength`` bytes has no matches.
    ///   - candidates: The known words.
    ///   - mayContain: Whether candidates that only contain `word` are matches.
    static func matches(
        _ word: String, in candidates: some Sequence<String>, mayContain: Bool = true
    ) -> [String] {
        guard word.utf8.count <= maxLength else { return [] }
        let lowercasedWord = word.lowercased()
        var matches: [Match] = []
        for (index, candidate) in candidates.enumerated() {
            if let rank = rank(of: candidate, for: lowercasedWord, mayContain: mayContain) {
                matches.append(Match(candidate: candidate, rank: rank, index: index))
            }
        }
        matches.sort { ($0.rank, $0.index) < ($1.rank, $1.index) }
        return matches.prefix(maxMatches).map(\.candidate)
    }

    /// A candidate that resembles the word.
    private struct Match {
        let candidate: String
        /// The number of edits, or a higher number for a candidate that starts with the word or contains it.
        let rank: Int
        /// The position among the candidates.
        let index: Int
    }

    /// Returns the rank of a candidate. The lower the rank is, the more probable it is that `word` means the candidate.
    ///
    /// - Parameters:
    ///   - candidate: The candidate in any case.
    ///   - word: The word in lower case.
    ///   - mayContain: Whether a candidate that only contains the word is a match.
    /// - Returns: The number of edits for a misspelling, and ranks above all numbers of edits for other matches. Nil
    ///   if the candidate does not resemble the word.
    private static func rank(of candidate: String, for word: String, mayContain: Bool) -> Int? {
        let lowercasedCandidate = candidate.lowercased()
        if let edits = editsOfMisspelling(Array(word), Array(lowercasedCandidate)) { return edits }
        // A misspelling has fewer edits than the longest word has bytes. So these ranks come after all misspellings.
        let rankOfPrefix = maxLength
        let rankOfPart = maxLength + 1
        // Very short words are in too many candidates to say anything.
        if word.count > 1, lowercasedCandidate.hasPrefix(word) { return rankOfPrefix }
        if mayContain, word.count > 2, lowercasedCandidate.contains(word) { return rankOfPart }
        return nil
    }

    /// Returns the number of edits between a word and a candidate; nil if there are too many for a misspelling.
    ///
    /// A misspelling has at most one edit for each three letters of the longer word. One edit is always allowed.
    private static func editsOfMisspelling(_ word: [Character], _ candidate: [Character]) -> Int? {
        let longerCount = max(word.count, candidate.count)
        let maxEdits = max(1, (longerCount + 1) / 3)
        // Each missing letter is an edit, so that most candidates need no closer comparison.
        guard abs(word.count - candidate.count) <= maxEdits else { return nil }
        let edits = editDistance(word, candidate)
        return edits <= maxEdits ? edits : nil
    }

    /// Returns the smallest number of edits that turn one word into another.
    ///
    /// An edit inserts, deletes or replaces a letter, or swaps two neighbours. The result is the optimal string
    /// alignment distance, which is the Levenshtein distance with swaps. The algorithm fills a table row by row: row
    /// `i`, column `j` is the distance between the first `i` letters of `word` and the first `j` letters of `other`.
    private static func editDistance(_ word: [Character], _ other: [Character]) -> Int {
        guard !word.isEmpty, !other.isEmpty else { return max(word.count, other.count) }
        // Only the last two rows are needed to make the next one. Row 0 inserts all letters of `other`.
        var rowBeforeLast: [Int] = []
        var lastRow = Array(0...other.count)
        for i in 1...word.count {
            // Column 0 deletes all letters of `word`.
            var row = [i]
            for j in 1...other.count {
                let isSameLetter = word[i - 1] == other[j - 1]
                let afterDeletion = lastRow[j] + 1
                let afterInsertion = row[j - 1] + 1
                let afterReplacement = lastRow[j - 1] + (isSameLetter ? 0 : 1)
                var edits = min(afterDeletion, afterInsertion, afterReplacement)
                let isSwap = i > 1 && j > 1 && word[i - 1] == other[j - 2] && word[i - 2] == other[j - 1]
                if isSwap { edits = min(edits, rowBeforeLast[j - 2] + 1) }
                row.append(edits)
            }
            rowBeforeLast = lastRow
            lastRow = row
        }
        return lastRow[other.count]
    }
}

extension [String] {
    /// The strings as a list of alternatives: `a, b or c`.
    var joinedAsAlternatives: String {
        guard let last else { return "" }
        return count == 1 ? last : dropLast().joined(separator: ", ") + " or " + last
    }
}
