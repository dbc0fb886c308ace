/// Finds the word that was probably meant.
enum Nearest {
    /// Nobody mistypes a longer word, in bytes: it is data in the wrong place.
    static let longest = 64

    /// The candidate with the fewest edits from `word`; where every one is too far, more than a third of its length, the only one
    /// that starts with `word`; else nil.
    static func match(_ word: String, in candidates: some Sequence<String>) -> String? {
        let near = similar(to: word, in: candidates)
        if let best = near.first { return best }
        let longer = completions(of: word, in: candidates)
        return longer.count == 1 ? longer[0] : nil
    }

    /// Up to five candidates that may have been meant, the most similar first: by edits, then those that start with `word` or contain it.
    static func matches(_ word: String, in candidates: some Sequence<String>) -> [String] {
        var found: [String] = []
        let groups = [
            similar(to: word, in: candidates), completions(of: word, in: candidates), holders(of: word, in: candidates),
        ]
        for candidate in groups.joined() where !found.contains(candidate) { found.append(candidate) }
        return Array(found.prefix(5))
    }

    /// The candidates within a third of the length in edits, in the order of their edits.
    private static func similar(to word: String, in candidates: some Sequence<String>) -> [String] {
        guard word.utf8.count <= longest else { return [] }
        let letters = Array(word.lowercased())
        var found: [(candidate: String, distance: Int)] = []
        for candidate in candidates {
            let other = Array(candidate.lowercased())
            let limit = max(1, (max(letters.count, other.count) + 1) / 3)
            guard abs(letters.count - other.count) <= limit else { continue }
            let distance = distance(letters, other)
            if distance <= limit { found.append((candidate, distance)) }
        }
        // The sort must be stable: of two at the same distance, the first declared comes first.
        return found.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
            .map(\.element.candidate)
    }

    private static func completions(of word: String, in candidates: some Sequence<String>) -> [String] {
        guard word.count > 1, word.utf8.count <= longest else { return [] }
        return candidates.filter { $0.lowercased().hasPrefix(word.lowercased()) }
    }

    private static func holders(of word: String, in candidates: some Sequence<String>) -> [String] {
        guard word.count > 2, word.utf8.count <= longest else { return [] }
        return candidates.filter { $0.lowercased().contains(word.lowercased()) }
    }

    /// The edits between two words; swapping neighbours is one edit (optimal string alignment).
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in 1...one.count {
            var current = [row]
            for column in 1...other.count {
                let cost = one[row - 1] == other[column - 1] ? 0 : 1
                var edits = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + cost)
                if row > 1, column > 1, one[row - 1] == other[column - 2], one[row - 2] == other[column - 1] {
                    edits = min(edits, beforeLast[column - 2] + 1)
                }
                current.append(edits)
            }
            (beforeLast, last) = (last, current)
        }
        return last[other.count]
    }
}
