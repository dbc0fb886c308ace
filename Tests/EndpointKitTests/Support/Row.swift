import Testing

/// A table row: what goes in and what comes out, under a name.
struct Row<Input: Sendable, Output: Sendable>: Sendable, CustomTestStringConvertible {
    let id: String
    let input: Input
    let expected: Output

    init(_ id: String, _ input: Input, _ expected: Output) {
        self.id = id
        self.input = input
        self.expected = expected
    }

    var testDescription: String { id }
}

/// SplitMix64 with a fixed seed: the same numbers in every run.
struct FixedGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}
