/// The text of a JSON string in UTF-8, byte by byte. Escapes are resolved on the way, and a lone surrogate becomes
/// U+FFFD.
struct UnescapedText: Sequence, IteratorProtocol {
    private let written: UnsafeRawBufferPointer
    private var index = 0
    /// The bytes of an escaped character that are still to come, the next one lowest.
    private var pendingBytes: UInt32 = 0
    /// Whether an escape so far was a lone surrogate.
    private(set) var hasLoneSurrogate = false

    /// Starts at the beginning of a string.
    ///
    /// - Parameter written: The bytes between the quotes of a string that is valid JSON.
    init(_ written: UnsafeRawBufferPointer) { self.written = written }

    /// Returns the next byte of the text, or nil at its end.
    ///
    /// An escape may stand for several bytes. The first one is returned when the escape is read, and the others are
    /// kept in ``pendingBytes`` for the next calls.
    @inline(__always)
    mutating func next() -> UInt8? {
        if pendingBytes != 0 {
            // The next byte is the lowest one.
            let byte = UInt8(truncatingIfNeeded: pendingBytes)
            pendingBytes >>= 8
            return byte
        }
        guard index < written.count else { return nil }
        let byte = written[index]
        index &+= 1
        return byte == UInt8(ascii: "\\") ? readEscape() : byte
    }

    /// Reads the bytes up to the next escape, which stand for themselves: `ab` of `ab\n`.
    ///
    /// - Returns: The bytes, or none in the middle of an escaped character and at the end of the text.
    @inline(__always)
    mutating func readUpToEscape() -> UnsafeRawBufferPointer {
        let start = index
        if pendingBytes == 0 { index = Self.indexOfBackslash(in: written, from: start) }
        return UnsafeRawBufferPointer(rebasing: written[start..<index])
    }

    /// Returns the index of the first backslash from `start` on, or the end of the text if there is none.
    static func indexOfBackslash(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = text.baseAddress else { return start }
        return JSONScanner.skip(JSONChunk(start: base, count: text.count), from: start) { word in
            // A backslash becomes 0. Subtracting 1 from each byte then sets the highest bit of the first byte that is
            // 0, and of none before it.
            let differences = word ^ 0x5C5C_5C5C_5C5C_5C5C
            return (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080
        }
    }

    /// Reads an escape after its backslash (RFC 8259, section 7).
    ///
    /// - Returns: The first byte, in UTF-8, of the character that the escape stands for. The other bytes are kept in
    ///   ``pendingBytes``. A lone surrogate stands for U+FFFD, and is noted.
    @inline(never)
    private mutating func readEscape() -> UInt8 {
        let letter = written[index]
        index += 1
        switch letter {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"): break
        // A quote, a backslash or a slash.
        default: return letter
        }
        let scalar = readUnicodeEscape()
        if scalar == nil { hasLoneSurrogate = true }
        let utf8 = (scalar ?? "\u{FFFD}").utf8
        // The second byte goes lowest. A word of 0 means that no byte is pending: none of these bytes is 0, because
        // only U+0000 has a byte 0, and that has no other bytes.
        pendingBytes = 0
        for byte in utf8.dropFirst().reversed() { pendingBytes = pendingBytes << 8 | UInt32(byte) }
        return utf8[0]
    }

    /// Reads the four digits of a Unicode escape, whose `\u` has been read, and the second escape of a surrogate pair.
    ///
    ///     \u00E9          U+00E9
    ///     \uD83D\uDE00    U+1F600
    ///
    /// A character beyond U+FFFF is written as two escapes (RFC 8259, section 7). Its number less 0x10000 has 20 bits,
    /// ten in each of the two surrogates.
    ///
    /// - Returns: The character, or nil for a lone surrogate. Then only the first escape has been read.
    private mutating func readUnicodeEscape() -> Unicode.Scalar? {
        let codeUnit = parseCodeUnit(at: index)
        index += 4
        // Every code unit is a scalar, except the surrogates D800 to DFFF.
        if let scalar = Unicode.Scalar(codeUnit) { return scalar }
        let isHighSurrogate = codeUnit < 0xDC00
        let isUnicodeEscapeNext =
            index + 5 < written.count && written[index] == UInt8(ascii: "\\") && written[index + 1] == UInt8(ascii: "u")
        guard isHighSurrogate, isUnicodeEscapeNext else { return nil }
        let nextCodeUnit = parseCodeUnit(at: index + 2)
        let isLowSurrogate = nextCodeUnit & 0xFC00 == 0xDC00
        guard isLowSurrogate else { return nil }
        index += 6
        return Unicode.Scalar(0x1_0000 + (codeUnit & 0x3FF) << 10 + nextCodeUnit & 0x3FF)
    }

    /// Returns the UTF-16 code unit that the four hexadecimal digits from `start` on denote: 0xE9 for `00E9`.
    private func parseCodeUnit(at start: Int) -> UInt32 {
        var codeUnit: UInt32 = 0
        for digit in written[start..<start + 4] {
            codeUnit = codeUnit << 4 | UInt32(Hexadecimal.value(digit) ?? 0)
        }
        return codeUnit
    }
}
