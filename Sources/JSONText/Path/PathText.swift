/// The text of a query, and how far it has been read.
///
/// It is a class because the parsers of queries and of filters, which contain each other, read on from the same
/// position. Functions that read something leave the position after it. Columns in errors count Unicode scalars from 1.
final class PathText {
    /// Filters, parentheses and functions may be nested this deep. Parsers call themselves for each level, so this
    /// bounds their stack.
    private static let deepestLevel = 64
    /// Indexes are integers that every JSON parser can represent exactly: up to 2^53 - 1 (RFC 9535, section 2.1; RFC
    /// 7493, section 2.2).
    private static let largestIndex = Int(clamping: 9_007_199_254_740_991 as Int64)

    private let scalars: [Unicode.Scalar]
    /// The position of the next character.
    var index = 0
    private var depth = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    // MARK: Characters

    /// The character that comes next, or nil at the end.
    var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    var isAtEnd: Bool { index == scalars.count }

    /// Skips a character, if it comes next, and returns whether it did.
    func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    /// Skips an operator, such as `&&`, and the white space before it, if they come next.
    ///
    /// - Returns: Whether the operator came next. If it did not, nothing has been read.
    func takeAfterSpace(_ symbol: String) -> Bool {
        let start = index
        skipSpace()
        guard scalars[index...].starts(with: symbol.unicodeScalars) else {
            index = start
            return false
        }
        index += symbol.unicodeScalars.count
        return true
    }

    /// Skips a character that must come next.
    ///
    /// - Parameters:
    ///   - scalar: The character.
    ///   - alternative: What may come instead, for the message: `','`.
    /// - Throws: ``JSONPathError`` if another character comes next: `expected ',' or ']', found 'x'`.
    func expect(_ scalar: Unicode.Scalar, or alternative: String? = nil) throws(JSONPathError) {
        if take(scalar) { return }
        guard let alternative else { throw unexpected("'\(scalar)'") }
        throw unexpected("\(alternative) or '\(scalar)'")
    }

    /// Skips blanks, tabs and line breaks.
    func skipSpace() {
        skip { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    }

    /// Skips all characters up to the first one for which a condition is false.
    func skip(while condition: (Unicode.Scalar) -> Bool) {
        while let scalar = next, condition(scalar) { index += 1 }
    }

    /// Returns the text that has been read from a position on.
    func string(from start: Int) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[start..<index])
        return String(view)
    }

    // MARK: Nesting

    /// Enters a level of nesting, such as a filter or parentheses. The caller leaves it by ``leave()``.
    ///
    /// - Throws: ``JSONPathError`` if the nesting is too deep.
    func enter() throws(JSONPathError) {
        guard depth < Self.deepestLevel else { throw unexpected("at most \(Self.deepestLevel) levels of nesting") }
        depth += 1
    }

    func leave() { depth -= 1 }

    // MARK: Literals

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    var startsInteger: Bool {
        guard let next else { return false }
        return next == "-" || Self.isDigit(next)
    }

    /// Reads an integer of an index or slice, such as `12` or `-1`.
    ///
    /// - Throws: ``JSONPathError`` for leading zeros, for `-0`, and for an integer that is too large (RFC 9535,
    ///   section 2.3.3.1).
    func integer() throws(JSONPathError) -> Int {
        let start = index
        _ = take("-")
        skip(while: Self.isDigit)
        let digits = string(from: start)
        guard let number = Int(digits), "\(number)" == digits, number.magnitude <= Self.largestIndex else {
            index = start
            throw unexpected("an integer without leading zeros, at most \(Self.largestIndex)")
        }
        return number
    }

    /// Reads a number as JSON writes it, such as `-2.5e3`.
    func number() throws(JSONPathError) -> JSONValue {
        let start = index
        skip { "+-.0123456789Ee".unicodeScalars.contains($0) }
        return try literal(string(from: start), "a number", from: start)
    }

    /// Reads a string in single or double quotes, with the escapes of JSON (RFC 9535, section 2.3.1.1).
    ///
    /// The string is rewritten as a JSON string in double quotes, so that the reader of JSON checks and decodes it:
    /// `'it\'s'` becomes `"it's"`.
    ///
    /// - Returns: The text of the string, without quotes and escapes.
    /// - Throws: ``JSONPathError`` if the closing quote is missing, or an escape is wrong.
    func quoted() throws(JSONPathError) -> String {
        let start = index
        let quote: Unicode.Scalar = next == "'" ? "'" : "\""
        index += 1
        var json = "\""
        while let scalar = next, scalar != quote {
            index += 1
            switch scalar {
            case "\\": json += escapeInJSON(quote: quote)
            case "\"": json += "\\\""
            default: json.unicodeScalars.append(scalar)
            }
        }
        if !take(quote) { throw unexpected("the closing \(quote)") }
        return try literal(json + "\"", "a string with JSON's escapes", from: start).string ?? ""
    }

    /// Reads the rest of an escape, whose backslash has been read, and rewrites it for a JSON string in double quotes.
    ///
    ///     \n in either quotes         \n
    ///     \' in single quotes         '     (JSON has no such escape, and needs none)
    ///     \" in single quotes         \'    (not allowed; JSON refuses `\'` as well)
    ///
    /// - Parameter quote: The quote around the string in the query.
    /// - Returns: The escape in JSON. An escape that is not allowed becomes one that JSON refuses, so that reading the
    ///   string as JSON fails.
    private func escapeInJSON(quote: Unicode.Scalar) -> String {
        guard let escaped = next else { return "\\" }
        index += 1
        let otherQuote: Unicode.Scalar = quote == "'" ? "\"" : "'"
        if escaped == otherQuote { return "\\'" }
        if escaped == quote, quote == "'" { return "'" }
        return "\\\(escaped)"
    }

    /// Returns the value of a literal: a number, a string, `true`, `false` or `null`.
    ///
    /// - Parameters:
    ///   - json: The literal as JSON writes it.
    ///   - expected: What was expected, for the error: `a number`.
    ///   - start: The position of the literal in the query.
    /// - Throws: ``JSONPathError`` if `json` is not JSON, or a string with a lone surrogate.
    func literal(_ json: String, _ expected: String, from start: Int) throws(JSONPathError) -> JSONValue {
        let invalid = error(at: start, expected, found: TerminalText.escaped("'\(string(from: start))'"))
        guard let document = try? JSONDocument(Array(json.utf8)) else { throw invalid }
        let hasLoneSurrogate = document.isString(JSONDocument.root) && document.string(at: JSONDocument.root) == nil
        if hasLoneSurrogate { throw invalid }
        return JSONValue(document)
    }

    // MARK: Errors

    /// Returns the error for the next character, where something else was expected: `expected ']', found 'x'`.
    func unexpected(_ expected: String) -> JSONPathError {
        guard let next else { return error(at: index, expected, found: "the end of the query") }
        return error(at: index, expected, found: TerminalText.escaped("'\(next)'"))
    }

    /// Returns an error at a position of the query.
    func error(at index: Int, _ expected: String, found: String) -> JSONPathError {
        JSONPathError(column: index + 1, expected: expected, found: found)
    }
}
