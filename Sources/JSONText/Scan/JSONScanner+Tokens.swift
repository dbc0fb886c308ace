// Between tokens: brackets, commas, colons, white space, and which token comes next. Also numbers and literals.

extension JSONScanner {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let recordSeparator: UInt8 = 0x1E

    /// Reads a chunk of text. For each phase, the loop calls the function that reads on from there.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - sink: Receives all tokens of the chunk.
    /// - Throws: An error at the first byte that no JSON text may have there.
    mutating func readTokens(
        _ chunk: JSONChunk, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) {
        var index = 0
        while index < chunk.count {
            switch phase {
            case .string, .escape, .unicodeEscape, .sequence:
                index = try resumeString(chunk, from: index, sink: &sink)
            case .minus, .zero, .integer, .point, .fraction, .exponent, .exponentSign, .exponentDigits:
                index = try readNumber(chunk, from: index, resumingAt: index, phase: phase, sink: &sink)
            case .literal:
                index = try resumeLiteral(chunk, from: index, sink: &sink)
            case .start:
                index = try readByteOrderMark(chunk, from: index)
            case .ready, .betweenDocuments, .firstElement, .element, .firstKey, .key, .colon, .member, .afterValue:
                index = skipWhitespace(chunk, from: index)
                guard index < chunk.count else { return }
                index = try readItems(chunk, at: index, sink: &sink)
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
    /// The phase decides about the first byte only. Then the loop checks just for the byte that usually comes next,
    /// because a `switch` over the phase for each item would be a jump that processors predict badly. Any other byte
    /// ends the loop, for example a closing bracket, and the caller looks at the phase again.
    ///
    /// - Parameters:
    ///   - chunk: The chunk of text.
    ///   - start: The index of the first byte, which is not white space.
    ///   - sink: Receives the tokens.
    /// - Returns: The index of the first byte that has not been read.
    /// - Throws: An error at the first byte that no JSON text may have there.
    @inline(__always)
    private mutating func readItems(
        _ chunk: JSONChunk, at start: Int, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        var upcoming = try readByPhase(chunk, at: &index, sink: &sink)
        while upcoming != .unknown {
            if upcoming == .key {
                sink.beginItem(depth: nesting.depth)
                index = skipWhitespace(chunk, from: try readString(chunk, at: index, token: .key, sink: &sink))
                guard phase == .colon, chunk.has(":", at: index) else { return index }
                index = readColon(chunk, at: index, sink: &sink)
            }
            guard index < chunk.count else { return index }
            index = skipWhitespace(chunk, from: try readValue(chunk, at: index, sink: &sink))
            guard phase == .afterValue, chunk.has(",", at: index) else { return index }
            upcoming = readComma(chunk, at: &index, sink: &sink)
        }
        return index
    }

    /// Reads the byte at `index` if it is a comma, a colon, a closing bracket or a record separator.
    ///
    /// The phase tells which of them may come here. Any other byte is left for the caller: it is the quote of a key or
    /// the start of a value.
    ///
    /// - Parameters:
    ///   - chunk: The chunk of text.
    ///   - index: The index of the byte. It is moved to the byte to read next.
    ///   - sink: Receives what was read.
    /// - Returns: The kind of item that starts at `index`. It is `unknown` if the caller has to look at the phase
    ///   again, for example after a closing bracket.
    /// - Throws: An error if the phase does not allow the byte.
    @inline(__always)
    private mutating func readByPhase(
        _ chunk: JSONChunk, at index: inout Int, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Upcoming {
        let byte = chunk[index]
        switch phase {
        case .ready, .betweenDocuments:
            let isSeparator = byte == Self.recordSeparator
            // After a document, only a line feed or a record separator allows another one.
            guard isSeparator || phase == .ready else { throw unexpectedByteError(chunk, at: index) }
            sink.beginDocument(at: consumedBytes &+ index, isSeparator: isSeparator)
            guard isSeparator else { return .value }
            phase = .ready
            index &+= 1
            return .unknown
        case .firstKey, .key:
            if byte == UInt8(ascii: "\"") { return .key }
            guard byte == UInt8(ascii: "}"), phase == .firstKey else { throw unexpectedByteError(chunk, at: index) }
            index &+= 1
            closeContainer(isEmpty: true, end: index, sink: &sink)
            return .unknown
        case .colon:
            guard byte == UInt8(ascii: ":") else { throw unexpectedByteError(chunk, at: index) }
            index = readColon(chunk, at: index, sink: &sink)
            return .value
        case .firstElement where byte == UInt8(ascii: "]"):
            index &+= 1
            closeContainer(isEmpty: true, end: index, sink: &sink)
            return .unknown
        case .afterValue:
            if byte == UInt8(ascii: ",") { return readComma(chunk, at: &index, sink: &sink) }
            index = try readClosingBrackets(chunk, at: index, sink: &sink)
            return .unknown
        default:
            // `firstElement`, `element` and `member`: the other phases are not between tokens.
            return .value
        }
    }

    /// Reads the comma at `index`, reports it, and moves `index` to the next byte that is not white space.
    ///
    /// - Returns: The kind of item after the comma: a key in an object, a value in an array. It is unknown if an object
    ///   goes on with anything but a quote, which is an error unless the chunk ends there.
    @inline(__always)
    private mutating func readComma(
        _ chunk: JSONChunk, at index: inout Int, sink: inout some JSONSink & ~Copyable
    ) -> Upcoming {
        sink.comma()
        let isInObject = nesting.isInObject
        phase = isInObject ? .key : .element
        index = skipWhitespace(chunk, from: index &+ 1)
        guard isInObject else { return .value }
        return chunk.has("\"", at: index) ? .key : .unknown
    }

    /// Reads the colon between a key and its value, reports it, and skips white space.
    ///
    /// - Returns: The index of the value after the colon and white space.
    @inline(__always)
    private mutating func readColon(
        _ chunk: JSONChunk, at index: Int, sink: inout some JSONSink & ~Copyable
    ) -> Int {
        sink.colon()
        phase = .member
        return skipWhitespace(chunk, from: index &+ 1)
    }

    /// Reads a value as far as its first byte tells: a whole scalar, or the bracket that opens an array or object.
    ///
    /// - Parameters:
    ///   - chunk: The chunk of text.
    ///   - index: The index of the value's first byte in the chunk.
    ///   - sink: Receives the scalar or the bracket.
    /// - Returns: The index of the first byte that has not been read.
    /// - Throws: An error if no value starts with this byte, or at the first wrong byte of a scalar.
    @inline(__always)
    private mutating func readValue(
        _ chunk: JSONChunk, at index: Int, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        let byte = chunk[index]
        switch byte {
        case UInt8(ascii: "\""):
            beginElement(sink: &sink)
            return try readString(chunk, at: index, token: .string, sink: &sink)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            beginElement(sink: &sink)
            sink.begin(.number, at: consumedBytes &+ index)
            let firstPhase = NumberSyntax.phase(afterFirst: byte)
            return try readNumber(chunk, from: index, resumingAt: index &+ 1, phase: firstPhase, sink: &sink)
        case UInt8(ascii: "{"):
            openContainer(isObject: true, at: index, sink: &sink)
            return index &+ 1
        case UInt8(ascii: "["):
            return readOpeningBrackets(chunk, at: index, sink: &sink)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            return try readLiteral(chunk, at: index, token: JSONToken.literal(startingWith: byte), sink: &sink)
        default:
            throw unexpectedByteError(chunk, at: index)
        }
    }

    /// Tells the sink that an item starts, if the value that starts here is an element of an array.
    ///
    /// A member's value needs no report: the item started with its key. The value of the whole document is not an item.
    @inline(__always)
    private mutating func beginElement(sink: inout some JSONSink & ~Copyable) {
        if phase != .member, nesting.depth > 0 { sink.beginItem(depth: nesting.depth) }
    }

    // MARK: Containers

    /// Reads one or more `[` without anything between them, such as the `[[` of nested arrays. Each opens an array.
    ///
    /// - Returns: The index after the last of them.
    @inline(__always)
    private mutating func readOpeningBrackets(
        _ chunk: JSONChunk, at start: Int, sink: inout some JSONSink & ~Copyable
    ) -> Int {
        var index = start
        repeat {
            openContainer(isObject: false, at: index, sink: &sink)
            index &+= 1
        } while chunk.has("[", at: index)
        return index
    }

    /// Reads one or more closing brackets without anything between them, such as `]}]`.
    ///
    /// Each must be the bracket of the container that it closes: `]` in an array, `}` in an object. The bracket that
    /// ends the document is the last one that is read.
    ///
    /// - Returns: The index after the last bracket that closes a container.
    /// - Throws: An error if the first byte is not the bracket that closes the innermost container.
    @inline(__always)
    private mutating func readClosingBrackets(
        _ chunk: JSONChunk, at start: Int, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        var bracket = closingBracket
        guard chunk[index] == bracket else { throw unexpectedByteError(chunk, at: index) }
        repeat {
            index &+= 1
            closeContainer(isEmpty: false, end: index, sink: &sink)
            bracket = closingBracket
        } while phase == .afterValue && index < chunk.count && chunk[index] == bracket
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
    private mutating func openContainer(isObject: Bool, at index: Int, sink: inout some JSONSink & ~Copyable) {
        beginElement(sink: &sink)
        sink.open(isObject: isObject, at: consumedBytes &+ index, depth: nesting.depth)
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
    private mutating func closeContainer(isEmpty: Bool, end: Int, sink: inout some JSONSink & ~Copyable) {
        let isObject = nesting.isInObject
        nesting.pop()
        sink.close(isObject: isObject, isEmpty: isEmpty, end: consumedBytes &+ end, depth: nesting.depth)
        endValue(sink: &sink)
    }

    // MARK: Numbers

    /// Reads a number, such as `-12.5e3`, to its end or to the end of the chunk.
    ///
    /// A number ends only where a byte follows that does not belong to it. At the end of a chunk it stays open, because
    /// the next chunk may continue with more digits. If the input ends there too, ``finish(sink:)`` ends the number.
    ///
    /// - Parameters:
    ///   - chunk: The chunk of text.
    ///   - start: The index of the first byte of the number in this chunk.
    ///   - next: The index of the first byte that has not been looked at.
    ///   - phase: The phase that the bytes before `next` led to.
    ///   - sink: Receives the bytes of the number.
    /// - Returns: The index after the last byte of the number in this chunk.
    /// - Throws: An error if the number is incomplete, as in `-x`, or has a leading zero, as in `01`.
    @inline(__always)
    private mutating func readNumber(
        _ chunk: JSONChunk, from start: Int, resumingAt next: Int, phase: Phase,
        sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        var phase = phase
        let end = NumberSyntax.read(chunk, from: next, phase: &phase)
        if end > start { sink.write(chunk, range: start..<end) }
        let isFollowedByByte = end < chunk.count
        let hasLeadingZero = phase == .zero && NumberSyntax.hasDigit(chunk, at: end)
        if isFollowedByByte, phase.canEndNumber, !hasLeadingZero {
            endToken(.number, at: end, isPlain: phase.isWholeNumber, sink: &sink)
            return end
        }
        self.phase = phase
        token = .number
        if isFollowedByByte { throw unexpectedByteError(chunk, at: end) }
        return end
    }

    // MARK: Literals

    /// Reads `true`, `false` or `null`, or as much of it as the chunk has.
    ///
    /// If the chunk has eight bytes, they are compared with the letters all at once, as one word.
    ///
    /// - Parameters:
    ///   - chunk: The chunk of text.
    ///   - start: The index of the first letter in the chunk.
    ///   - token: The literal that starts with this letter.
    ///   - sink: Receives the literal.
    /// - Returns: The index of the first byte that has not been read.
    /// - Throws: An error at the first letter that is wrong.
    @inline(__always)
    private mutating func readLiteral(
        _ chunk: JSONChunk, at start: Int, token: JSONToken, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        beginElement(sink: &sink)
        sink.begin(token, at: consumedBytes &+ start)
        let letters = token.letters
        if start &+ 8 <= chunk.count {
            let word = UInt64(littleEndian: chunk.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            let differences = word ^ letters.word
            // The bytes after the literal are shifted out.
            let hasAllLetters = differences << (64 &- 8 &* UInt64(letters.count)) == 0
            if hasAllLetters {
                let end = start &+ letters.count
                sink.write(chunk, range: start..<end)
                endToken(token, at: end, isPlain: true, sink: &sink)
                return end
            }
        }
        // The literal is misspelt, or close to the end of the chunk.
        self.token = token
        phase = .literal
        pendingCount = 0
        return try resumeLiteral(chunk, from: start, sink: &sink)
    }

    /// Continues `true`, `false` or `null` letter by letter, after the ``pendingCount`` letters that have been read.
    ///
    /// The literal is near the end of its chunk, goes on in the next chunk, or is misspelt: then the error is at the
    /// first wrong letter.
    ///
    /// - Returns: The index after the literal. If the chunk ends earlier, its end: then the phase stays `literal`.
    /// - Throws: An error at the first letter that is wrong.
    @inline(never)
    private mutating func resumeLiteral(
        _ chunk: JSONChunk, from start: Int, sink: inout some JSONSink & ~Copyable
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        let letters = token.letters
        while pendingCount < letters.count {
            guard index < chunk.count else { return index }
            // The word holds the first letter in its lowest byte.
            let letter = UInt8(truncatingIfNeeded: letters.word >> (8 &* UInt64(pendingCount)))
            guard chunk[index] == letter else { throw unexpectedByteError(chunk, at: index) }
            sink.write(letter)
            pendingCount &+= 1
            index &+= 1
        }
        endToken(token, at: index, isPlain: true, sink: &sink)
        return index
    }

    // MARK: White space

    /// Skips white space, if there is any.
    ///
    /// - Returns: The index of the first byte that is not white space, or the end of the chunk.
    @inline(__always)
    private mutating func skipWhitespace(_ chunk: JSONChunk, from start: Int) -> Int {
        guard start < chunk.count, chunk[start] <= 0x20 else { return start }
        // A single space, as after most colons, is skipped here. A longer run has a function of its own, so that this
        // one stays small enough to be inlined.
        if chunk[start] == UInt8(ascii: " "), start &+ 1 < chunk.count, chunk[start &+ 1] > 0x20 { return start &+ 1 }
        return skipWhitespaceRun(chunk, from: start)
    }

    /// Skips white space, and counts lines in ``line`` and ``lineStart``. After a document, a line feed sets the phase
    /// in which the next one may start.
    ///
    /// - Returns: The index of the first byte that is not white space, or the end of the chunk.
    @inline(never)
    private mutating func skipWhitespaceRun(_ chunk: JSONChunk, from start: Int) -> Int {
        var index = start
        while index < chunk.count {
            switch chunk[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                index &+= 1
            case UInt8(ascii: "\n"):
                index &+= 1
                line &+= 1
                lineStart = consumedBytes &+ index
                if phase == .betweenDocuments { phase = .ready }
            default:
                return index
            }
            // Indentation is mostly a run of spaces.
            index = Self.skip(chunk, from: index) { $0 ^ 0x2020_2020_2020_2020 }
        }
        return index
    }

    /// Reads one byte of a byte order mark (EF BB BF), with which a text in UTF-8 may start. Nothing is reported.
    ///
    /// The phase stays `start` until the whole mark has been read, which may take several chunks. If the first byte of
    /// the input is another one, there is no mark, and the text starts with it.
    ///
    /// - Returns: The index of the next byte to read.
    /// - Throws: An error if the input starts like a byte order mark, but does not go on like one.
    private mutating func readByteOrderMark(_ chunk: JSONChunk, from index: Int) throws(JSONSyntaxError) -> Int {
        // The mark can only come first, so the number of bytes before this one is also its position in the mark.
        let offset = consumedBytes &+ index
        let continuesMark = chunk[index] == Self.byteOrderMark[offset]
        guard continuesMark else {
            let hasMarkStarted = offset > 0
            if hasMarkStarted { throw brokenByteOrderMarkError() }
            phase = .ready
            return index
        }
        let isMarkComplete = offset == Self.byteOrderMark.count - 1
        if isMarkComplete {
            phase = .ready
            // The mark takes no column.
            lineStart = offset + 1
        }
        return index &+ 1
    }
}
