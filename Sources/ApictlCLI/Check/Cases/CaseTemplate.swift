import EndpointKit
import EndpointTools
import JSONText

/// A type of values that a member of a case can have.
protocol CaseValue: Sendable {
    /// The words for the values that are accepted, in messages: `a status such as 404, or "4xx"`.
    static var expectation: String { get }

    /// Returns the value that JSON stands for; nil if it stands for none that is accepted.
    static func parsed(_ json: JSONValue) -> Self?
}

/// A member of a case that is parsed into a value, such as `"500ms"` into a duration.
///
/// A text with a ``Placeholder``, such as `"{{limit}}"`, can't be parsed before the captured value is known. It is
/// kept as it is until then.
struct CaseTemplate<Value: CaseValue>: Decodable, Sendable {
    private let json: JSONValue
    /// The parsed value; nil for a text with a placeholder.
    private let value: Value?

    /// Decodes JSON and parses it into a value, unless it is a text with a placeholder.
    ///
    /// - Throws: `DecodingError` with the words for the values that are accepted.
    init(from decoder: any Decoder) throws {
        json = try JSONValue(from: decoder)
        if let text = json.string, !text.placeholders.isEmpty {
            value = nil
            return
        }
        value = Value.parsed(json)
        if value == nil {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: Value.expectation)
            throw DecodingError.dataCorrupted(context)
        }
    }

    /// The value as the file has it; a string has no quotes.
    var text: String { json.text }

    /// Returns the parsed value.
    ///
    /// After all placeholders have been replaced, a text can still contain `{{…}}`, if a captured text does. Such a
    /// text has no value.
    ///
    /// - Throws: ``UsageError`` if the text has a placeholder.
    func knownValue() throws(UsageError) -> Value {
        if let value { return value }
        throw UsageError("it contains {{…}}")
    }
}

// MARK: - The types of values

/// The statuses that a case expects.
///
///     404       404...404
///     "4xx"     400...499
extension ClosedRange<Int>: CaseValue {
    static var expectation: String { "a status such as 404, or \"4xx\"" }

    /// Returns the range of statuses that a number or a text such as `"4xx"` stands for; nil for anything else.
    static func parsed(_ json: JSONValue) -> Self? {
        if let status = json.integer(Int.self) {
            let isStatus = (100...599).contains(status)
            return isStatus ? status...status : nil
        }
        guard let text = json.string, text.count == 3, text.hasSuffix("xx") else { return nil }
        // The first digit of a status is its class (RFC 9110, section 15).
        guard let statusClass = Int(text.prefix(1)), (1...5).contains(statusClass) else { return nil }
        let firstStatus = statusClass * 100
        return firstStatus...firstStatus + 99
    }
}

extension HTTPMethod: CaseValue {
    static let expectation = "a method such as POST"

    /// Returns the method that a text names; nil if the text is no token (RFC 9110, section 5.6.2).
    static func parsed(_ json: JSONValue) -> HTTPMethod? {
        guard let text = json.string else { return nil }
        // The name of a header must be a token too, so the check of a header tells whether the text is one.
        let isToken = (try? HTTPField(text, "").checked()) != nil
        return isToken ? HTTPMethod(rawValue: text) : nil
    }
}

extension Duration: CaseValue {
    static let expectation = DurationText.expectation

    /// Returns the duration that a text such as `"500ms"` or a number of seconds stands for; nil for anything else.
    static func parsed(_ json: JSONValue) -> Duration? { DurationText.parse(json.text) }
}

extension Int: CaseValue {
    static let expectation = "a whole number from 0"

    /// Returns a whole number that is not negative; nil for anything else.
    static func parsed(_ json: JSONValue) -> Int? {
        guard let number = json.integer(Int.self), number >= 0 else { return nil }
        return number
    }
}

extension Bool: CaseValue {
    static let expectation = "boolean"

    static func parsed(_ json: JSONValue) -> Bool? { json.bool }
}

extension DecimalNumber: CaseValue {
    static let expectation = "number"

    static func parsed(_ json: JSONValue) -> DecimalNumber? { json.number.map { DecimalNumber($0) } }
}

extension JSONPath: CaseValue {
    static let expectation = "a path such as results.0.id or $.results[0].id"

    /// Returns the path that a text stands for; nil if the text is no JSON path.
    static func parsed(_ json: JSONValue) -> JSONPath? { json.string.flatMap { try? JSONPath($0) } }

    /// Returns the values that the path selects in a document.
    ///
    /// - Parameters:
    ///   - document: The document to search.
    ///   - stepCounter: Counts and limits the work of the search.
    ///   - maxCount: The number of values after which the search ends.
    /// - Throws: `JSONPathLimit` if the search takes too long.
    func values(
        in document: JSONDocument, counting stepCounter: StepCounter, maxCount: Int = .max
    ) throws -> [JSONValue] {
        var values: [JSONValue] = []
        // A slot is the position of a value in the document's table of values.
        try select(in: document, counting: stepCounter) { slot in
            values.append(JSONValue(document, slot: slot))
            // The search goes on as long as this is true.
            let needsMoreValues = values.count < maxCount
            return needsMoreValues
        }
        return values
    }

    /// Returns the first value that the path selects in a document; nil if there is none.
    ///
    /// - Throws: `JSONPathLimit` if the search takes too long.
    func firstValue(in document: JSONDocument) throws -> JSONValue? {
        try values(in: document, counting: StepCounter(for: document), maxCount: 1).first
    }
}

extension IRegexp: CaseValue {
    static let expectation = "a regular expression (RFC 9485)"

    /// Returns the regular expression that a text stands for; nil if the text is none.
    static func parsed(_ json: JSONValue) -> IRegexp? {
        guard let text = json.string else { return nil }
        return try? compile(text)
    }
}

/// The hexadecimal digits of a SHA-256 digest, in lower case.
struct SHA256Text: CaseValue {
    let digits: String

    static let expectation = "a SHA-256 digest of 64 hexadecimal digits"

    /// Returns the digest that a text is; nil for anything else.
    static func parsed(_ json: JSONValue) -> SHA256Text? {
        guard let text = json.string?.lowercased(), text.utf8.count == 64 else { return nil }
        let isHexadecimal = text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
        return isHexadecimal ? SHA256Text(digits: text) : nil
    }
}
