/// The text of a query, and the position up to which it has been read.
///
/// It is a class because the parsers of queries and of filters, which call each other, read on from the same position.
/// Functions that read something move the position after it. Columns in errors count Unicode scalars from 1.
final class PathCursor {
    /// Filters, parentheses and functions may be nested this deep. Parsers call themselves for each level, so this
    /// bounds their stack.
    private static let deepestLevel = 64
    /// Indexes are integers that every JSON parser can represent exactly: up to 2^53 - 1 (RFC 9535, section 2.1; RFC
    /// 7493, section 2.2).
    private static let largestIndex = Int(clamping: 9_007_199_254_740_991 as Int64)

    private let scalars: [Unicode.Scalar]
    /// The position of the next character.
    var position = 0
    private var depth = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    // MARK: Characters

    /// The character that comes next, or nil at the end.
    var nextCharacter: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    var isAtEnd: Bool { position == scalars.count }

    /// Moves after a character if it comes next.
    ///
    /// - Returns: Whether the character came next. If it did not, the position stays.
    func consume(if scalar: Unicode.Scalar) -> Bool {
        guard nextCharacter == scalar else { return false }
        position += 1
        return true
    }

    /// Moves after an operator, such as `&&`, and the white space before it, if they come next.
    ///
    /// - Returns: Whether the operator came next. If it did not, the position stays, because white space at the end of
    ///   a query does not belong to it.
    func consumeAfterSpace(if operatorSymbol: String) -> Bool {
        let start = position
        skipSpace()
        guard scalars[position...].starts(with: operatorSymbol.unicodeScalars) else {
            position = start
            return false
        }
        position += operatorSymbol.unicodeScalars.count
        return true
    }

    /// Moves after a character that must come next.
    ///
    /// - Parameters:
    ///   - scalar: The character that must come.
    ///   - alternative: Another character that the grammar allows here and that the caller has looked for already, such
    ///     as `','`. It only appears in the message. Nil if there is none.
    /// - Throws: ``JSONPathError`` if another character comes next: `expected ',' or ']', found 'x'`.
    func expect(_ scalar: Unicode.Scalar, or alternative: String? = nil) throws(JSONPathError) {
        if consume(if: scalar) { return }
        guard let alternative else { throw unexpectedCharacter(expected: "'\(scalar)'") }
        throw unexpectedCharacter(expected: "\(alternative) or '\(scalar)'")
    }

