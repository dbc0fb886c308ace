// Between tokens: brackets, commas, colons, white space, and which token comes next. Also numbers and literals.

extension JSONScanner {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let recordSeparator: UInt8 = 0x1E

    /// Reads all of `input`, or throws at the first byte that does not fit.
    mutating func readTokens<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, _ sink: inout Sink
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
        /// A value, unless the input ends.
        case value
        /// The phase has to be looked at.
        case unknown
    }

    /// Reads the byte at `start`, which is not white space, and the keys, colons, values and commas that follow.
    ///
    /// The phase decides about the first byte only. Since most items follow each other in the same way, the loop then
    /// checks for the next expected byte and does without a look at the phase, which would be a jump that processors
    /// predict badly. The loop is left at everything else, for example at a closing bracket.
    @inline(__always)
    private mutating func readItems<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at start: Int, _ sink: inout Sink
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

    /// Reads the byte at `index` if it is punctuation, and moves `index` to the byte to read next.
    ///
    /// - Throws: An error if the byte fits neither the phase nor the start of a value.
    @inline(__always)
    private mutating func readByPhase<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, _ index: inout Int, _ sink: inout Sink
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

    /// Reads a comma at `index` and moves `index` to the item after it.
    @inline(__always)
    private mutating func readComma<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, _ index: inout Int, _ sink: inout Sink
    ) -> Upcoming {
        sink.comma()
        let isInObject = nesting.isInObject
        phase = isInObject ? .key : .element
        index = skipWhitespace(input, from: index &+ 1)
        guard isInObject else { return .value }
        return input.has("\"", at: index) ? .key : .unknown
    }

    /// Reads a colon.
    ///
    /// - Returns: The index of the value after it.
    @inline(__always)
    private mutating func readColon<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at index: Int, _ sink: inout Sink
    ) -> Int {
        sink.colon()
        phase = .member
        return skipWhitespace(input, from: index &+ 1)
    }

    /// Reads a scalar value, or the bracket that opens a container.
    @inline(__always)
    private mutating func readValue<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at index: Int, _ sink: inout Sink
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

    /// Reports that a value starts as an item, if it is an element. A member has been reported with its key, and a
    /// document is not an item.
    @inline(__always)
    private mutating func beginElement<Sink: JSONSink & ~Copyable>(_ sink: inout Sink) {
        if phase != .member, nesting.depth > 0 { sink.beginItem(depth: nesting.depth) }
    }

    // MARK: Containers

    /// Reads a `[` and those directly after it, for arrays in arrays.
    @inline(__always)
    private mutating func readOpeningBrackets<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at start: Int, _ sink: inout Sink
    ) -> Int {
        var index = start
        repeat {
            open(isObject: false, at: index, &sink)
            index &+= 1
        } while input.has("[", at: index)
        return index
    }

    /// Reads the bracket that closes the innermost container, and those directly after it that close the containers
    /// around it.
    @inline(__always)
    private mutating func readClosingBrackets<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at start: Int, _ sink: inout Sink
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

    /// Opens a container whose bracket is at `index`.
    @inline(__always)
    private mutating func open<Sink: JSONSink & ~Copyable>(isObject: Bool, at index: Int, _ sink: inout Sink) {
        beginElement(&sink)
        sink.open(isObject: isObject, at: consumed &+ index, depth: nesting.depth)
        nesting.push(isObject: isObject)
        phase = isObject ? .firstKey : .firstElement
    }

    /// Closes the innermost container, which is a value that ends.
    ///
    /// - Parameters:
    ///   - isEmpty: Whether the container has no elements or members.
    ///   - end: The index after the closing bracket.
    @inline(__always)
    private mutating func close<Sink: JSONSink & ~Copyable>(isEmpty: Bool, end: Int, _ sink: inout Sink) {
        let isObject = nesting.isInObject
        nesting.pop()
        sink.close(isObject: isObject, isEmpty: isEmpty, end: consumed &+ end, depth: nesting.depth)
        endValue(&sink)
    }

    // MARK: Numbers

    /// Reads a number to its end or the end of `input`.
    ///
    /// A number ends only where a byte follows that does not belong to it: after the end of a chunk, more digits may
    /// come. So the number stays open there, and ``finish(_:)`` ends it if the input ends too.
    ///
    /// - Parameters:
    ///   - start: The index of the first byte of the number in this chunk.
    ///   - next: The index of the first byte that has not been looked at.
    ///   - phase: The phase that the bytes before `next` led to.
    /// - Returns: The index after the last byte of the number in this chunk.
    /// - Throws: An error if the number is incomplete, as in `-x`, or has a leading zero, as in `01`.
    @inline(__always)
    private mutating func readNumber<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, from start: Int, resumingAt next: Int, _ phase: Phase, _ sink: inout Sink
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

    /// Reads the literal whose first letter is at `start`.
    @inline(__always)
    private mutating func readLiteral<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at start: Int, _ token: JSONToken, _ sink: inout Sink
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

    /// Reads on in a literal, of which ``partCount`` letters have been read, letter by letter.
    ///
    /// This is for a literal that a chunk cuts off, and for one that is misspelt: it finds the first wrong letter.
    ///
    /// - Returns: The index after the literal; the end of the chunk if that comes first. Then the phase stays
    ///   `literal`.
    @inline(never)
    private mutating func resumeLiteral<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, from start: Int, _ sink: inout Sink
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

    /// Passes over white space.
    @inline(__always)
    private mutating func skipWhitespace(_ input: JSONChunk, from start: Int) -> Int {
        guard start < input.count, input[start] <= 0x20 else { return start }
        // A single space, as after most colons.
        if input[start] == UInt8(ascii: " "), start &+ 1 < input.count, input[start &+ 1] > 0x20 { return start &+ 1 }
        return skipWhitespaceRun(input, from: start)
    }

    /// Passes over white space, and counts lines. A line feed between documents allows the next one to start.
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

    /// Passes over one of the three bytes of a byte order mark, if the input starts with one.
    ///
    /// The phase stays `start` until the mark has been read, which may take several chunks. So the offset in the input
    /// is the number of bytes of the mark that have been read. If the first byte is another one, the text starts there.
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
