/// Reads queries (RFC 9535, section 2).
struct PathParser {
    /// Filters, parentheses and functions may be nested that deep.
    private static let deepestLevel = 64
    /// Indexes are integers that doubles have exactly (RFC 7493, 2.2).
    private static let largestIndex = 1 << 53 - 1

    let text: [Unicode.Scalar]
    var index = 0
    var depth = 0

    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    /// A whole text: `$` and segments.
    mutating func wholeQuery() throws(JSONPathError) -> PathQuery {
        let query = try query()
        if index < text.count { throw unexpected("'.', '[' or the end") }
        return query
    }

    /// `$` or `@`, and segments.
    mutating func query() throws(JSONPathError) -> PathQuery {
        var query = PathQuery(isAbsolute: next == "$")
        index += 1
        while true {
            let start = index
            skipSpace()
            guard next == "." || next == "[" else {
                index = start
                return query
            }
            query.segments.append(try segment())
        }
    }

    private mutating func segment() throws(JSONPathError) -> PathQuery.Segment {
        guard take(".") else { return PathQuery.Segment(selectors: try brackets()) }
        let isDescendant = take(".")
        if isDescendant, next == "[" { return PathQuery.Segment(isDescendant: true, selectors: try brackets()) }
        let selector: PathQuery.Selector = take("*") ? .wildcard : .name(try shorthand(isDescendant))
        return PathQuery.Segment(isDescendant: isDescendant, hasDot: true, selectors: [selector])
    }

    /// A name without quotes.
    private mutating func shorthand(_ isDescendant: Bool) throws(JSONPathError) -> String {
        let start = index
        while let scalar = next, Self.isName(scalar), index > start || !("0"..."9").contains(scalar) { index += 1 }
        if index == start { throw unexpected(isDescendant ? "a name, '*' or '['" : "a name or '*'") }
        return string(from: start)
    }

    static func isName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: scalar.value >= 0x80
        }
    }

    private mutating func brackets() throws(JSONPathError) -> [PathQuery.Selector] {
        index += 1
        var selectors: [PathQuery.Selector] = []
        repeat {
            skipSpace()
            selectors.append(try selector())
            skipSpace()
        } while take(",")
        try expect("]", or: "','")
        return selectors
    }

    private mutating func selector() throws(JSONPathError) -> PathQuery.Selector {
        switch next ?? "\0" {
        case "'", "\"": return .name(try quoted())
        case "*":
            index += 1
            return .wildcard
        case "?":
            index += 1
            skipSpace()
            return .filter(try expression())
        case "-", "0"..."9", ":": return try indexOrSlice()
        default: throw unexpected("a name in quotes, an index, a slice, '*' or '?'")
        }
    }

    private mutating func indexOrSlice() throws(JSONPathError) -> PathQuery.Selector {
        let start = next == ":" ? nil : try integer()
        let end = index
        skipSpace()
        guard take(":") else {
            index = end
            return .index(start ?? 0)
        }
        skipSpace()
        let stop = startsInteger ? try integer() : nil
        skipSpace()
        var step = 1
        if take(":") {
            skipSpace()
            if startsInteger { step = try integer() }
        }
        return .slice(start: start, end: stop, step: step)
    }

    var startsInteger: Bool { next.map { $0 == "-" || ("0"..."9").contains($0) } ?? false }

    /// An integer without leading zeros, and not `-0`.
    mutating func integer() throws(JSONPathError) -> Int {
        let start = index
        _ = take("-")
        while let scalar = next, ("0"..."9").contains(scalar) { index += 1 }
        let digits = string(from: start)
        guard let number = Int(digits), "\(number)" == digits, number.magnitude <= Self.largestIndex else {
            index = start
            throw unexpected("an integer without leading zeros, at most \(Self.largestIndex)")
        }
        return number
    }

    // MARK: Characters

    var next: Unicode.Scalar? { index < text.count ? text[index] : nil }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    /// Passes over that text, if it comes next.
    mutating func take(text token: String) -> Bool {
        guard text[index...].starts(with: token.unicodeScalars) else { return false }
        index += token.unicodeScalars.count
        return true
    }

    mutating func expect(_ scalar: Unicode.Scalar, or other: String? = nil) throws(JSONPathError) {
        guard take(scalar) else { throw unexpected((other.map { $0 + " or " } ?? "") + "'\(scalar)'") }
    }

    mutating func skipSpace() {
        while let scalar = next, scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" { index += 1 }
    }

    func string(from start: Int) -> String {
        var string = String.UnicodeScalarView()
        string.append(contentsOf: text[start..<index])
        return String(string)
    }

    /// Goes one level of nesting deeper, which must be left again.
    mutating func enter() throws(JSONPathError) {
        guard depth < Self.deepestLevel else { throw unexpected("at most \(Self.deepestLevel) levels of nesting") }
        depth += 1
    }

    /// The error for what comes next.
    func unexpected(_ expected: String) -> JSONPathError {
        error(at: index, expected, found: next.map { TerminalText.escaped("'\($0)'") } ?? "the end of the query")
    }

    func error(at index: Int, _ expected: String, found: String) -> JSONPathError {
        JSONPathError(column: index + 1, expected: expected, found: found)
    }
}
