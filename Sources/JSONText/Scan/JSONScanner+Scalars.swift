// Numbers, literals and strings: each can be cut anywhere by the end of a chunk, and is continued from the phase it was left in.

extension JSONScanner {
    @inline(__always)
    mutating func end<Sink: JSONSink & ~Copyable>(
        _ token: JSONToken, at index: Int, isPlain: Bool, _ sink: inout Sink
    ) {
        sink.end(token, at: consumed &+ index, isPlain: isPlain)
        if token == .key { phase = .colon } else { endValue(&sink) }
    }

    // MARK: Numbers

    /// Reads a number to its end or the end of `input`. Of it, `start..<next` is in `input` already and led to the phase `first`.
    @inline(__always)
    mutating func readNumber<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, from start: Int, readTo next: Int, _ first: Phase, _ sink: inout Sink
    ) throws(JSONSyntaxError) -> Int {
        var phase = first
        let index = Self.continueNumber(input, from: next, &phase)
        if index > start { sink.write(input, start..<index) }
        if index < input.count, phase.canEndNumber, phase != .zero || !Self.isDigit(input[index]) {
            end(.number, at: index, isPlain: phase.rawValue <= Phase.integer.rawValue, &sink)
            return index
        }
        self.phase = phase
        token = .number
        if index < input.count { throw unexpected(input, at: index) }
        return index
    }

    /// The index of the first byte that does not belong to the number.
    @inline(never)
    private static func continueNumber(_ input: JSONChunk, from start: Int, _ phase: inout Phase) -> Int {
        var index = start
        switch phase {
        case .minus:
            guard index < input.count, isDigit(input[index]) else { return index }
            phase = input[index] == UInt8(ascii: "0") ? .zero : .integer
            index &+= 1
            fallthrough
        case .zero, .integer:
            if phase == .integer { index = skipDigits(input, from: index) }
            guard index < input.count, input[index] == UInt8(ascii: ".") else {
                return continueExponent(input, from: index, &phase)
            }
            phase = .point
            index &+= 1
            fallthrough
        case .point:
            guard index < input.count, isDigit(input[index]) else { return index }
            phase = .fraction
            fallthrough
        case .fraction:
            index = skipDigits(input, from: index)
            fallthrough
        default: return continueExponent(input, from: index, &phase)
        }
    }

    @inline(__always)
    private static func continueExponent(_ input: JSONChunk, from start: Int, _ phase: inout Phase) -> Int {
        var index = start
        guard index < input.count else { return index }
        if phase.rawValue <= Phase.fraction.rawValue {
            guard input[index] | 0x20 == UInt8(ascii: "e") else { return index }
            phase = .exponent
            index &+= 1
        }
        if phase == .exponent, index < input.count,
            input[index] == UInt8(ascii: "+") || input[index] == UInt8(ascii: "-")
        {
            phase = .exponentSign
            index &+= 1
        }
        if phase != .exponentDigits {
            guard index < input.count, isDigit(input[index]) else { return index }
            phase = .exponentDigits
        }
        return skipDigits(input, from: index)
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    @inline(__always)
    private static func skipDigits(_ input: JSONChunk, from start: Int) -> Int {
        skip(input, from: start) { word in
            // Each digit becomes 0 to 9, any other byte more. Adding sets the highest bit of bytes that are not digits; a carry
            // may corrupt the bytes above such a byte, but the lowest one is right.
            let values = word ^ 0x3030_3030_3030_3030
            return (values | (values &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080
        }
    }

    /// The index of the first byte that `others` marks in a word of eight, the first lowest.
    @inline(__always)
    static func skip(_ input: JSONChunk, from start: Int, _ others: (UInt64) -> UInt64) -> Int {
        var index = start
        while index &+ 8 <= input.count {
            let word = UInt64(littleEndian: input.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let found = others(word)
            guard found == 0 else { return index &+ found.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < input.count, others(UInt64(input[index])) & 0xFF == 0 { index &+= 1 }
        return index
    }

    // MARK: Literals

    /// Reads the literal whose first letter is at `start`.
    @inline(__always)
    mutating func readLiteral<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at start: Int, _ token: JSONToken, _ sink: inout Sink
    ) throws(JSONSyntaxError) -> Int {
        beginElement(&sink)
        sink.begin(token, at: consumed &+ start)
        let (letters, count) = token.letters
        if start &+ 8 <= input.count {
            let word = UInt64(littleEndian: input.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            // The bytes that are shifted out come after the literal.
            if (word ^ letters) << (64 &- 8 &* UInt64(count)) == 0 {
                sink.write(input, start..<start &+ count)
                end(token, at: start &+ count, isPlain: true, &sink)
                return start &+ count
            }
        }
        self.token = token
        phase = .literal
        matched = 0
        return try readOnInLiteral(input, from: start, &sink)
    }

    /// Continues a literal, of which ``matched`` letters have been read.
    @inline(never)
    mutating func readOnInLiteral<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, from start: Int, _ sink: inout Sink
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        let (letters, count) = token.letters
        while matched < count {
            guard index < input.count else { return index }
            guard input[index] == UInt8(truncatingIfNeeded: letters >> (8 &* UInt64(matched))) else {
                throw unexpected(input, at: index)
            }
            sink.write(input[index])
            matched &+= 1
            index &+= 1
        }
        end(token, at: index, isPlain: true, &sink)
        return index
    }

    // MARK: Strings

    /// Reads a string whose opening quote is at `start`, to its closing quote or the end of `input`.
    @inline(__always)
    mutating func readString<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at start: Int, _ token: JSONToken, _ sink: inout Sink
    ) throws(JSONSyntaxError) -> Int {
        sink.begin(token, at: consumed &+ start)
        sink.write(UInt8(ascii: "\""))
        let index = sink.writePlain(input, from: start &+ 1)
        if index < input.count, input[index] == UInt8(ascii: "\"") {
            end(token, at: index &+ 1, isPlain: true, &sink)
            return index &+ 1
        }
        self.token = token
        isPlain = true
        phase = .string
        return try readOnInString(input, from: index, &sink)
    }

    /// Continues a string to its closing quote or the end of `input`.
    @inline(never)
    mutating func readOnInString<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, from start: Int, _ sink: inout Sink
    ) throws(JSONSyntaxError) -> Int {
        var index = try readOnInCharacter(input, from: start, &sink)
        while index < input.count {
            let byte = input[index]
            switch byte {
            case UInt8(ascii: "\""):
                sink.write(byte)
                end(token, at: index &+ 1, isPlain: isPlain, &sink)
                return index &+ 1
            case UInt8(ascii: "\\"):
                isPlain = false
                index = try readEscape(input, at: index, &sink)
            case 0x80...:
                isPlain = false
                index = try readCharacters(input, from: index, &sink)
            case 0x7F:
                sink.write(0x7F, utf8: 0x7F, count: 1)
                index &+= 1
            case 0x20...:
                index = sink.writePlain(input, from: index)
                guard index < input.count, input[index] == UInt8(ascii: "\"") else { continue }
                end(token, at: index &+ 1, isPlain: isPlain, &sink)
                return index &+ 1
            default:
                throw unexpected(input, at: index)
            }
        }
        return index
    }

    @inline(__always)
    private mutating func readEscape<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at index: Int, _ sink: inout Sink
    ) throws(JSONSyntaxError) -> Int {
        if index &+ 6 <= input.count {
            let kind = input[index &+ 1]
            if Self.isSimpleEscape(kind) {
                sink.write(input, index..<index &+ 2)
                return index &+ 2
            }
            if kind == UInt8(ascii: "u"), Hexadecimal.isDigit(input[index &+ 2]),
                Hexadecimal.isDigit(input[index &+ 3]), Hexadecimal.isDigit(input[index &+ 4]),
                Hexadecimal.isDigit(input[index &+ 5])
            {
                noteUnicodeEscape(input[index &+ 2], input[index &+ 3])
                sink.write(input, index..<index &+ 6)
                return index &+ 6
            }
        }
        // It is wrong or cut by the end of the chunk.
        sink.write(input[index])
        phase = .escape
        return try readOnInCharacter(input, from: index &+ 1, &sink)
    }

    /// Notes the first two digits of a `\u` escape: D800 to DFFF are surrogates.
    @inline(__always)
    private mutating func noteUnicodeEscape(_ first: UInt8, _ second: UInt8) {
        if first | 0x20 == UInt8(ascii: "d"), second >= UInt8(ascii: "8") { hasSurrogateEscapes = true }
    }

    @inline(__always)
    private static func isSimpleEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            true
        default: false
        }
    }

    /// Continues an escape after its `\`, or a multi-byte sequence that started in an earlier chunk, byte by byte.
    private mutating func readOnInCharacter<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, from start: Int, _ sink: inout Sink
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        while index < input.count {
            let byte = input[index]
            switch phase {
            case .escape:
                let isUnicode = byte == UInt8(ascii: "u")
                guard isUnicode || Self.isSimpleEscape(byte) else { throw unexpected(input, at: index) }
                phase = isUnicode ? .unicodeEscape : .string
                (matched, held) = (0, 0)
                sink.write(byte)
            case .unicodeEscape:
                guard Hexadecimal.isDigit(byte) else { throw unexpected(input, at: index) }
                if matched == 1 { noteUnicodeEscape(UInt8(truncatingIfNeeded: held), byte) }
                held = UInt32(byte)
                matched &+= 1
                if matched == 4 { phase = .string }
                sink.write(byte)
            case .sequence:
                held |= UInt32(byte) << (8 &* UInt32(matched))
                matched &+= 1
                let count = UTF8Sequence.length(lead: UInt8(truncatingIfNeeded: held))
                guard matched == count else { break }
                try write(held, count: count, at: consumed &+ index &+ 1 &- count, &sink)
                phase = .string
            default: return index
            }
            index &+= 1
        }
        return index
    }

    /// Reads consecutive characters beyond ASCII.
    @inline(__always)
    private mutating func readCharacters<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, from start: Int, _ sink: inout Sink
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        while index < input.count, input[index] >= 0x80 {
            let count = UTF8Sequence.length(lead: input[index])
            guard count > 0 else { throw brokenSequence(at: consumed &+ index, lead: input[index]) }
            if index &+ 4 <= input.count {
                let word = UInt32(littleEndian: input.loadUnaligned(fromByteOffset: index, as: UInt32.self))
                try write(word, count: count, at: consumed &+ index, &sink)
                index &+= count
                continue
            }
            let rest = min(count, input.count &- index)
            held = (0..<rest).reduce(0) { $0 | UInt32(input[index &+ $1]) << (8 &* UInt32($1)) }
            matched = rest
            if rest < count { phase = .sequence } else { try write(held, count: count, at: consumed &+ index, &sink) }
            index &+= rest
        }
        return index
    }

    /// Writes the character that starts at `offset`, if the bytes are UTF-8.
    @inline(__always)
    private mutating func write<Sink: JSONSink & ~Copyable>(
        _ utf8: UInt32, count: Int, at offset: Int, _ sink: inout Sink
    ) throws(JSONSyntaxError) {
        guard let scalar = UTF8Sequence.scalar(utf8, length: count) else {
            throw brokenSequence(at: offset, lead: UInt8(truncatingIfNeeded: utf8))
        }
        lineStart &+= count &- 1
        sink.write(scalar, utf8: utf8, count: count)
    }
}

