/// Finds the word that was probably meant.
enum Nearest {
    /// Nobody mistypes a longer word, in bytes: it is data in the wrong place.
    static let longest = 64

    /// The candidate with the fewest edits from `word`; where every one is too far, more than a third of its length, the only one
    /// that starts with `word`; else nil.
    static func match(_ word: String, in candidates: some Sequence<String>) -> String? {
        guard word.utf8.count <= longest else { return nil }
        let letters = Array(word.lowercased())
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let other = Array(candidate.lowercased())
            let limit = max(1, (max(letters.count, other.count) + 1) / 3)
            guard abs(letters.count - other.count) <= limit else { continue }
            let distance = distance(letters, other)
            if distance <= limit, distance < (best?.distance ?? .max) { best = (candidate, distance) }
        }
        if let best { return best.candidate }
        // A word that was broken off.
        let longer = candidates.filter { letters.count > 1 && $0.lowercased().hasPrefix(word.lowercased()) }
        return longer.count == 1 ? longer[0] : nil
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
