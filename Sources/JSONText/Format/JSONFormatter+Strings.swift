// Reading strings: plain text, escapes, multi-byte characters.

extension JSONFormatter {
    /// Reads a string whose opening quote is at `start`, to its closing quote or the end of `input`.
    @inline(__always)
    mutating func readString<Writer: ByteWriter>(
        _ input: UnsafeRawBufferPointer, at start: Int, isKey: Bool, _ out: inout Writer
    ) throws(JSONSyntaxError) -> Int {
        out.write(UInt8(ascii: "\""))
        let index = out.writePlain(input, from: start &+ 1, stops: stops)
        if index < input.count, input[index] == UInt8(ascii: "\"") {
            endString(isKey: isKey, &out)
            return index &+ 1
        }
        self.isKey = isKey
        phase = .string
        return try readOnInString(input, from: index, &out)
    }

    /// Continues a string to its closing quote or the end of `input`.
    @inline(never)
    mutating func readOnInString<Writer: ByteWriter>(
        _ input: UnsafeRawBufferPointer, from start: Int, _ out: inout Writer
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        while index < input.count {
            guard phase == .string else {
                try resumeString(input, at: index, &out)
                index &+= 1
                continue
            }
            switch input[index] {
            case UInt8(ascii: "\""):
                out.write(UInt8(ascii: "\""))
                endString(isKey: isKey, &out)
                return index &+ 1
            case UInt8(ascii: "\\"):
                index = readEscape(input, at: index, &out)
            case 0x80...:
                index = try readSequences(input, from: index, &out)
            case 0x7F where escapesControls:
                out.write(Hexadecimal.escape(0x7F))
                index &+= 1
            case 0x20...:
                index = out.writePlain(input, from: index, stops: stops)
                guard index < input.count, input[index] == UInt8(ascii: "\"") else { continue }
                endString(isKey: isKey, &out)
                return index &+ 1
            default:
                throw unexpected(input, at: index)
            }
        }
        return index
    }

    /// Ends a string after its closing quote.
    @inline(__always)
    private mutating func endString(isKey: Bool, _ out: inout some ByteWriter) {
        if isKey {
            endColour(&out)
            phase = .colon
        } else {
            endScalar(&out)
        }
    }

    /// Reads a whole escape if it is complete and valid; otherwise only the `\`, so that the rest is read byte by byte.
    @inline(__always)
    private mutating func readEscape(
        _ input: UnsafeRawBufferPointer, at index: Int, _ out: inout some ByteWriter
    ) -> Int {
        if index &+ 1 < input.count {
            let kind = input[index &+ 1]
            if Self.isSimpleEscape(kind) {
                out.write(UInt32(UInt8(ascii: "\\")) | UInt32(kind) << 8, count: 2)
                return index &+ 2
            }
            if kind == UInt8(ascii: "u"), index &+ 6 <= input.count,
                Hexadecimal.isDigit(input[index &+ 2]), Hexadecimal.isDigit(input[index &+ 3]),
                Hexadecimal.isDigit(input[index &+ 4]), Hexadecimal.isDigit(input[index &+ 5])
            {
                out.write(input, index..<(index &+ 6))
                return index &+ 6
            }
        }
        out.write(UInt8(ascii: "\\"))
        phase = .escape
        return index &+ 1
    }

    /// Reads one byte of an escape, or of a multi-byte sequence that started in an earlier chunk.
    private mutating func resumeString(
        _ input: UnsafeRawBufferPointer, at index: Int, _ out: inout some ByteWriter
    ) throws(JSONSyntaxError) {
        let byte = input[index]
        switch phase {
        case .escape where byte == UInt8(ascii: "u"):
            phase = .unicodeEscape
            matched = 0
        case .escape where Self.isSimpleEscape(byte):
            phase = .string
        case .unicodeEscape where Hexadecimal.isDigit(byte):
            matched &+= 1
            if matched == 4 { phase = .string }
        case .sequence:
            held |= UInt32(byte) << (8 &* UInt32(heldCount))
            heldCount &+= 1
            let length = UTF8Sequence.length(lead: UInt8(truncatingIfNeeded: held))
            guard heldCount == length else { return }
            guard let scalar = UTF8Sequence.scalar(held, length: length) else {
                throw brokenSequence(at: consumed &+ index &+ 1 &- heldCount, lead: UInt8(truncatingIfNeeded: held))
            }
            write(scalar, sequence: held, length: length, &out)
            phase = .string
            return
        default:
            throw unexpected(input, at: index)
        }
        out.write(byte)
    }

    /// Reads consecutive multi-byte characters.
    @inline(__always)
    private mutating func readSequences(
        _ input: UnsafeRawBufferPointer, from start: Int, _ out: inout some ByteWriter
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        while index < input.count, input[index] >= 0x80 {
            let length = UTF8Sequence.length(lead: input[index])
            guard length > 0 else { throw brokenSequence(at: consumed &+ index, lead: input[index]) }
            guard index &+ length <= input.count else {
                phase = .sequence
                heldCount = input.count &- index
                held = Self.word(input, from: index, count: heldCount)
                return input.count
            }
            let word =
                index &+ 4 <= input.count
                ? UInt32(littleEndian: input.loadUnaligned(fromByteOffset: index, as: UInt32.self))
                : Self.word(input, from: index, count: length)
            guard let scalar = UTF8Sequence.scalar(word, length: length) else {
                throw brokenSequence(at: consumed &+ index, lead: input[index])
            }
            write(scalar, sequence: word, length: length, &out)
            index &+= length
        }
        return index
    }

    @inline(__always)
    private mutating func write(_ scalar: UInt32, sequence: UInt32, length: Int, _ out: inout some ByteWriter) {
        continuations &+= length &- 1
        if escapesControls, TerminalText.isHazardBeyondASCII(scalar) {
            out.write(Hexadecimal.escape(scalar))
        } else {
            out.write(sequence, count: length)
        }
    }

    private static func word(_ input: UnsafeRawBufferPointer, from index: Int, count: Int) -> UInt32 {
        (0..<count).reduce(0) { $0 | UInt32(input[index + $1]) << (8 * UInt32($1)) }
    }

    @inline(__always)
    private static func isSimpleEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            true
        default:
            false
        }
    }
}
