/// Reads JSONPath queries: `$` and segments (RFC 9535, sections 2.1 to 2.5, without filters, which ``FilterParser``
/// reads).
struct PathParser {
    private let text: PathText

    init(_ text: PathText) { self.text = text }

    /// Reads the whole text as a query, such as `$.results[0].title`.
    ///
    /// - Throws: ``JSONPathError`` at the first character that no query may have there.
    func wholeQuery() throws(JSONPathError) -> PathQuery {
        let query = try query()
        if !text.isAtEnd { throw text.unexpected("'.', '[' or the end") }
        return query
    }

    /// Reads a query up to the first character that does not belong to it: a `$` or `@`, which comes next, and the
    /// segments after it.
    ///
    /// In a filter such as `@.year > 2000`, the query ends before the space.
    func query() throws(JSONPathError) -> PathQuery {
        var query = PathQuery(isAbsolute: text.next == "$")
        text.index += 1
        while true {
            let end = text.index
            text.skipSpace()
            let isSegment = text.next == "." || text.next == "["
            guard isSegment else {
                // The space after the last segment is not part of the query.
                text.index = end
                return query
            }
            query.segments.append(try segment())
        }
    }

    /// Reads one segment of a query: `.name`, `.*`, `..name`, `..*`, `[…]` or `..[…]`.
    ///
    /// - Throws: ``JSONPathError`` if a dot is not followed by a name or `*`.
    private func segment() throws(JSONPathError) -> PathQuery.Segment {
        guard text.take(".") else { return PathQuery.Segment(selectors: try bracketedSelection()) }
        let isDescendant = text.take(".")
        if isDescendant, text.next == "[" {
            return PathQuery.Segment(isDescendant: true, selectors: try bracketedSelection())
        }
        if text.take("*") { return PathQuery.Segment(isDescendant: isDescendant, hasDot: true, selectors: [.wildcard]) }
        let name = try shorthandName(expected: isDescendant ? "a name, '*' or '['" : "a name or '*'")
        return PathQuery.Segment(isDescendant: isDescendant, hasDot: true, selectors: [.name(name)])
    }

    /// Reads a name without quotes, which does not start with a digit.
    ///
    /// - Parameter expected: What may come here, for the error if there is no such name.
    private func shorthandName(expected: String) throws(JSONPathError) -> String {
        let start = text.index
        if let first = text.next, !PathText.isDigit(first) { text.skip(while: Self.isName) }
        if text.index == start { throw text.unexpected(expected) }
        return text.string(from: start)
    }

    /// Whether a character may be in a name without quotes.
    static func isName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: scalar.value >= 0x80
        }
    }

    /// Reads selectors in brackets with commas between them, such as `['a', 0, 2:5]`. The `[` comes next.
    private func bracketedSelection() throws(JSONPathError) -> [PathQuery.Selector] {
        text.index += 1
        var selectors: [PathQuery.Selector] = []
        repeat {
            text.skipSpace()
            selectors.append(try selector())
            text.skipSpace()
        } while text.take(",")
        try text.expect("]", or: "','")
        return selectors
    }

    /// Reads one selector in brackets: a name (`'a'`), `*`, an index (`-1`), a slice (`1:5:2`) or a filter
    /// (`?@.year > 2000`).
    ///
    /// - Throws: ``JSONPathError`` if anything else comes, or if the filter has a mistake.
    private func selector() throws(JSONPathError) -> PathQuery.Selector {
        switch text.next {
        case "'", "\"":
            return .name(try text.quoted())
        case "*":
            text.index += 1
            return .wildcard
        case "?":
            text.index += 1
            text.skipSpace()
            return .filter(try FilterParser(text).expression())
        case ":":
            return try slice(start: nil)
        case _ where text.startsInteger:
            let number = try text.integer()
            let end = text.index
            text.skipSpace()
            if text.next == ":" { return try slice(start: number) }
            text.index = end
            return .index(number)
        default:
            throw text.unexpected("a name in quotes, an index, a slice, '*' or '?'")
        }
    }

    /// Reads the rest of a slice, such as the `:5:2` of `1:5:2`, from its first colon on.
    ///
    /// - Parameter start: The number before the colon, which has been read, or nil if there is none.
    private func slice(start: Int?) throws(JSONPathError) -> PathQuery.Selector {
        text.index += 1
        text.skipSpace()
        let end = text.startsInteger ? try text.integer() : nil
        text.skipSpace()
        var step = 1
        if text.take(":") {
            text.skipSpace()
            if text.startsInteger { step = try text.integer() }
        }
        return .slice(start: start, end: end, step: step)
    }
}