    /// Skips blanks, tabs and line breaks.
    func skipSpace() {
        skip { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    }

    /// Moves to the first character for which a condition is false, or to the end.
    func skip(while condition: (Unicode.Scalar) -> Bool) {
        while let scalar = nextCharacter, condition(scalar) { position += 1 }
    }

    /// Returns the text between an earlier position and the current one.
    func consumedText(since start: Int) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[start..<position])
        return String(view)
    }

    // MARK: Nesting

    /// Counts one more level of nesting, such as a filter or parentheses. The caller ends it by ``leaveNesting()``.
    ///
    /// - Throws: ``JSONPathError`` if the nesting is too deep.
    func enterNesting() throws(JSONPathError) {
        guard depth < Self.deepestLevel else {
            throw unexpectedCharacter(expected: "at most \(Self.deepestLevel) levels of nesting")
        }
        depth += 1
    }

    /// Ends a level of nesting that ``enterNesting()`` has counted.
    func leaveNesting() { depth -= 1 }

    // MARK: Literals

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// Whether a digit or a minus sign comes next.
    var isIntegerNext: Bool {
        guard let nextCharacter else { return false }
        return nextCharacter == "-" || Self.isDigit(nextCharacter)
    }

    /// Reads an integer of an index or slice, such as `12` or `-1`.
    ///
    /// - Throws: ``JSONPathError`` for leading zeros, for `-0`, and for an integer that is too large (RFC 9535,
    ///   section 2.3.3.1).
    func parseInteger() throws(JSONPathError) -> Int {
        let start = position
        _ = consume(if: "-")
        skip(while: Self.isDigit)
        let writtenNumber = consumedText(since: start)
        let number = Int(writtenNumber)
        // `Int` accepts `01` and `-0` too. Writing the number again tells them apart.
        guard let number, "\(number)" == writtenNumber, number.magnitude <= Self.largestIndex else {
            // The error points to the start of the integer.
            position = start
            throw unexpectedCharacter(expected: "an integer without leading zeros, at most \(Self.largestIndex)")
        }
        return number
    }

    /// Reads a number as JSON writes it, such as `-2.5e3`.
    func parseNumber() throws(JSONPathError) -> JSONValue {
        let start = position
        skip { "+-.0123456789Ee".unicodeScalars.contains($0) }
        return try decodeLiteral(consumedText(since: start), expected: "a number", from: start)
    }

    /// Reads a string in single or double quotes, with the escapes of JSON (RFC 9535, section 2.3.1.1).
    ///
    /// The string is rewritten as a JSON string in double quotes, so that the reader of JSON checks and decodes it:
    /// `'it\'s'` becomes `"it's"`.
    ///
    /// - Returns: The text of the string, without quotes and escapes.
    /// - Throws: ``JSONPathError`` if the closing quote is missing, or an escape is wrong.
    func parseQuotedString() throws(JSONPathError) -> String {
        let start = position
        let quote: Unicode.Scalar = nextCharacter == "'" ? "'" : "\""
        position += 1
        var json = "\""
        while let scalar = nextCharacter, scalar != quote {
            position += 1
            switch scalar {
            case "\\": json += parseEscapeAsJSON(quote: quote)
            case "\"": json += "\\\""
            default: json.unicodeScalars.append(scalar)
            }
        }
        if !consume(if: quote) { throw unexpectedCharacter(expected: "the closing \(quote)") }
        json += "\""
        let value = try decodeLiteral(json, expected: "a string with JSON's escapes", from: start)
        // A literal in quotes is always a string.
        return value.string ?? ""
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
    private func parseEscapeAsJSON(quote: Unicode.Scalar) -> String {
        // At the end of the query, the backslash stands alone. The caller then reports the missing quote.
        guard let escaped = nextCharacter else { return "\\" }
        position += 1
        let otherQuote: Unicode.Scalar = quote == "'" ? "\"" : "'"
        let isNotAllowed = escaped == otherQuote
        if isNotAllowed { return "\\'" }
        if escaped == "'" { return "'" }
        return "\\\(escaped)"
    }

    /// Returns the value of a literal that has been read: a number, a string, `true`, `false` or `null`.
    ///
    /// - Parameters:
    ///   - json: The literal as JSON writes it.
    ///   - expected: The syntax that was expected, for the error: `a number`.
    ///   - start: The position at which the literal starts. The error points to it.
    /// - Throws: ``JSONPathError`` if `json` is not JSON, or a string with a lone surrogate.
    func decodeLiteral(_ json: String, expected: String, from start: Int) throws(JSONPathError) -> JSONValue {
        let writtenLiteral = TerminalText.escaped("'\(consumedText(since: start))'")
        let invalidLiteralError = error(at: start, expected: expected, found: writtenLiteral)
        guard let document = try? JSONDocument(Array(json.utf8)) else { throw invalidLiteralError }
        let hasLoneSurrogate = document.isString(JSONDocument.root) && document.string(at: JSONDocument.root) == nil
        if hasLoneSurrogate { throw invalidLiteralError }
        return JSONValue(document)
    }

    // MARK: Errors

    /// Returns the error for the next character, where something else was expected: `expected ']', found 'x'`.
    func unexpectedCharacter(expected: String) -> JSONPathError {
        guard let nextCharacter else { return error(at: position, expected: expected, found: "the end of the query") }
        return error(at: position, expected: expected, found: TerminalText.escaped("'\(nextCharacter)'"))
    }

    /// Returns an error at a position of the query.
    func error(at position: Int, expected: String, found: String) -> JSONPathError {
        JSONPathError(column: position + 1, expected: expected, found: found)
    }
}
