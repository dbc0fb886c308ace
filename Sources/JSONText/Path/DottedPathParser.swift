/// Reads names and indexes with dots between them, such as `results[0].title`, also with the leading dot and the
/// brackets of jq.
struct DottedPathParser {
    private let text: PathText

    init(_ text: PathText) { self.text = text }

    /// Reads a query that is the whole text.
    ///
    /// Each name, index or `[]` becomes a segment with one selector: `results[].title` has three segments.
    func wholeQuery() throws(JSONPathError) -> PathQuery {
        var query = PathQuery(isAbsolute: true)
        // As in jq, a dot alone is the whole document.
        if text.take("."), text.isAtEnd { return query }
        if text.next == "{" { throw text.unexpected("a name or an index\(Self.hint(after: "{"))") }
        repeat {
            let selector = text.next == "[" ? try bracketedIndex() : try name()
            query.segments.append(PathQuery.Segment(selectors: [selector]))
        } while text.take(".") || text.next == "["
        if !text.isAtEnd { throw text.unexpected("'.', '[' or the end" + Self.hint(after: text.next)) }
        return query
    }

    /// Returns a hint about the form here for what jq writes with a character; empty if there is none.
    ///
    /// - Parameter scalar: A character that no path without quotes has.
    private static func hint(after scalar: Unicode.Scalar?) -> String {
        switch scalar {
        case ",", "{": " (for several members: $['a','b']; a name with such a character is in quotes)"
        case "|", "(": " (there are no filters and functions of jq; JSONPath starts with '$')"
        default: ""
        }
    }

    /// Reads a name, quoted or not, or an index without brackets.
    ///
    /// - Returns: `.walk` with the name. Its index is set if the name is a number without quotes: `results.0` selects
    ///   the member `0` of an object, but the first element of a list.
    /// - Throws: ``JSONPathError`` if there is no name, or for a negative index, which only brackets may have: as a
    ///   name, `-1` has to be quoted.
    private func name() throws(JSONPathError) -> PathQuery.Selector {
        if text.next == "\"" || text.next == "'" { return .walk(try text.quoted(), index: nil) }
        let start = text.index
        text.skip { scalar in
            scalar > " " && scalar != "\u{7F}" && !".\"'[]*?{},|()".unicodeScalars.contains(scalar)
        }
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

    /// Reads `[3]`, `[-1]` which counts from the end, `["name"]`, or `[]` for all elements or members.
    private func bracketedIndex() throws(JSONPathError) -> PathQuery.Selector {
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
