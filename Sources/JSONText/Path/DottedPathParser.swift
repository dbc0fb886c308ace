/// Reads names and indexes with dots between them, such as `results[0].title`, also with the leading dot and the
/// brackets of jq.
struct DottedPathParser {
    private let text: PathText

    init(_ text: PathText) { self.text = text }

    /// Reads the whole text as a dotted path.
    ///
    /// Each name, index or `[]` becomes a segment with one selector: `results[].title` has three segments.
    ///
    /// - Returns: The path as a query from the root of a document.
    /// - Throws: ``JSONPathError`` at the first character that no dotted path may have there.
    func wholeQuery() throws(JSONPathError) -> PathQuery {
        var query = PathQuery(isAbsolute: true)
        // As in jq, a dot alone is the whole document.
        if text.take("."), text.isAtEnd { return query }
        if text.next == "{" { throw text.unexpected("a name or an index\(Self.hint(after: "{"))") }
        repeat {
            let selector: PathQuery.Selector
            if text.next == "[" {
                selector = try bracketedSelector()
            } else {
                selector = try nameOrIndex()
            }
            query.segments.append(PathQuery.Segment(selectors: [selector]))
        } while text.take(".") || text.next == "["
        if !text.isAtEnd { throw text.unexpected("'.', '[' or the end" + Self.hint(after: text.next)) }
        return query
    }

    /// Returns a hint for users of jq, whose paths look alike: what to write instead of jq's `,`, `{`, `|` and `(`.
    ///
    /// - Parameter scalar: The character that no path may have there.
    /// - Returns: The hint in parentheses, or an empty text for any other character.
    private static func hint(after scalar: Unicode.Scalar?) -> String {
        switch scalar {
        case ",", "{": " (for several members: $['a','b']; a name with such a character is in quotes)"
        case "|", "(": " (there are no filters and functions of jq; JSONPath starts with '$')"
        default: ""
        }
    }

    /// Reads a name, such as `title` or `"odd.key"`, or an index without brackets, such as the `0` of `results.0`.
    ///
    /// - Returns: `.walk` with the name. If the name is a number without quotes, its index is set too, because
    ///   `results.0` selects the member `0` of an object, but the first element of a list.
    /// - Throws: ``JSONPathError`` if there is no name, or for a negative number: an index from the end is written in
    ///   brackets, and `-1` as a name is quoted.
    private func nameOrIndex() throws(JSONPathError) -> PathQuery.Selector {
        if text.next == "\"" || text.next == "'" { return .walk(try text.quoted(), index: nil) }
        let start = text.index
        text.skip(while: Self.isNameCharacter)
        if text.index == start { throw text.unexpected("a name or an index (JSONPath starts with '$')") }
        let name = text.string(from: start)
        guard let index = Int(name), !name.hasPrefix("+") else { return .walk(name, index: nil) }
        if name.hasPrefix("-") {
            throw text.error(
                at: start, "a name or an index from 0 (from the end: [\(name)]; a name: \"\(name)\")",
                found: "'\(name)'")
        }
        return .walk(name, index: index)
    }

    /// Whether a character may be in a name without quotes: neither a blank or control character, nor a character that
    /// means something in a path of jq or JSONPath.
    private static func isNameCharacter(_ scalar: Unicode.Scalar) -> Bool {
        let isControl = scalar < " " || scalar == "\u{7F}"
        if isControl || scalar == " " { return false }
        return !".\"'[]*?{},|()".unicodeScalars.contains(scalar)
    }

    /// Reads a part of a path in brackets, which comes next.
    ///
    ///     [3]         the element at index 3
    ///     [-1]        the last element
    ///     ["name"]    the member with this name
    ///     []          all elements or members
    ///
    /// - Throws: ``JSONPathError`` for anything else in brackets, such as the slices of JSONPath.
    private func bracketedSelector() throws(JSONPathError) -> PathQuery.Selector {
        text.index += 1
        if text.take("]") { return .wildcard }
        if text.next == "\"" || text.next == "'" {
            let name = try text.quoted()
            try text.expect("]")
            return .walk(name, index: nil)
        }
        guard text.startsInteger else {
            throw text.unexpected("an index, a name in quotes or ']' (JSONPath starts with '$')")
        }
        let index = try text.integer()
        if text.next == ":" { throw text.unexpected("']' (JSONPath, which has slices, starts with '$')") }
        try text.expect("]")
        return .index(index)
    }
}
