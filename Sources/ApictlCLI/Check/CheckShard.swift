/// The part of the checks that one of several machines runs, such as the first of four: `1/4`.
struct CheckShard: Sendable, CustomStringConvertible {
    /// The number of this part, from 1.
    private let number: Int
    /// The number of parts.
    private let count: Int

    /// Reads the notation `1/4`; nil for any other text, and for a part that does not exist, such as `0/4` or `5/4`.
    init?(_ text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let number = numbers[0], let count = numbers[1] else { return nil }
        guard number >= 1, number <= count else { return nil }
        self.number = number
        self.count = count
    }

    var description: String { "\(number)/\(count)" }

    /// Whether the check at an index, from 0, is in this part.
    ///
    /// Every check is in exactly one part. The parts take turns, so that they have about the same number of checks: the
    /// first of 4 parts has the checks 0, 4, 8, …
    func includes(_ index: Int) -> Bool { index % count == number - 1 }
}
