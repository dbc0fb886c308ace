// Strings. The phases within a string:
//
//     string ── \ ──→ escape ── n, t, … ──────────────────→ string
//                     escape ── u ──→ unicodeEscape ── 4 digits ──→ string
//     string ── the first byte of a character beyond ASCII ──→ sequence ── its last byte ──→ string
//
// A whole escape or character in the chunk is read at once. The phases other than `string` are needed only where a
// chunk ends within one, or where an escape is wrong.

extension JSONScanner {
    /// Reads a string, such as `"Dune"`, to its closing quote or to the end of the chunk.
    ///
    /// Most strings are ASCII without escapes and lie in one chunk: `writePlain` passes them on as a whole.
    ///
    /// - Parameters:
    ///   - chunk: The chunk of text.
    ///   - start: The index of the opening quote in the chunk.
    ///   - token: The kind of string: a key or a value.
    ///   - sink: Receives the string with its quotes.
    /// - Returns: The index of the first byte that has not been read.
    /// - Throws: An error at the first byte that no string may have there, such as a line feed.
    @inline(__always)
    mutating func readString(
        _ chunk: JSONChunk, at start: Int, token: JSONToken, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        sink.begin(token, at: consumedBytes &+ start)
        sink.write(UInt8(ascii: "\""))
        let index = sink.writePlain(chunk, from: start &+ 1)
        if chunk.has("\"", at: index) {
            endToken(token, at: index &+ 1, isPlain: true, sink: &sink)
            return index &+ 1
        }
        self.token = token
        isPlain = true
        phase = .string
        return try resumeString(chunk, from: index, sink: &sink)
    }

    /// Continues a string whose start has been read, to its closing quote or to the end of the chunk.
    ///
    /// - Parameters:
    ///   - chunk: The chunk of text.
    ///   - start: The index in the chunk at which the rest of the string starts.
    ///   - sink: Receives the rest of the string with its closing quote.
    /// - Returns: The index of the first byte that has not been read.
    /// - Throws: An error at the first byte that no string may have there.
    @inline(never)
    mutating func resumeString(
        _ chunk: JSONChunk, from start: Int, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        var index = try resumeCharacter(chunk, from: start, sink: &sink)
        while index < chunk.count {
            let byte = chunk[index]
            switch byte {
            case UInt8(ascii: "\""):
                sink.write(byte)
                endToken(token, at: index &+ 1, isPlain: isPlain, sink: &sink)
                return index &+ 1
            case UInt8(ascii: "\\"):
                isPlain = false
                index = try readEscape(chunk, at: index, sink: &sink)
            case 0x80...:
                isPlain = false
                index = try readCharacters(chunk, from: index, sink: &sink)
            case 0x7F:
                // JSON allows DEL in a string, but a sink may escape it to protect the terminal.
                sink.write(0x7F, utf8: 0x7F, count: 1)
                index &+= 1
            case 0x20...:
                // Any other character of ASCII but a control character.
                index = sink.writePlain(chunk, from: index)
                guard chunk.has("\"", at: index) else { continue }
                // `writePlain` has written the closing quote.
                endToken(token, at: index &+ 1, isPlain: isPlain, sink: &sink)
                return index &+ 1
            default:
                throw unexpectedByteError(chunk, at: index)
            }
        }
        return index
    }

    /// Reads the rest of an escape such as `\u00E9`, or of a character of several bytes, that was read in part.
    ///
    /// The phase tells which of the two it is. The bytes are read one by one, because a chunk may end anywhere.
    ///
    /// - Returns: The index after the escape or character, or the end of the chunk if that comes first. If neither is
    ///   incomplete, nothing is read, and the result is `start`.
    /// - Throws: An error at the first byte that no escape or character may have there.
    private mutating func resumeCharacter(
        _ chunk: JSONChunk, from start: Int, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        while index < chunk.count {
            switch phase {
            case .escape: try readEscapeLetter(chunk, at: index, sink: &sink)
            case .unicodeEscape: try readEscapeDigit(chunk, at: index, sink: &sink)
            case .sequence: try readSequenceByte(chunk, at: index, sink: &sink)
            default: return index
            }
            index &+= 1
        }
        return index
    }

    // MARK: Escapes

    /// Reads an escape, such as `\n` or `\u00E9`, or as much of it as the chunk has.
    ///
    /// - Parameters:
    ///   - chunk: The chunk of text.
    ///   - index: The index of the backslash in the chunk.
    ///   - sink: Receives the escape as it is written.
    /// - Returns: The index of the first byte that has not been read.
    /// - Throws: An error at the first byte that no escape may have there, such as the `x` of `\x`.
    @inline(__always)
    private mutating func readEscape(
        _ chunk: JSONChunk, at index: Int, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        // The longest escape, `\u` with four digits, has six bytes.
        if index &+ 6 <= chunk.count {
            let letter = chunk[index &+ 1]
            if Self.isSimpleEscape(letter) {
                sink.write(chunk, range: index..<index &+ 2)
                return index &+ 2
            }
            if letter == UInt8(ascii: "u"), Self.hasFourDigits(chunk, at: index &+ 2) {
                noteSurrogate(firstDigit: chunk[index &+ 2], secondDigit: chunk[index &+ 3])
                sink.write(chunk, range: index..<index &+ 6)
                return index &+ 6
            }
        }
        // The escape is wrong, or close to the end of the chunk: read it byte by byte.
        sink.write(chunk[index])
        phase = .escape
        return try resumeCharacter(chunk, from: index &+ 1, sink: &sink)
    }

    /// Whether the four bytes from `start` on are hexadecimal digits.
    @inline(__always)
    private static func hasFourDigits(_ chunk: JSONChunk, at start: Int) -> Bool {
        Hexadecimal.isDigit(chunk[start]) && Hexadecimal.isDigit(chunk[start &+ 1])
            && Hexadecimal.isDigit(chunk[start &+ 2]) && Hexadecimal.isDigit(chunk[start &+ 3])
    }

