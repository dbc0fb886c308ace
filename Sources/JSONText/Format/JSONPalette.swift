/// The colours of JSON text at a terminal, by SGR sequences (ECMA-48, section 8.3.117).
///
/// They can be read on dark and on light backgrounds: no white, no yellow, no plain blue. Punctuation has no colour.
/// Each coloured token is followed by a reset of its own.
package enum JSONPalette {
    /// The SGR parameters for names of members: bold blue.
    package static let key = "1;34"

    /// Returns the bytes that set the colour of a token: `ESC [`, the parameters, and `m`.
    ///
    /// - Returns: The bytes in a word, the first one lowest, and how many bytes they are.
    @inline(__always)
    static func sequence(before token: JSONToken) -> (word: UInt64, count: Int) {
        switch token {
        case .key: (0x6D_3433_3B31_5B1B, 7)  // 1;34, bold blue
        case .string: (0x6D_3233_5B1B, 5)  // 32, green
        case .number: (0x6D_3633_5B1B, 5)  // 36, cyan
        case .true, .false: (0x6D_3533_5B1B, 5)  // 35, magenta
        case .null: (0x6D_3039_5B1B, 5)  // 90, grey
        }
    }

    /// The sequence after a token, `ESC [ 0 m`, the first byte lowest.
    static let reset: UInt64 = 0x6D30_5B1B
    static let resetCount = 4
}
