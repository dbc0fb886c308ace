// Between tokens: brackets, commas, colons, white space, and which token comes next.

extension JSONFormatter {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let recordSeparator: UInt8 = 0x1E

    /// Reads all of `input`, or throws at the first byte that does not fit.
    mutating func readTokens<Writer: ByteWriter>(
        _ input: UnsafeRawBufferPointer, _ out: inout Writer
    ) throws(JSONSyntaxError) {
        var index = 0
        while index < input.count {
            switch phase {
            case .string, .escape, .unicodeEscape, .sequence:
                index = try readOnInString(input, from: index, &out)
            case .minus, .zero, .integer, .point, .fraction, .exponent, .exponentSign, .exponentDigits:
                index = try readNumber(input, from: index, &out)
            case .literal:
                index = try readLiteral(input, from: index, &out)
            case .start:
                index = try skipByteOrderMark(input, from: index)
            case .ready, .betweenDocuments, .firstElement, .element, .firstKey, .key, .colon, .member, .afterValue:
                index = skipWhitespace(input, from: index)
                guard index < input.count else { return }
                index = try readPunctuation(input, at: index, &out)
            }
        }
    }

    /// Reads the byte at `start`, and further tokens without white space between them: commas, keys, colons and scalar
    /// values mostly follow each other directly.
    @inline(__always)
    private mutating func readPunctuation<Writer: ByteWriter>(
        _ input: UnsafeRawBufferPointer, at start: Int, _ out: inout Writer
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        let byte = input[index]
        var isAtKey = false
        switch phase {
        case .afterValue:
            guard byte == UInt8(ascii: ",") else { return try readClosingBrackets(input, at: index, &out) }
            isAtKey = readComma(&out)
            index &+= 1
            if isAtKey, index == input.count || input[index] != UInt8(ascii: "\"") { return index }
        case .firstKey, .key:
            isAtKey = byte == UInt8(ascii: "\"")
            if isAtKey { break }
            guard byte == UInt8(ascii: "}"), phase == .firstKey else { throw unexpected(input, at: index) }
            close(byte, &out)
            return index &+ 1
        case .colon:
            guard byte == UInt8(ascii: ":") else { throw unexpected(input, at: index) }
            writeColon(&out)
            index &+= 1
        case .ready, .betweenDocuments:
            if byte == Self.recordSeparator {
                phase = .ready
                return index &+ 1
            }
            guard phase == .ready else { throw unexpected(input, at: index) }
        case .firstElement where byte == UInt8(ascii: "]"):
            close(byte, &out)
            return index &+ 1
        default:
            break
        }
        while true {
            if isAtKey {
                index = try readKey(input, at: index, &out)
                guard phase == .member else { return index }
            }
            guard index < input.count, !Self.isWhitespace(input[index]) else { return index }
            index = try readValue(input, at: index, &out)
            guard phase == .afterValue, index < input.count, input[index] == UInt8(ascii: ",") else { return index }
            isAtKey = readComma(&out)
            index &+= 1
            if isAtKey, index == input.count || input[index] != UInt8(ascii: "\"") { return index }
        }
    }

    /// Writes a comma and says whether a key must follow it.
    @inline(__always)
    mutating func readComma(_ out: inout some ByteWriter) -> Bool {
        writePunctuation(UInt8(ascii: ","), &out)
        let isInObject = nesting.isInObject
        phase = isInObject ? .key : .element
        return isInObject
    }

    /// Reads the bracket that closes the innermost container, and those directly after it.
    @inline(__always)
    private mutating func readClosingBrackets(
        _ input: UnsafeRawBufferPointer, at start: Int, _ out: inout some ByteWriter
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        var bracket = nesting.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        guard input[index] == bracket else { throw unexpected(input, at: index) }
        repeat {
            if pretty { out.writeLineBreak(indent, level: nesting.depth &- 1) }
            close(bracket, &out)
            index &+= 1
            bracket = nesting.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        } while phase == .afterValue && index < input.count && input[index] == bracket
        return index
    }

    /// Reads a key whose opening quote is at `index`, and a colon directly after it.
    @inline(__always)
    private mutating func readKey<Writer: ByteWriter>(
        _ input: UnsafeRawBufferPointer, at index: Int, _ out: inout Writer
    ) throws(JSONSyntaxError) -> Int {
        if pretty { out.writeLineBreak(indent, level: nesting.depth) }
        beginColour(.key, &out)
        let end = try readString(input, at: index, isKey: true, &out)
        guard phase == .colon, end < input.count, input[end] == UInt8(ascii: ":") else { return end }
        writeColon(&out)
        return end &+ 1
    }

