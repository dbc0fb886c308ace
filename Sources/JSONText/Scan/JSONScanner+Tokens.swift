// Between tokens: brackets, commas, colons, white space, and which token comes next. Also numbers and literals.

extension JSONScanner {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let recordSeparator: UInt8 = 0x1E

    /// Reads a chunk of text: the loop that chooses, for each phase, the function that continues the text.
    ///
    /// - Parameters:
    ///   - input: The chunk.
    ///   - sink: Receives all tokens of the chunk.
    /// - Throws: An error at the first byte that no JSON text may have there.
    mutating func readTokens(
        _ input: JSONChunk, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) {
        var index = 0
        while index < input.count {
            switch phase {
            case .string, .escape, .unicodeEscape, .sequence:
                index = try resumeString(input, from: index, &sink)
            case .minus, .zero, .integer, .point, .fraction, .exponent, .exponentSign, .exponentDigits:
                index = try readNumber(input, from: index, resumingAt: index, phase, &sink)
            case .literal:
                index = try resumeLiteral(input, from: index, &sink)
            case .start:
                index = try skipByteOrderMark(input, from: index)
            case .ready, .betweenDocuments, .firstElement, .element, .firstKey, .key, .colon, .member, .afterValue:
                index = skipWhitespace(input, from: index)
                guard index < input.count else { return }
                index = try readItems(input, at: index, &sink)
            }
        }
    }

    // MARK: Keys, values and the punctuation between them

    /// The kind of item that starts at the next byte, as far as the bytes before it tell.
    private enum Upcoming {
        /// A key, whose quote is the next byte.
        case key
        /// A value, unless the chunk ends.
        case value
        /// Only the phase tells.
        case unknown
    }

    /// Reads keys, colons, values and commas, such as `"id": 1, "name": "x"`, as long as they follow each other.
    ///
    /// The phase decides about the first byte only. Then the loop checks just for the byte that usually comes next. A
    /// `switch` over the phase for each item would be a jump that processors predict badly. Anything else ends the
    /// loop, for example a closing bracket, and the caller looks at the phase again.
    ///
    /// - Parameters:
    ///   - input: The chunk of text.
    ///   - start: The index of the first byte, which is not white space.
    ///   - sink: Receives the tokens.
    /// - Returns: The index of the first byte that has not been read.
    /// - Throws: An error at the first byte that no JSON text may have there.
    @inline(__always)
    private mutating func readItems(
        _ input: JSONChunk, at start: Int, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        var upcoming = try readByPhase(input, &index, &sink)
        while upcoming != .unknown {
            if upcoming == .key {
                sink.beginItem(depth: nesting.depth)
                index = skipWhitespace(input, from: try readString(input, at: index, .key, &sink))
                guard phase == .colon, input.has(":", at: index) else { return index }
                index = readColon(input, at: index, &sink)
            }
            guard index < input.count else { return index }
            index = skipWhitespace(input, from: try readValue(input, at: index, &sink))
            guard phase == .afterValue, input.has(",", at: index) else { return index }
            upcoming = readComma(input, &index, &sink)
        }
        return index
    }

