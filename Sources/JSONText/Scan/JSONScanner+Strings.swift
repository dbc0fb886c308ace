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
    ///   - input: The chunk of text.
    ///   - start: The index of the opening quote in the chunk.
    ///   - token: The kind of string: a key or a value.
    ///   - sink: Receives the string with its quotes.
    /// - Returns: The index of the first byte that has not been read.
    /// - Throws: An error at the first byte that no string may have there, such as a line feed.
    @inline(__always)
    mutating func readString(
        _ input: JSONChunk, at start: Int, _ token: JSONToken, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        sink.begin(token, at: consumed &+ start)
        sink.write(UInt8(ascii: "\""))
        let index = sink.writePlain(input, from: start &+ 1)
        if input.has("\"", at: index) {
            endToken(token, at: index &+ 1, isPlain: true, &sink)
            return index &+ 1
        }
        self.token = token
        isPlain = true
        phase = .string
        return try resumeString(input, from: index, &sink)
    }

    /// Continues a string whose start has been read, to its closing quote or to the end of the chunk.
    ///
    /// - Parameters:
    ///   - input: The chunk of text.
    ///   - start: The index in the chunk at which the rest of the string starts.
    ///   - sink: Receives the rest of the string with its closing quote.
    /// - Returns: The index of the first byte that has not been read.
    /// - Throws: An error at the first byte that no string may have there.
    @inline(never)
    mutating func resumeString(
        _ input: JSONChunk, from start: Int, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        var index = try resumeCharacter(input, from: start, &sink)
        while index < input.count {
            let byte = input[index]
            switch byte {
            case UInt8(ascii: "\""):
                sink.write(byte)
                endToken(token, at: index &+ 1, isPlain: isPlain, &sink)
                return index &+ 1
            case UInt8(ascii: "\\"):
                isPlain = false
                index = try readEscape(input, at: index, &sink)
            case 0x80...:
                isPlain = false
                index = try readCharacters(input, from: index, &sink)
            case 0x7F:
                // DEL is allowed, but the sink may escape it.
                sink.write(0x7F, utf8: 0x7F, count: 1)
                index &+= 1
            case 0x20...:
                index = sink.writePlain(input, from: index)
                guard input.has("\"", at: index) else { continue }
                // The quote has been written.
                endToken(token, at: index &+ 1, isPlain: isPlain, &sink)
                return index &+ 1
            default:
                throw unexpected(input, at: index)
            }
        }
        return index
    }

    /// Completes an escape such as `\u00E9`, or a character of several bytes, of which a part has been read.
    ///
    /// The phase tells which of them it is. It reads byte by byte, because a chunk may end anywhere.
    ///
    /// - Returns: The index after the escape or character, or the end of the chunk if that comes first. If no escape
    ///   and no character is open, nothing is read, and the result is `start`.
    private mutating func resumeCharacter(
        _ input: JSONChunk, from start: Int, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        while index < input.count {
            switch phase {
            case .escape: try readEscapeLetter(input, at: index, &sink)
            case .unicodeEscape: try readEscapeDigit(input, at: index, &sink)
            case .sequence: try readSequenceByte(input, at: index, &sink)
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
    ///   - input: The chunk of text.
    ///   - index: The index of the backslash in the chunk.
    ///   - sink: Receives the escape as it is written.
    /// - Returns: The index of the first byte that has not been read.
    /// - Throws: An error at the first byte that makes it no escape, such as the `x` of `\x`.
    @inline(__always)
    private mutating func readEscape(
        _ input: JSONChunk, at index: Int, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        // The longest escape, `\u` with four digits, has six bytes.
        if index &+ 6 <= input.count {
            let letter = input[index &+ 1]
            if Self.isSimpleEscape(letter) {
                sink.write(input, index..<index &+ 2)
                return index &+ 2
            }
            if letter == UInt8(ascii: "u"), Self.hasFourDigits(input, at: index &+ 2) {
                noteSurrogate(input[index &+ 2], input[index &+ 3])
                sink.write(input, index..<index &+ 6)
                return index &+ 6
            }
        }
        // The escape is wrong, or close to the end of the chunk: read it byte by byte.
        sink.write(input[index])
        phase = .escape
        return try resumeCharacter(input, from: index &+ 1, &sink)
    }

    /// Whether the four bytes from `start` on are hexadecimal digits.
    @inline(__always)
    private static func hasFourDigits(_ input: JSONChunk, at start: Int) -> Bool {
        Hexadecimal.isDigit(input[start]) && Hexadecimal.isDigit(input[start &+ 1])
            && Hexadecimal.isDigit(input[start &+ 2]) && Hexadecimal.isDigit(input[start &+ 3])
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

    /// Reads the byte after a backslash.
    ///
    /// After a `u`, the next phase is that of the four digits. After any other letter the escape is complete, and the
    /// string continues.
    ///
    /// - Throws: An error if no escape has this letter.
    private mutating func readEscapeLetter(
        _ input: JSONChunk, at index: Int, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) {
        let letter = input[index]
        if letter == UInt8(ascii: "u") {
            phase = .unicodeEscape
            partCount = 0
        } else {
            guard Self.isSimpleEscape(letter) else { throw unexpected(input, at: index) }
            phase = .string
        }
        sink.write(letter)
    }

    /// Reads one of the four hexadecimal digits of a `\u` escape.
    ///
    /// - Throws: An error if the byte at `index` is not a hexadecimal digit.
    private mutating func readEscapeDigit(
        _ input: JSONChunk, at index: Int, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) {
        let digit = input[index]
        guard Hexadecimal.isDigit(digit) else { throw unexpected(input, at: index) }
        // The first two digits, D8 to DF, tell a surrogate. `partBytes` keeps the digit before this one.
        if partCount == 1 { noteSurrogate(UInt8(truncatingIfNeeded: partBytes), digit) }
        partBytes = UInt32(digit)
        partCount &+= 1
        if partCount == 4 { phase = .string }
        sink.write(digit)
    }

    /// Sets ``hasSurrogateEscapes`` if a `\u` escape stands for a surrogate, which are D800 to DFFF.
    ///
    /// - Parameters:
    ///   - first: The first hexadecimal digit of the escape, in ASCII.
    ///   - second: The second hexadecimal digit.
    @inline(__always)
    private mutating func noteSurrogate(_ first: UInt8, _ second: UInt8) {
        let isFirstD = first | 0x20 == UInt8(ascii: "d")
        // In ASCII, the digits 8 and 9 and all letters come after 7.
        let isSecond8OrMore = second >= UInt8(ascii: "8")
        if isFirstD, isSecond8OrMore { hasSurrogateEscapes = true }
    }

    // MARK: Characters beyond ASCII

    /// Reads consecutive characters beyond ASCII, up to the next ASCII byte or the end of the chunk.
    ///
    /// A character has up to four bytes, which are loaded as one word. Within the last three bytes of a chunk there is
    /// no such word, and the character may go on in the next chunk: there it is read byte by byte.
    ///
    /// - Returns: The index of the first byte that has not been read.
    /// - Throws: An error if the bytes are not UTF-8.
    @inline(__always)
    private mutating func readCharacters(
        _ input: JSONChunk, from start: Int, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        while index < input.count, input[index] >= 0x80 {
            let count = UTF8Sequence.length(lead: input[index])
            guard count > 0 else { throw brokenSequence(at: consumed &+ index, lead: input[index]) }
            guard index &+ 4 <= input.count else {
                // The chunk may end within the character: read it byte by byte.
                phase = .sequence
                partCount = 0
                partBytes = 0
                index = try resumeCharacter(input, from: index, &sink)
                continue
            }
            let word = UInt32(littleEndian: input.loadUnaligned(fromByteOffset: index, as: UInt32.self))
            try writeCharacter(word, count: count, at: consumed &+ index, &sink)
            index &+= count
        }
        return index
    }

    /// Adds a byte to a character of several bytes (UTF-8), and writes the character once it is complete.
    ///
    /// ``partBytes`` collects the bytes, the first one lowest. The first byte tells how many there are. They are
    /// checked all at once at the end.
    ///
    /// - Throws: An error if the bytes are not UTF-8. It points to the first of them.
    private mutating func readSequenceByte(
        _ input: JSONChunk, at index: Int, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) {
        partBytes |= UInt32(input[index]) << (8 &* UInt32(partCount))
        partCount &+= 1
        let count = UTF8Sequence.length(lead: UInt8(truncatingIfNeeded: partBytes))
        guard partCount == count else { return }
        let end = consumed &+ index &+ 1
        try writeCharacter(partBytes, count: count, at: end &- count, &sink)
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
        _ utf8: UInt32, count: Int, at offset: Int, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) {
        guard let scalar = UTF8Sequence.scalar(utf8, length: count) else {
            throw brokenSequence(at: offset, lead: UInt8(truncatingIfNeeded: utf8))
        }
        // Columns count characters: moving the line's start makes all bytes of this one count once.
        lineStart &+= count &- 1
        sink.write(scalar, utf8: utf8, count: count)
    }
}
