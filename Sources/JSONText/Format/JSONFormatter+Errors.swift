// Errors: where the text is wrong and what was expected there.

extension JSONFormatter {
    /// The error for the byte at `index`, which does not fit the phase.
    @inline(never)
    func unexpected(_ input: UnsafeRawBufferPointer, at index: Int) -> JSONSyntaxError {
        error(at: consumed &+ index, found: JSONSyntaxError.name(of: input[index]))
    }

    /// The error for input that ends too early, at its end.
    func unexpectedEnd() -> JSONSyntaxError {
        if phase == .start, consumed > 0 { return brokenByteOrderMark() }
        guard phase == .sequence else { return error(at: consumed, found: JSONSyntaxError.endOfInput) }
        guard UTF8Sequence.isPlausiblePrefix(held, count: heldCount) else {
            return brokenSequence(at: consumed &- heldCount, lead: UInt8(truncatingIfNeeded: held))
        }
        return error(at: consumed, uncounted: heldCount &- 1, found: JSONSyntaxError.endOfInput)
    }

    /// The error for a multi-byte sequence that is not UTF-8; it points to the first byte of the sequence.
    @inline(never)
    func brokenSequence(at offset: Int, lead: UInt8) -> JSONSyntaxError {
        error(at: offset, expecting: "valid UTF-8", found: JSONSyntaxError.name(of: lead))
    }

    /// The error for bytes that start like a byte order mark but are not one.
    func brokenByteOrderMark() -> JSONSyntaxError {
        error(at: 0, found: JSONSyntaxError.name(of: 0xEF))
    }

    /// - Parameter uncounted: Continuation bytes on the line that ``continuations`` does not have yet.
    private func error(
        at offset: Int, uncounted: Int = 0, expecting expected: String? = nil, found: String
    ) -> JSONSyntaxError {
        let before = continuations &- continuationsBeforeLine &+ uncounted
        return JSONSyntaxError(
            offset: offset, line: line, column: offset &- lineStart &- before &+ 1, expected: expected ?? self.expected,
            found: found)
    }

    private var expected: String {
        switch phase {
        case .start, .ready, .element, .member: "a value"
        case .betweenDocuments: "a line break or the end of input"
        case .firstElement: "a value or ']'"
        case .firstKey: "a key in quotes or '}'"
        case .key: "a key in quotes"
        case .colon: "':'"
        case .afterValue: nesting.isInObject ? "',' or '}'" : "',' or ']'"
        case .literal: "'\(literal.name)'"
        case .string: "a character, an escape or the closing '\"'"
        case .escape: "one of '\"', '\\', '/', 'b', 'f', 'n', 'r', 't', 'u'"
        case .unicodeEscape: "a hexadecimal digit"
        case .sequence: "the rest of a UTF-8 character"
        case .minus, .point, .exponentSign: "a digit"
        case .exponent: "a digit, '+' or '-'"
        case .zero: "no digit after a leading zero"
        case .integer, .fraction, .exponentDigits: "a digit or the end of the number"
        }
    }
}