    /// Reads the byte at `index` if it is a comma, a colon, a closing bracket or a record separator.
    ///
    /// The phase tells which of them may come here. Any other byte is left for the caller: it is the quote of a key or
    /// the start of a value.
    ///
    /// - Parameters:
    ///   - input: The chunk of text.
    ///   - index: The index of the byte. It is moved to the byte to read next.
    ///   - sink: Receives what was read.
    /// - Returns: The kind of item that starts at `index`.
    /// - Throws: An error if the phase does not allow the byte.
    @inline(__always)
    private mutating func readByPhase(
        _ input: JSONChunk, _ index: inout Int, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Upcoming {
        let byte = input[index]
        switch phase {
        case .ready, .betweenDocuments:
            let isSeparator = byte == Self.recordSeparator
            guard isSeparator || phase == .ready else { throw unexpected(input, at: index) }
            sink.beginDocument(at: consumed &+ index, isSeparator: isSeparator)
            guard isSeparator else { return .value }
            phase = .ready
            index &+= 1
            return .unknown
        case .firstKey, .key:
            if byte == UInt8(ascii: "\"") { return .key }
            guard byte == UInt8(ascii: "}"), phase == .firstKey else { throw unexpected(input, at: index) }
            index &+= 1
            close(isEmpty: true, end: index, &sink)
            return .unknown
        case .colon:
            guard byte == UInt8(ascii: ":") else { throw unexpected(input, at: index) }
            index = readColon(input, at: index, &sink)
            return .value
        case .firstElement where byte == UInt8(ascii: "]"):
            index &+= 1
            close(isEmpty: true, end: index, &sink)
            return .unknown
        case .afterValue:
            if byte == UInt8(ascii: ",") { return readComma(input, &index, &sink) }
            index = try readClosingBrackets(input, at: index, &sink)
            return .unknown
        default:
            // `firstElement`, `element` and `member`: the other phases are not between tokens.
            return .value
        }
    }

    /// Reads the comma at `index`, and moves `index` to the next byte that is not white space.
    ///
    /// - Returns: The kind of item after the comma: a key in an object, a value in an array. It is unknown if an object
    ///   goes on with anything but a quote, which is an error unless the chunk ends there.
    @inline(__always)
    private mutating func readComma(
        _ input: JSONChunk, _ index: inout Int, _ sink: inout some JSONSink & ~Copyable
    ) -> Upcoming {
        sink.comma()
        let isInObject = nesting.isInObject
        phase = isInObject ? .key : .element
        index = skipWhitespace(input, from: index &+ 1)
        guard isInObject else { return .value }
        return input.has("\"", at: index) ? .key : .unknown
    }

    /// Reads the colon between a key and its value.
    ///
    /// - Returns: The index of the value after the colon and white space.
    @inline(__always)
    private mutating func readColon(
        _ input: JSONChunk, at index: Int, _ sink: inout some JSONSink & ~Copyable
    ) -> Int {
        sink.colon()
        phase = .member
        return skipWhitespace(input, from: index &+ 1)
    }

    /// Reads a value as far as its first byte tells: a whole scalar, or the bracket that opens an array or object.
    ///
    /// - Parameters:
    ///   - input: The chunk of text.
    ///   - index: The index of the value's first byte in the chunk.
    ///   - sink: Receives the scalar or the bracket.
    /// - Returns: The index of the first byte that has not been read.
    /// - Throws: An error if no value starts with this byte, or at the first wrong byte of a scalar.
    @inline(__always)
    private mutating func readValue(
        _ input: JSONChunk, at index: Int, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        let byte = input[index]
        switch byte {
        case UInt8(ascii: "\""):
            beginElement(&sink)
            return try readString(input, at: index, .string, &sink)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            beginElement(&sink)
            sink.begin(.number, at: consumed &+ index)
            let firstPhase = NumberSyntax.phase(afterFirst: byte)
            return try readNumber(input, from: index, resumingAt: index &+ 1, firstPhase, &sink)
        case UInt8(ascii: "{"):
            open(isObject: true, at: index, &sink)
            return index &+ 1
        case UInt8(ascii: "["):
            return readOpeningBrackets(input, at: index, &sink)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            return try readLiteral(input, at: index, JSONToken.literal(startingWith: byte), &sink)
        default:
            throw unexpected(input, at: index)
        }
    }

    /// Tells the sink that an item starts, if the value that starts here is an element of an array.
    ///
    /// A member's value needs no report: the item started with its key. The value of the whole document is not an item.
    @inline(__always)
    private mutating func beginElement(_ sink: inout some JSONSink & ~Copyable) {
        if phase != .member, nesting.depth > 0 { sink.beginItem(depth: nesting.depth) }
    }

    // MARK: Containers

    /// Reads one or more `[` without anything between them, as arrays in arrays start.
    ///
    /// - Returns: The index after the last of them.
    @inline(__always)
    private mutating func readOpeningBrackets(
        _ input: JSONChunk, at start: Int, _ sink: inout some JSONSink & ~Copyable
    ) -> Int {
        var index = start
        repeat {
            open(isObject: false, at: index, &sink)
            index &+= 1
        } while input.has("[", at: index)
        return index
    }

    /// Reads one or more closing brackets without anything between them, such as `]}]`.
    ///
    /// Each must be the bracket of the container that it closes: `]` in an array, `}` in an object.
    ///
    /// - Returns: The index after the last bracket that closes a container.
    /// - Throws: An error if the first byte is not the bracket that closes the innermost container.
    @inline(__always)
    private mutating func readClosingBrackets(
        _ input: JSONChunk, at start: Int, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        var bracket = closingBracket
        guard input[index] == bracket else { throw unexpected(input, at: index) }
        repeat {
            index &+= 1
            close(isEmpty: false, end: index, &sink)
            bracket = closingBracket
        } while phase == .afterValue && index < input.count && input[index] == bracket
        return index
    }

    /// The bracket that closes the innermost container.
    @inline(__always)
    private var closingBracket: UInt8 { nesting.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    /// Enters an array or object: reports it, and pushes it on the stack of open containers.
    ///
    /// - Parameters:
    ///   - isObject: Whether it is an object and not an array.
    ///   - index: The index of its opening bracket in the chunk.
    ///   - sink: Receives the report.
    @inline(__always)
    private mutating func open(isObject: Bool, at index: Int, _ sink: inout some JSONSink & ~Copyable) {
        beginElement(&sink)
        sink.open(isObject: isObject, at: consumed &+ index, depth: nesting.depth)
        nesting.push(isObject: isObject)
        phase = isObject ? .firstKey : .firstElement
    }

    /// Leaves the innermost array or object: reports its end, and pops it from the stack of open containers.
    ///
    /// - Parameters:
    ///   - isEmpty: Whether the container has no elements or members.
    ///   - end: The index after its closing bracket.
    ///   - sink: Receives the report.
    @inline(__always)
    private mutating func close(isEmpty: Bool, end: Int, _ sink: inout some JSONSink & ~Copyable) {
        let isObject = nesting.isInObject
        nesting.pop()
        sink.close(isObject: isObject, isEmpty: isEmpty, end: consumed &+ end, depth: nesting.depth)
        endValue(&sink)
    }

    // MARK: Numbers

    /// Reads a number, such as `-12.5e3`, to its end or to the end of the chunk.
    ///
    /// A number ends only where a byte follows that does not belong to it. At the end of a chunk it stays open, because
    /// the next chunk may continue with more digits. If the input ends there too, ``finish(_:)`` ends the number.
    ///
    /// - Parameters:
    ///   - input: The chunk of text.
    ///   - start: The index of the first byte of the number in this chunk.
    ///   - next: The index of the first byte that has not been looked at.
    ///   - phase: The phase that the bytes before `next` led to.
    ///   - sink: Receives the bytes of the number.
    /// - Returns: The index after the last byte of the number in this chunk.
    /// - Throws: An error if the number is incomplete, as in `-x`, or has a leading zero, as in `01`.
    @inline(__always)
    private mutating func readNumber(
        _ input: JSONChunk, from start: Int, resumingAt next: Int, _ phase: Phase,
        _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        var phase = phase
        let end = NumberSyntax.read(input, from: next, &phase)
        if end > start { sink.write(input, start..<end) }
        let isFollowedByAnything = end < input.count
        let hasLeadingZero = phase == .zero && NumberSyntax.hasDigit(input, at: end)
        if isFollowedByAnything, phase.canEndNumber, !hasLeadingZero {
            endToken(.number, at: end, isPlain: phase.isWholeNumber, &sink)
            return end
        }
        self.phase = phase
        token = .number
        if isFollowedByAnything { throw unexpected(input, at: end) }
        return end
    }

    // MARK: Literals

    /// Reads `true`, `false` or `null`, or as much of it as the chunk has.
    ///
    /// If the chunk has eight bytes, they are compared with the letters all at once, as one word.
    ///
    /// - Parameters:
    ///   - input: The chunk of text.
    ///   - start: The index of the first letter in the chunk.
    ///   - token: The literal that starts with this letter.
    ///   - sink: Receives the literal.
    /// - Returns: The index of the first byte that has not been read.
    /// - Throws: An error at the first letter that is wrong.
    @inline(__always)
    private mutating func readLiteral(
        _ input: JSONChunk, at start: Int, _ token: JSONToken, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        beginElement(&sink)
        sink.begin(token, at: consumed &+ start)
        let letters = token.letters
        if start &+ 8 <= input.count {
            let word = UInt64(littleEndian: input.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            let differences = word ^ letters.word
            // The bytes after the literal are shifted out.
            if differences << (64 &- 8 &* UInt64(letters.count)) == 0 {
                let end = start &+ letters.count
                sink.write(input, start..<end)
                endToken(token, at: end, isPlain: true, &sink)
                return end
            }
        }
        // The literal is misspelt, or close to the end of the chunk.
        self.token = token
        phase = .literal
        partCount = 0
        return try resumeLiteral(input, from: start, &sink)
    }

    /// Continues `true`, `false` or `null` letter by letter, after the ``partCount`` letters that have been read.
    ///
    /// This is for a literal that two chunks share, and for a misspelt one, whose first wrong letter is reported.
    ///
    /// - Returns: The index after the literal. If the chunk ends earlier, its end: then the phase stays `literal`.
    /// - Throws: An error at the first letter that is wrong.
    @inline(never)
    private mutating func resumeLiteral(
        _ input: JSONChunk, from start: Int, _ sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        let letters = token.letters
        while partCount < letters.count {
            guard index < input.count else { return index }
            // The word holds the first letter in its lowest byte.
            let letter = UInt8(truncatingIfNeeded: letters.word >> (8 &* UInt64(partCount)))
            guard input[index] == letter else { throw unexpected(input, at: index) }
            sink.write(letter)
            partCount &+= 1
            index &+= 1
        }
        endToken(token, at: index, isPlain: true, &sink)
        return index
    }

    // MARK: White space

    /// Skips white space, if there is any.
    ///
    /// - Returns: The index of the first byte that is not white space, or the end of the chunk.
    @inline(__always)
    private mutating func skipWhitespace(_ input: JSONChunk, from start: Int) -> Int {
        guard start < input.count, input[start] <= 0x20 else { return start }
        // A single space, as after most colons.
        if input[start] == UInt8(ascii: " "), start &+ 1 < input.count, input[start &+ 1] > 0x20 { return start &+ 1 }
        return skipWhitespaceRun(input, from: start)
    }

    /// Skips white space, and counts lines. A line feed between documents allows the next one to start.
    ///
    /// - Returns: The index of the first byte that is not white space, or the end of the chunk.
    @inline(never)
    private mutating func skipWhitespaceRun(_ input: JSONChunk, from start: Int) -> Int {
        var index = start
        while index < input.count {
            switch input[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                index &+= 1
            case UInt8(ascii: "\n"):
                index &+= 1
                line &+= 1
                lineStart = consumed &+ index
                if phase == .betweenDocuments { phase = .ready }
            default:
                return index
            }
            // Indentation is mostly a run of spaces.
            index = Self.skip(input, from: index) { $0 ^ 0x2020_2020_2020_2020 }
        }
        return index
    }

    /// Skips one byte of a byte order mark (EF BB BF), with which a text in UTF-8 may start.
    ///
    /// The phase stays `start` until the whole mark has been read, which may take several chunks. Meanwhile the offset
    /// in the input is the number of its bytes that have been read. If the first byte is another one, there is no mark,
    /// and the text starts here.
    ///
    /// - Returns: The index of the next byte to read.
    /// - Throws: An error if the input starts like a byte order mark, but does not go on like one.
    private mutating func skipByteOrderMark(_ input: JSONChunk, from index: Int) throws(JSONSyntaxError) -> Int {
        let offset = consumed &+ index
        guard input[index] == Self.byteOrderMark[offset] else {
            guard offset == 0 else { throw brokenByteOrderMark() }
            phase = .ready
            return index
        }
        if offset == Self.byteOrderMark.count - 1 {
            phase = .ready
            // The mark takes no column.
            lineStart = offset + 1
        }
        return index &+ 1
    }
}
