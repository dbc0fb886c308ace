/// A scalar or a key. The raw value of a token that always starts with the same byte is that byte.
enum JSONToken: UInt8, Sendable {
    case key, number
    case string = 0x22
    case `true` = 0x74
    case `false` = 0x66
    case null = 0x6E

    /// Returns the literal that starts with a letter, which is a `t`, an `f` or an `n`.
    @inline(__always)
    static func literal(startingWith letter: UInt8) -> JSONToken {
        switch letter {
        case UInt8(ascii: "t"): .true
        case UInt8(ascii: "f"): .false
        default: .null
        }
    }

    /// The letters of a literal in a word, the first one in the lowest byte, and how many they are.
    @inline(__always)
    var letters: (word: UInt64, count: Int) {
        switch self {
        case .true: (0x6575_7274, 4)
        case .false: (0x65_736C_6166, 5)
        default: (0x6C6C_756E, 4)
        }
    }
}