    @inline(__always)
    private mutating func readValue<Writer: ByteWriter>(
        _ input: UnsafeRawBufferPointer, at index: Int, _ out: inout Writer
    ) throws(JSONSyntaxError) -> Int {
        let byte = input[index]
        switch byte {
        case UInt8(ascii: "\""):
            startLine(&out)
            beginColour(.string, &out)
            return try readString(input, at: index, isKey: false, &out)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            startLine(&out)
            beginColour(.number, &out)
            if let end = Self.endOfNumber(input, from: index) {
                out.write(input, index..<end)
                endScalar(&out)
                return end
            }
            phase = byte == UInt8(ascii: "-") ? .minus : byte == UInt8(ascii: "0") ? .zero : .integer
            out.write(byte)
            return try readNumber(input, from: index &+ 1, &out)
        case UInt8(ascii: "{"):
            open(byte, &out)
            phase = .firstKey
            return index &+ 1
        case UInt8(ascii: "["):
            var index = index
            repeat {
                open(byte, &out)
                phase = .firstElement
                index &+= 1
            } while index < input.count && input[index] == byte
            return index
        case UInt8(ascii: "t"): literal = .true
        case UInt8(ascii: "f"): literal = .false
        case UInt8(ascii: "n"): literal = .null
        default: throw unexpected(input, at: index)
        }
        startLine(&out)
        beginColour(literal == .null ? .null : .literal, &out)
        if let end = literal.end(input, from: index) {
            out.write(input, index..<end)
            endScalar(&out)
            return end
        }
        phase = .literal
        matched = 0
        return try readLiteral(input, from: index, &out)
    }

    /// Starts a line for an element; members follow their colon, and documents the previous line break.
    @inline(__always)
    mutating func startLine(_ out: inout some ByteWriter) {
        guard pretty, phase != .member, nesting.depth > 0 else { return }
        out.writeLineBreak(indent, level: nesting.depth)
    }

    @inline(__always)
    mutating func open(_ bracket: UInt8, _ out: inout some ByteWriter) {
        startLine(&out)
        writePunctuation(bracket, &out)
        nesting.push(isObject: bracket == UInt8(ascii: "{"))
    }

    @inline(__always)
    mutating func close(_ bracket: UInt8, _ out: inout some ByteWriter) {
        writePunctuation(bracket, &out)
        nesting.pop()
        endValue(&out)
    }

    /// Ends a string, a number or a literal.
    @inline(__always)
    mutating func endScalar(_ out: inout some ByteWriter) {
        endColour(&out)
        endValue(&out)
    }

    @inline(__always)
    private mutating func endValue(_ out: inout some ByteWriter) {
        if nesting.depth == 0 {
            out.write(UInt8(ascii: "\n"))
            hasDocument = true
            phase = .betweenDocuments
        } else {
            phase = .afterValue
        }
    }

    /// Returns the index of the first byte that is not white space. A line feed between documents allows the next
    /// one to start.
    @inline(__always)
    private mutating func skipWhitespace(_ input: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index < input.count {
            let byte = input[index]
            guard byte <= 0x20 else { break }
            switch byte {
            case UInt8(ascii: " "):
                index = skipSpaces(input, from: index &+ 1)
            case UInt8(ascii: "\n"):
                index &+= 1
                line &+= 1
                lineStart = consumed &+ index
                continuationsBeforeLine = continuations
                if phase == .betweenDocuments { phase = .ready }
            case UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                index &+= 1
            default:
                return index
            }
        }
        return index
    }

    @inline(__always)
    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte <= 0x20
            && (byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
                || byte == UInt8(ascii: "\t"))
    }

    @inline(__always)
    private func skipSpaces(_ input: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index &+ 8 <= input.count {
            let word = UInt64(littleEndian: input.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let others = word ^ 0x2020_2020_2020_2020
            guard others == 0 else { return index &+ others.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < input.count, input[index] == UInt8(ascii: " ") { index &+= 1 }
        return index
    }

    private mutating func skipByteOrderMark(
        _ input: UnsafeRawBufferPointer, from index: Int
    ) throws(JSONSyntaxError) -> Int {
        let position = consumed &+ index
        if input[index] == Self.byteOrderMark[position] {
            if position == Self.byteOrderMark.count - 1 {
                phase = .ready
                lineStart = position + 1
            }
            return index &+ 1
        }
        guard position == 0 else { throw brokenByteOrderMark() }
        phase = .ready
        return index
    }
}

extension JSONFormatter {
    @inline(__always)
    private mutating func writePunctuation(_ byte: UInt8, _ out: inout some ByteWriter) {
        beginColour(.punctuation, &out)
        out.write(byte)
        endColour(&out)
    }

    @inline(__always)
    mutating func writeColon(_ out: inout some ByteWriter) {
        if pretty, !hasColours {
            out.write(UInt32(UInt8(ascii: ":")) | UInt32(UInt8(ascii: " ")) << 8, count: 2)
        } else {
            writePunctuation(UInt8(ascii: ":"), &out)
            if pretty { out.write(UInt8(ascii: " ")) }
        }
        phase = .member
    }

    @inline(__always)
    mutating func beginColour(_ kind: SGRSequences.Kind, _ out: inout some ByteWriter) {
        if hasColours { write(colours[kind], &out) }
    }

    @inline(__always)
    private mutating func write(_ sequence: SGRSequences.Sequence, _ out: inout some ByteWriter) {
        guard sequence.count > 0 else { return }
        if sequence.isShort {
            out.write(sequence.block, count: sequence.count)
        } else {
            out.write(sequence.bytes)
        }
        owesReset = true
    }

    @inline(__always)
    mutating func endColour(_ out: inout some ByteWriter) {
        guard owesReset else { return }
        out.write(SGRSequences.reset, count: 4)
        owesReset = false
    }
}
