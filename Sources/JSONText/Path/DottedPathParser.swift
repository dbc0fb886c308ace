/// Reads names and indexes with dots between them, such as `results[0].title`, also with the leading dot and the
/// brackets of jq.
struct DottedPathParser {
    private let cursor: PathCursor

    init(_ cursor: PathCursor) { self.cursor = cursor }

    /// Reads the whole text as a dotted path.
    ///
    /// Each name, index or `[]` becomes a segment with one selector: `results[].title` has three segments.
    ///
    /// - Returns: The path as a query from the root of a document.
    /// - Throws: ``JSONPathError`` at the first character that no dotted path may have there.
    func parseWholeQuery() throws(JSONPathError) -> PathQuery {
        var query = PathQuery(isAbsolute: true)
        // As in jq, a leading dot is optional, and a dot alone selects the whole document.
        if cursor.consume(if: "."), cursor.isAtEnd { return query }
        // Users of jq may start with an object: `{title, year}`.
        if cursor.nextCharacter == "{" {
            throw cursor.unexpectedCharacter(expected: "a name or an index\(Self.jqHint(for: "{"))")
        }
        repeat {
            let selector: PathQuery.Selector
            if cursor.nextCharacter == "[" {
                selector = try parseBracketedSelector()
            } else {
                selector = try parseNameOrIndex()
            }
            query.segments.append(PathQuery.Segment(selectors: [selector]))
        } while cursor.consume(if: ".") || cursor.nextCharacter == "["
        if !cursor.isAtEnd {
            throw cursor.unexpectedCharacter(expected: "'.', '[' or the end" + Self.jqHint(for: cursor.nextCharacter))
        }
        return query
    }

    /// Returns a hint for users of jq, whose paths look like dotted paths: what to write instead of jq's `,`, `{`, `|`
    /// and `(`.
    ///
    /// - Parameter unexpectedCharacter: The character that no dotted path may have here, or nil at the end of the text.
    /// - Returns: The hint in parentheses, to be appended to an error message. It is empty for any other character.
    private static func jqHint(for unexpectedCharacter: Unicode.Scalar?) -> String {
        switch unexpectedCharacter {
        case ",", "{": " (for several members: $['a','b']; a name with such a character is in quotes)"
        case "|", "(": " (there are no filters and functions of jq; JSONPath starts with '$')"
        default: ""
        }
    }

    /// Reads a name, such as `title` or `"odd.key"`, or an index without brackets, such as the `0` of `results.0`.
    ///
    /// - Returns: A selector for the name and, if the name is a number without quotes, also for the index of this
    ///   number: `results.0` selects the member `0` of an object, but the first element of a list.
    /// - Throws: ``JSONPathError`` if there is no name, if a name in quotes is invalid, or for a negative number: an
    ///   index from the end is written in brackets, and `-1` as a name is quoted.
    private func parseNameOrIndex() throws(JSONPathError) -> PathQuery.Selector {
        if cursor.nextCharacter == "\"" || cursor.nextCharacter == "'" {
            return .dottedName(try cursor.parseQuotedString(), number: nil)
        }
        let start = cursor.position
        cursor.skip(while: Self.isNameCharacter)
        if cursor.position == start {
            throw cursor.unexpectedCharacter(expected: "a name or an index (JSONPath starts with '$')")
        }
        let name = cursor.consumedText(since: start)
        // `Int` would also read `+1`, which is an ordinary name.
        guard let index = Int(name), !name.hasPrefix("+") else { return .dottedName(name, number: nil) }
        if name.hasPrefix("-") {
            throw cursor.error(
                at: start, expected: "a name or an index from 0 (from the end: [\(name)]; a name: \"\(name)\")",
                found: "'\(name)'")
        }
        return .dottedName(name, number: index)
    }

    /// Whether a character may be in a name without quotes. Blanks, control characters and the characters that have a
    /// meaning in a path of jq or JSONPath may not.
    private static func isNameCharacter(_ scalar: Unicode.Scalar) -> Bool {
        let isBlankOrControl = scalar <= " " || scalar == "\u{7F}"
        let isPathSyntax = ".\"'[]*?{},|()".unicodeScalars.contains(scalar)
        return !isBlankOrControl && !isPathSyntax
    }

    /// Reads the brackets that come next in a dotted path, and the index or name in them.
    ///
    ///     [3]         the element at index 3
    ///     [-1]        the last element
    ///     ["name"]    the member with this name
    ///     []          all elements or members
    ///
    /// - Throws: ``JSONPathError`` for anything else in brackets, such as the slices of JSONPath.
    private func parseBracketedSelector() throws(JSONPathError) -> PathQuery.Selector {
        cursor.position += 1
        if cursor.consume(if: "]") { return .wildcard }
        if cursor.nextCharacter == "\"" || cursor.nextCharacter == "'" {
            let name = try cursor.parseQuotedString()
            try cursor.expect("]")
            return .dottedName(name, number: nil)
        }
        guard cursor.isIntegerNext else {
            throw cursor.unexpectedCharacter(expected: "an index, a name in quotes or ']' (JSONPath starts with '$')")
        }
        let index = try cursor.parseInteger()
        if cursor.nextCharacter == ":" {
            throw cursor.unexpectedCharacter(expected: "']' (JSONPath, which has slices, starts with '$')")
        }
        try cursor.expect("]")
        return .index(index)
    }
}