    /// Whether a letter after a backslash makes an escape of two characters, as the `n` of `\n` does.
    @inline(__always)
    private static func isSimpleEscape(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            true
        default: false
        }
    }

    /// Reads the byte after a backslash, and sets the next phase.
    ///
    /// After a `u`, the next phase is that of the four digits. After any other letter the escape is complete, and the
    /// string continues.
    ///
    /// - Throws: An error if no escape has this letter.
    private mutating func readEscapeLetter(
        _ chunk: JSONChunk, at index: Int, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) {
        let letter = chunk[index]
        if letter == UInt8(ascii: "u") {
            phase = .unicodeEscape
            pendingCount = 0
        } else {
            guard Self.isSimpleEscape(letter) else { throw unexpectedByteError(chunk, at: index) }
            phase = .string
        }
        sink.write(letter)
    }

    /// Reads one of the four hexadecimal digits of a `\u` escape. After the fourth one, the string continues.
    ///
    /// - Throws: An error if the byte at `index` is not a hexadecimal digit.
    private mutating func readEscapeDigit(
        _ chunk: JSONChunk, at index: Int, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) {
        let digit = chunk[index]
        guard Hexadecimal.isDigit(digit) else { throw unexpectedByteError(chunk, at: index) }
        // The first two digits, D8 to DF, tell a surrogate. `pendingBytes` keeps the digit before this one.
        if pendingCount == 1 { noteSurrogate(firstDigit: UInt8(truncatingIfNeeded: pendingBytes), secondDigit: digit) }
        pendingBytes = UInt32(digit)
        pendingCount &+= 1
        if pendingCount == 4 { phase = .string }
        sink.write(digit)
    }

    /// Sets ``hasSurrogateEscapes`` if a `\u` escape stands for a surrogate, a code unit from D800 to DFFF.
    ///
    /// - Parameters:
    ///   - firstDigit: The first hexadecimal digit of the escape, in ASCII.
    ///   - secondDigit: The second hexadecimal digit.
    @inline(__always)
    private mutating func noteSurrogate(firstDigit: UInt8, secondDigit: UInt8) {
        // The bit 0x20 turns `D` into `d`.
        let isFirstD = firstDigit | 0x20 == UInt8(ascii: "d")
        // In ASCII, the digits 8 and 9 and all letters come after 7.
        let isSecond8OrMore = secondDigit >= UInt8(ascii: "8")
        if isFirstD, isSecond8OrMore { hasSurrogateEscapes = true }
    }

    // MARK: Characters beyond ASCII

    /// Reads consecutive characters beyond ASCII, up to the next ASCII byte or the end of the chunk.
    ///
    /// A character has up to four bytes, which are loaded as one word. If fewer than four bytes of the chunk are left,
    /// the character is read byte by byte, because it may go on in the next chunk.
    ///
    /// - Returns: The index of the first byte that has not been read.
    /// - Throws: An error if the bytes are not UTF-8.
    @inline(__always)
    private mutating func readCharacters(
        _ chunk: JSONChunk, from start: Int, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        while index < chunk.count, chunk[index] >= 0x80 {
            let count = UTF8Sequence.length(lead: chunk[index])
            guard count > 0 else { throw invalidUTF8Error(at: consumedBytes &+ index, lead: chunk[index]) }
            guard index &+ 4 <= chunk.count else {
                // The chunk may end within the character: read it byte by byte.
                phase = .sequence
                pendingCount = 0
                pendingBytes = 0
                index = try resumeCharacter(chunk, from: index, sink: &sink)
                continue
            }
            let word = UInt32(littleEndian: chunk.loadUnaligned(fromByteOffset: index, as: UInt32.self))
            try writeCharacter(word, count: count, at: consumedBytes &+ index, sink: &sink)
            index &+= count
        }
        return index
    }

    /// Adds a byte to a character of several bytes (UTF-8), and writes the character once it is complete.
    ///
    /// ``pendingBytes`` collects the bytes, the first one lowest. The first byte tells how many there are. They are
    /// checked all at once at the end.
    ///
    /// - Throws: An error if the bytes are not UTF-8. It points to the first of them.
    private mutating func readSequenceByte(
        _ chunk: JSONChunk, at index: Int, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) {
        pendingBytes |= UInt32(chunk[index]) << (8 &* UInt32(pendingCount))
        pendingCount &+= 1
        let count = UTF8Sequence.length(lead: UInt8(truncatingIfNeeded: pendingBytes))
        guard pendingCount == count else { return }
        let end = consumedBytes &+ index &+ 1
        try writeCharacter(pendingBytes, count: count, at: end &- count, sink: &sink)
        phase = .string
    }

    /// Decodes a character beyond ASCII from UTF-8, and writes it.
    ///
    /// - Parameters:
    ///   - utf8: The bytes of the character, the first one lowest. Bytes beyond `count` may be anything.
    ///   - count: The number of bytes, two to four.
    ///   - offset: The offset of the first byte in the input, for the error.
    ///   - sink: Receives the character.
    /// - Throws: An error if the bytes are not UTF-8.
    @inline(__always)
    private mutating func writeCharacter(
        _ utf8: UInt32, count: Int, at offset: Int, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) {
        guard let scalar = UTF8Sequence.scalar(utf8, length: count) else {
            throw invalidUTF8Error(at: offset, lead: UInt8(truncatingIfNeeded: utf8))
        }
        // Columns count characters: moving the line's start makes all bytes of this one count once.
        lineStart &+= count &- 1
        sink.write(scalar, utf8: utf8, count: count)
    }
}