extension JSONToken {
    /// The letters of a literal, the first in the lowest byte, and how many.
    @inline(__always)
    fileprivate var letters: (UInt64, count: Int) {
        switch self {
        case .true: (0x6575_7274, 4)
        case .false: (0x65_736C_6166, 5)
        default: (0x6C6C_756E, 4)
        }
    }
}

/// One character in UTF-8 (RFC 3629, section 4; Unicode table 3-7).
enum UTF8Sequence {
    /// The length of a sequence that starts with `lead`; 0 if none can.
    static func length(lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    /// The scalar of a sequence of `length` bytes, the first in the lowest byte of `word`; nil if it is ill-formed:
    /// overlong, a surrogate, beyond U+10FFFF, or cut short by another character.
    ///
    /// `length` is what ``length(lead:)`` says; bytes of `word` beyond it may be anything.
    @inline(__always)
    static func scalar(_ word: UInt32, length: Int) -> UInt32? {
        let second = (word >> 8) & 0x3F
        let third = (word >> 16) & 0x3F
        switch length {
        case 2:
            guard word & 0xC000 == 0x8000 else { return nil }
            return (word & 0x1F) << 6 | second
        case 3:
            guard word & 0xC0_C000 == 0x80_8000 else { return nil }
            let scalar = (word & 0x0F) << 12 | second << 6 | third
            return scalar < 0x800 || scalar & 0xF800 == 0xD800 ? nil : scalar
        default:
            guard word & 0xC0C0_C000 == 0x8080_8000 else { return nil }
            let scalar = (word & 0x07) << 18 | second << 12 | third << 6 | (word >> 24) & 0x3F
            return scalar < 0x1_0000 || scalar > 0x10_FFFF ? nil : scalar
        }
    }
}
