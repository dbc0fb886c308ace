/// Reads JSONPath queries: `$` and segments (RFC 9535, sections 2.1 to 2.5, without filters, which ``FilterParser``
/// reads).
struct PathParser {
    private let cursor: PathCursor

    init(_ cursor: PathCursor) { self.cursor = cursor }

    /// Reads the whole text as a query, such as `$.results[0].title`.
    ///
    /// - Throws: ``JSONPathError`` at the first character that no query may have there.
    func parseWholeQuery() throws(JSONPathError) -> PathQuery {
        let query = try parseQuery()
        if !cursor.isAtEnd { throw cursor.unexpectedCharacter(expected: "'.', '[' or the end") }
        return query
    }

    /// Reads a query up to the first character that does not belong to it: a `$` or `@`, which comes next, and the
    /// segments after it.
    ///
    /// In a filter such as `@.year > 2000`, the query ends before the space.
    ///
    /// - Throws: ``JSONPathError`` if a segment is invalid.
    func parseQuery() throws(JSONPathError) -> PathQuery {
        var query = PathQuery(isAbsolute: cursor.nextCharacter == "$")
        cursor.position += 1
        while true {
            let endOfSegment = cursor.position
            cursor.skipSpace()
            let isSegmentNext = cursor.nextCharacter == "." || cursor.nextCharacter == "["
            guard isSegmentNext else {
                // The space after the last segment is not part of the query.
                cursor.position = endOfSegment
                return query
            }
            query.segments.append(try parseSegment())
        }
    }

    /// Reads one segment of a query: `.name`, `.*`, `..name`, `..*`, `[…]` or `..[…]`.
    ///
    /// A segment with two dots is a descendant segment, which searches a value and everything inside it.
    ///
    /// - Throws: ``JSONPathError`` if a dot is not followed by a name or `*`.
    private func parseSegment() throws(JSONPathError) -> PathQuery.Segment {
        guard cursor.consume(if: ".") else { return PathQuery.Segment(selectors: try parseBracketedSelectors()) }
        let isDescendant = cursor.consume(if: ".")
        if isDescendant, cursor.nextCharacter == "[" {
            return PathQuery.Segment(isDescendant: true, selectors: try parseBracketedSelectors())
        }
        if cursor.consume(if: "*") {
            return PathQuery.Segment(isDescendant: isDescendant, hasDot: true, selectors: [.wildcard])
        }
        let name = try parseShorthandName(expected: isDescendant ? "a name, '*' or '['" : "a name or '*'")
        return PathQuery.Segment(isDescendant: isDescendant, hasDot: true, selectors: [.name(name)])
    }

    /// Reads a name without quotes, such as the `title` of `$.title`. It must not start with a digit.
    ///
    /// - Parameter expected: The syntax that may come here, for the error message: `a name or '*'`.
    /// - Throws: ``JSONPathError`` if no name comes next.
    private func parseShorthandName(expected: String) throws(JSONPathError) -> String {
        let start = cursor.position
        let startsWithDigit = cursor.nextCharacter.map(PathCursor.isDigit) ?? false
        if !startsWithDigit { cursor.skip(while: Self.isNameCharacter) }
        if cursor.position == start { throw cursor.unexpectedCharacter(expected: expected) }
        return cursor.consumedText(since: start)
    }

    /// Whether a character may be in a name without quotes.
    static func isNameCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: scalar.value >= 0x80
        }
    }

    /// Reads selectors in brackets with commas between them, such as `['a', 0, 2:5]`. The `[` comes next.
    ///
    /// - Throws: ``JSONPathError`` if a selector is invalid, or if neither a comma nor a `]` follows it.
    private func parseBracketedSelectors() throws(JSONPathError) -> [PathQuery.Selector] {
        cursor.position += 1
        var selectors: [PathQuery.Selector] = []
        repeat {
            cursor.skipSpace()
            selectors.append(try parseSelector())
            cursor.skipSpace()
        } while cursor.consume(if: ",")
        try cursor.expect("]", or: "','")
        return selectors
    }

    /// Reads one selector in brackets: a name (`'a'`), `*`, an index (`-1`), a slice (`1:5:2`) or a filter
    /// (`?@.year > 2000`).
    ///
    /// - Throws: ``JSONPathError`` if anything else comes, or if the filter has a mistake.
    private func parseSelector() throws(JSONPathError) -> PathQuery.Selector {
        switch cursor.nextCharacter {
        case "'", "\"":
            return .name(try cursor.parseQuotedString())
        case "*":
            cursor.position += 1
            return .wildcard
        case "?":
            cursor.position += 1
            cursor.skipSpace()
            return .filter(try FilterParser(cursor).parseExpression())
        case ":":
            return try parseSlice(start: nil)
        case _ where cursor.isIntegerNext:
            let number = try cursor.parseInteger()
            let endOfNumber = cursor.position
            cursor.skipSpace()
            if cursor.nextCharacter == ":" { return try parseSlice(start: number) }
            // Space after an index is not part of it.
            cursor.position = endOfNumber
            return .index(number)
        default:
            throw cursor.unexpectedCharacter(expected: "a name in quotes, an index, a slice, '*' or '?'")
        }
    }

    /// Reads the rest of a slice (`start:end:step`), such as the `:5:2` of `1:5:2`. Its first colon comes next.
    ///
    /// All three numbers may be left out. Without a step, the slice has every element between its bounds.
    ///
    /// - Parameter start: The number before the colon, which has been read, or nil if there is none.
    /// - Throws: ``JSONPathError`` if a number has leading zeros or is too large.
    private func parseSlice(start: Int?) throws(JSONPathError) -> PathQuery.Selector {
        cursor.position += 1
        cursor.skipSpace()
        var end: Int?
        if cursor.isIntegerNext { end = try cursor.parseInteger() }
        cursor.skipSpace()
        var step = 1
        if cursor.consume(if: ":") {
            cursor.skipSpace()
            if cursor.isIntegerNext { step = try cursor.parseInteger() }
        }
        return .slice(start: start, end: end, step: step)
    }
}
