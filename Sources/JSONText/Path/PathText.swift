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

    /// Passes over a character, if it comes next.
    func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    /// Passes over some characters and the white space before them, if they come next. Otherwise nothing is read.
    func takeAfterSpace(_ token: String) -> Bool {
        let start = index
        skipSpace()
        guard scalars[index...].starts(with: token.unicodeScalars) else {
            index = start
            return false
        }
        index += token.unicodeScalars.count
        return true
    }

    /// Passes over a character that must come next.
    ///
    /// - Parameter other: What may come instead according to the message, such as `','`.
    func expect(_ scalar: Unicode.Scalar, or other: String? = nil) throws(JSONPathError) {
        if take(scalar) { return }
        throw unexpected(other.map { "\($0) or '\(scalar)'" } ?? "'\(scalar)'")
    }

    /// Passes over blanks, tabs and line breaks.
    func skipSpace() {
        skip { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    }

    /// Passes over all characters that fulfil a condition.
    func skip(while condition: (Unicode.Scalar) -> Bool) {
        while let scalar = next, condition(scalar) { index += 1 }
    }

    /// The text from a position to the next character.
    func string(from start: Int) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[start..<index])
        return String(view)
    }

    // MARK: Nesting

    /// Goes one level of nesting deeper. The caller leaves it again by ``leave()``.
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

    /// Reads an integer without leading zeros, which is not `-0` either.
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

    /// Reads a number as JSON writes it.
    func number() throws(JSONPathError) -> JSONValue {
        let start = index
        skip { "+-.0123456789Ee".unicodeScalars.contains($0) }
        return try literal(string(from: start), "a number", from: start)
    }

    /// Reads a string in single or double quotes, with the escapes of JSON (RFC 9535, section 2.3.1.1).
    ///
    /// The string is rewritten as a JSON string in double quotes, so that the reader of JSON checks and decodes it.
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

    /// Reads the rest of an escape, whose backslash has been read, and returns the same as JSON writes it in double
    /// quotes.
    ///
    /// An escape that is not allowed is returned as one that JSON refuses too, so that reading the string as JSON
    /// fails.
    ///
    /// - Parameter quote: The quote around the string in the query.
    private func escapeInJSON(quote: Unicode.Scalar) -> String {
        guard let escaped = next else { return "\\" }
        index += 1
        if escaped == quote {
            // JSON has no escape for a single quote, which needs none in double quotes.
            return quote == "'" ? "'" : "\\\""
        }
        // A quote of the other kind can't be escaped. JSON refuses `\'` as well.
        if escaped == "'" || escaped == "\"" { return "\\'" }
        return "\\\(escaped)"
    }

    /// Returns the value of JSON text that stands for what was read from a position on.
    ///
    /// - Parameter expected: What was expected there, for the error if `json` is not JSON or has a lone surrogate.
    func literal(_ json: String, _ expected: String, from start: Int) throws(JSONPathError) -> JSONValue {
        guard let document = try? JSONDocument(Array(json.utf8)),
            !document.isString(JSONDocument.root) || document.string(at: JSONDocument.root) != nil
        else { throw error(at: start, expected, found: TerminalText.escaped("'\(string(from: start))'")) }
        return JSONValue(document)
    }

    // MARK: Errors

    /// The error for the next character, where something else was expected.
    func unexpected(_ expected: String) -> JSONPathError {
        error(at: index, expected, found: next.map { TerminalText.escaped("'\($0)'") } ?? "the end of the query")
    }

    func error(at index: Int, _ expected: String, found: String) -> JSONPathError {
        JSONPathError(column: index + 1, expected: expected, found: found)
    }
}
