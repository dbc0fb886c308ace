// Between tokens: brackets, commas, colons, white space, and which token comes next.

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
                index = try readOnInString(input, from: index, &sink)
            case .minus, .zero, .integer, .point, .fraction, .exponent, .exponentSign, .exponentDigits:
                index = try readNumber(input, from: index, readTo: index, phase, &sink)
            case .literal:
                index = try readOnInLiteral(input, from: index, &sink)
            case .start:
                index = try skipByteOrderMark(input, from: index)
            case .ready, .betweenDocuments, .firstElement, .element, .firstKey, .key, .colon, .member, .afterValue:
                index = skipWhitespace(input, from: index)
                guard index < input.count else { return }
                index = try readPunctuation(input, at: index, &sink)
            }
        }
    }

    /// Reads the byte at `start`, and the commas, keys, colons and scalar values that mostly follow.
    @inline(__always)
    private mutating func readPunctuation<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at start: Int, _ sink: inout Sink
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        let byte = input[index]
        var isAtKey = false
        switch phase {
        case .afterValue:
            guard byte == UInt8(ascii: ",") else { return try readClosingBrackets(input, at: index, &sink) }
            isAtKey = readComma(&sink)
            index = skipWhitespace(input, from: index &+ 1)
            if isAtKey, index == input.count || input[index] != UInt8(ascii: "\"") { return index }
        case .firstKey, .key:
            isAtKey = byte == UInt8(ascii: "\"")
            if isAtKey { break }
            guard byte == UInt8(ascii: "}"), phase == .firstKey else { throw unexpected(input, at: index) }
            close(isEmpty: true, end: index &+ 1, &sink)
            return index &+ 1
        case .colon:
            guard byte == UInt8(ascii: ":") else { throw unexpected(input, at: index) }
            sink.colon()
            phase = .member
            index = skipWhitespace(input, from: index &+ 1)
        case .ready, .betweenDocuments:
            let isSeparator = byte == Self.recordSeparator
            guard isSeparator || phase == .ready else { throw unexpected(input, at: index) }
            sink.beginDocument(at: consumed &+ index, isSeparator: isSeparator)
            if isSeparator {
                phase = .ready
                return index &+ 1
            }
        case .firstElement where byte == UInt8(ascii: "]"):
            close(isEmpty: true, end: index &+ 1, &sink)
            return index &+ 1
        default:
            break
        }
        while true {
            if isAtKey {
                sink.beginItem(depth: nesting.depth)
                index = skipWhitespace(input, from: try readString(input, at: index, .key, &sink))
                guard phase == .colon, index < input.count, input[index] == UInt8(ascii: ":") else { return index }
                sink.colon()
                phase = .member
                index = skipWhitespace(input, from: index &+ 1)
            }
            guard index < input.count else { return index }
            index = skipWhitespace(input, from: try readValue(input, at: index, &sink))
            guard phase == .afterValue, index < input.count, input[index] == UInt8(ascii: ",") else { return index }
            isAtKey = readComma(&sink)
            index = skipWhitespace(input, from: index &+ 1)
            if isAtKey, index == input.count || input[index] != UInt8(ascii: "\"") { return index }
        }
    }

    /// Passes over a comma and says whether a key must follow it.
    @inline(__always)
    private mutating func readComma<Sink: JSONSink & ~Copyable>(_ sink: inout Sink) -> Bool {
        sink.comma()
        let isInObject = nesting.isInObject
        phase = isInObject ? .key : .element
        return isInObject
    }

    /// Reads the bracket that closes the innermost container, and those directly after it.
    @inline(__always)
    private mutating func readClosingBrackets<Sink: JSONSink & ~Copyable>(
        _ input: JSONChunk, at start: Int, _ sink: inout Sink
    ) throws(JSONSyntaxError) -> Int {
        var index = start
        var bracket = nesting.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        guard input[index] == bracket else { throw unexpected(input, at: index) }
        repeat {
            index &+= 1
            close(isEmpty: false, end: index, &sink)
            bracket = nesting.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        } while phase == .afterValue && index < input.count && input[index] == bracket
        return index
    }

    @inline(__always)
    private mutating func open<Sink: JSONSink & ~Copyable>(isObject: Bool, at index: Int, _ sink: inout Sink) {
        beginElement(&sink)
        sink.open(isObject: isObject, at: consumed &+ index, depth: nesting.depth)
        nesting.push(isObject: isObject)
        phase = isObject ? .firstKey : .firstElement
    }

    @inline(__always)
    private mutating func close<Sink: JSONSink & ~Copyable>(isEmpty: Bool, end: Int, _ sink: inout Sink) {
        let isObject = nesting.isInObject
        nesting.pop()
        sink.close(isObject: isObject, isEmpty: isEmpty, end: consumed &+ end, depth: nesting.depth)
        endValue(&sink)
    }

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
            let first = byte == UInt8(ascii: "-") ? Phase.minus : byte == UInt8(ascii: "0") ? .zero : .integer
            return try readNumber(input, from: index, readTo: index &+ 1, first, &sink)
        case UInt8(ascii: "{"):
            open(isObject: true, at: index, &sink)
            return index &+ 1
        case UInt8(ascii: "["):
            var index = index
            repeat {
                open(isObject: false, at: index, &sink)
                index &+= 1
            } while index < input.count && input[index] == byte
            return index
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let token = byte == UInt8(ascii: "n") ? JSONToken.null : byte == UInt8(ascii: "t") ? .true : .false
            return try readLiteral(input, at: index, token, &sink)
        default: throw unexpected(input, at: index)
        }
    }

    /// Notes that a value starts, if it is an element: members follow their key, documents start by themselves.
    @inline(__always)
    mutating func beginElement<Sink: JSONSink & ~Copyable>(_ sink: inout Sink) {
        if phase != .member, nesting.depth > 0 { sink.beginItem(depth: nesting.depth) }
    }

    // MARK: White space

    /// The index of the first byte that is not white space.
    @inline(__always)
    private mutating func skipWhitespace(_ input: JSONChunk, from start: Int) -> Int {
        guard start < input.count, input[start] <= 0x20 else { return start }
        // One space, as after most colons.
        if input[start] == UInt8(ascii: " "), start &+ 1 < input.count, input[start &+ 1] > 0x20 { return start &+ 1 }
        return skipRun(input, from: start)
    }

    /// Passes over white space. A line feed between documents allows the next one to start.
    @inline(never)
    private mutating func skipRun(_ input: JSONChunk, from start: Int) -> Int {
        var index = start
        while index < input.count {
            let byte = input[index]
            let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
            guard isBlank || byte == UInt8(ascii: "\n") else { return index }
            index &+= 1
            if byte == UInt8(ascii: "\n") {
                line &+= 1
                lineStart = consumed &+ index
                if phase == .betweenDocuments { phase = .ready }
            }
            index = Self.skip(input, from: index) { $0 ^ 0x2020_2020_2020_2020 }
        }
        return index
    }

    private mutating func skipByteOrderMark(_ input: JSONChunk, from index: Int) throws(JSONSyntaxError) -> Int {
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
