/// Matches a text that contains the pattern, or as a whole if the pattern is a glob with `*` and `?`; case is ignored.
struct NamePattern: Sendable, Equatable {
    private let text: String
    private let pattern: [Character]
    private let isGlob: Bool
    /// The length of what must be in a name, in bytes.
    private let length: Int

    /// In how many bytes one may be spelled otherwise, as letters with separate accents.
    private static let mostPerByte = 8

    init(_ text: String) {
        self.text = text.lowercased()
        pattern = Array(self.text)
        isGlob = pattern.contains { $0 == "*" || $0 == "?" }
        length = self.text.utf8.count { $0 != UInt8(ascii: "*") }
    }

    func matches(_ name: String) -> Bool {
        // To compare a letter with a hundred thousand accents takes long.
        guard length <= Self.mostPerByte * name.utf8.count else { return false }
        guard isGlob else { return pattern.count <= name.count && name.lowercased().contains(text) }
        let letters = Array(name.lowercased())
        var (index, place) = (0, 0)
        var star: (place: Int, index: Int)?
        while index < letters.count {
            if place < pattern.count, pattern[place] == "*" {
                star = (place, index)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == letters[index] {
                index += 1
                place += 1
            } else if let last = star {
                // Backtrack: let the last star match one more letter.
                star = (last.place, last.index + 1)
                index = last.index + 1
                place = last.place + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
