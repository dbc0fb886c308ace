// Strings. The phases within a string:
//
//     string ── \ ──→ escape ── n, t, … ──────────────────→ string
//                     escape ── u ──→ unicodeEscape ── 4 digits ──→ string
//     string ── the first byte of a character beyond ASCII ──→ sequence ── its last byte ──→ string
//
// A whole escape or character in the chunk is read at once. The phases other than `string` are needed only where a
// chunk ends within one, or where an escape is wrong.

extension JSONScanner {
    /// Reads a string whose opening quote is at `start`, to its closing quote or the end of `input`.
    @inline(__always)
    mutating func readString<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at start: Int, _ token: JSONToken, _ sink: inout Sink
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

    /// Reads on in a string, to its closing quote or the end of `input`.
    @inline(never)
    mutating func resumeString<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, from start: Int, _ sink: inout Sink
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

    /// Reads on, byte by byte, in an escape or a character of which a part has been read, if the phase says so.
    ///
    /// - Returns: The index after the escape or character; the end of the chunk if that comes first; `start` if the
    ///   phase is none of those within an escape or character.
    private mutating func resumeCharacter<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, from start: Int, _ sink: inout Sink
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

    /// Reads the escape whose backslash is at `index`, or as much of it as there is.
    @inline(__always)
    private mutating func readEscape<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at index: Int, _ sink: inout Sink
    ) throws(JSONSyntaxError) -> Int {
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

    /// Whether a letter makes an escape of two characters.
    @inline(__always)
    private static func isSimpleEscape(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            true
        default: false
        }
    }

    /// Reads the byte after a backslash, and sets the phase that follows: four digits after `u`, or else the string
    /// goes on.
    private mutating func readEscapeLetter<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at index: Int, _ sink: inout Sink
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

    /// Reads a digit of a `\u` escape.
    private mutating func readEscapeDigit<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at index: Int, _ sink: inout Sink
    ) throws(JSONSyntaxError) {
        let digit = input[index]
        guard Hexadecimal.isDigit(digit) else { throw unexpected(input, at: index) }
        if partCount == 1 { noteSurrogate(UInt8(truncatingIfNeeded: partBytes), digit) }
        partBytes = UInt32(digit)
        partCount &+= 1
        if partCount == 4 { phase = .string }
        sink.write(digit)
    }

    /// Notes whether a `\u` escape that starts with these digits stands for a surrogate, which are D800 to DFFF.
    @inline(__always)
    private mutating func noteSurrogate(_ first: UInt8, _ second: UInt8) {
        let isD = first | 0x20 == UInt8(ascii: "d")
        // Letters come after digits in ASCII, so this is 8, 9 or any letter.
        if isD, second >= UInt8(ascii: "8") { hasSurrogateEscapes = true }
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
    private mutating func readCharacters<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, from start: Int, _ sink: inout Sink
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

    /// Adds a byte to a character that is read byte by byte, and writes the character if the byte is the last one.
    ///
    /// The character's first byte, the lowest one in ``partBytes``, tells its length. The bytes are checked all at once
    /// at the end.
    ///
    /// - Throws: An error if they are not UTF-8. It points to the first of them.
    private mutating func readSequenceByte<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at index: Int, _ sink: inout Sink
    ) throws(JSONSyntaxError) {
        partBytes |= UInt32(input[index]) << (8 &* UInt32(partCount))
        partCount &+= 1
        let count = UTF8Sequence.length(lead: UInt8(truncatingIfNeeded: partBytes))
        guard partCount == count else { return }
        let end = consumed &+ index &+ 1
        try writeCharacter(partBytes, count: count, at: end &- count, &sink)
        phase = .string
    }

    /// Writes a character.
    ///
    /// - Parameters:
    ///   - utf8: The bytes of the character, the first one lowest. Bytes beyond `count` may be anything.
    ///   - offset: The offset of the first byte.
    /// - Throws: An error if the bytes are not UTF-8.
    @inline(__always)
    private mutating func writeCharacter<Sink: JSONSink & ~Copyable>(
        _ utf8: UInt32, count: Int, at offset: Int, _ sink: inout Sink
    ) throws(JSONSyntaxError) {
        guard let scalar = UTF8Sequence.scalar(utf8, length: count) else {
            throw brokenSequence(at: offset, lead: UInt8(truncatingIfNeeded: utf8))
        }
        // Columns count characters: see `lineStart`.
        lineStart &+= count &- 1
        sink.write(scalar, utf8: utf8, count: count)
    }
}
