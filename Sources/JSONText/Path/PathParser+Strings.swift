// Strings, and names with dots.

extension PathParser {
    /// A string in single or double quotes, with the escapes of JSON.
    mutating func quoted() throws(JSONPathError) -> String {
        let start = index
        let quote: Unicode.Scalar = next == "'" ? "'" : "\""
        index += 1
        var json = "\""
        while let scalar = next, scalar != quote {
            index += 1
            if scalar == "\\", take("'") {
                // JSON has no escape for it, and double quotes need none.
                json += quote == "'" ? "'" : "\\'"
            } else if scalar == "\\", let escaped = next {
                index += 1
                // Between single quotes, a double quote has no escape.
                json += escaped == quote || escaped != "\"" ? "\\\(escaped)" : "\\'"
            } else {
                json += scalar == "\"" ? "\\\"" : "\(scalar)"
            }
        }
        if !take(quote) { throw unexpected("the closing \(quote)") }
        return try literal(json + "\"", "a string with JSON's escapes", from: start).string ?? ""
    }

    /// The value of JSON text, which was read from `start` on.
    func literal(_ json: String, _ expected: String, from start: Int) throws(JSONPathError) -> JSONValue {
        guard let document = try? JSONDocument(Array(json.utf8)),
            !document.isString(JSONDocument.root) || document.string(at: JSONDocument.root) != nil
        else { throw error(at: start, expected, found: TerminalText.escaped("'\(string(from: start))'")) }
        return JSONValue(document)
    }

    // MARK: Names with dots

    /// A whole text of names and indexes with dots between them, or indexes in brackets as in jq. A name in quotes is never an index.
    mutating func names() throws(JSONPathError) -> PathQuery {
        var query = PathQuery(isAbsolute: true)
        // As in jq; alone it is the whole document.
        if take("."), index == text.count { return query }
        repeat {
            query.segments.append(PathQuery.Segment(selectors: [try next == "[" ? position() : name()]))
        } while take(".") || next == "["
        if index < text.count { throw unexpected("'.', '[' or the end") }
        return query
    }

    private mutating func name() throws(JSONPathError) -> PathQuery.Selector {
        if next == "\"" || next == "'" { return .walk(try quoted(), index: nil) }
        let start = index
        while let scalar = next, !".\"'[]*?".unicodeScalars.contains(scalar), scalar > " ", scalar != "\u{7F}" {
            index += 1
        }
        if index == start { throw unexpected("a name or an index (JSONPath starts with '$')") }
        let name = string(from: start)
        guard let position = Int(name), !name.hasPrefix("+") else { return .walk(name, index: nil) }
        guard position >= 0, !name.hasPrefix("-") else {
            throw error(
                at: start, "a name or an index from 0 (from the end: [\(name)]; a name: \"\(name)\")",
                found: "'\(name)'")
        }
        return .walk(name, index: position)
    }

    /// `[3]`, `[-1]` from the end, or `[]` for all elements.
    private mutating func position() throws(JSONPathError) -> PathQuery.Selector {
        index += 1
        if take("]") { return .slice(start: nil, end: nil, step: 1) }
        guard startsInteger else { throw unexpected("an index or ']' (JSONPath starts with '$')") }
        let position = try integer()
        guard next != ":" else { throw unexpected("']' (JSONPath, which has slices, starts with '$')") }
        try expect("]")
        return .index(position)
    }
}
