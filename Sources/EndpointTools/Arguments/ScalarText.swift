import EndpointKit
import JSONText

extension Shape {
    /// Returns the JSON of a text that people type for a value of this type.
    ///
    ///     integer    550           550
    ///     boolean    yes           true
    ///     date       2026-11-21    "2026-11-21"
    ///
    /// A text for a value that may be null can be a string in JSON: `"null"` is a string, and `null` is not.
    ///
    /// - Returns: The JSON; nil if the text is no such value. The bounds of integers are only checked when the JSON is
    ///   decoded.
    func typedValue(ofText text: String, coding: Coding) -> JSONValue? {
        switch self {
        case .scalar(let scalar):
            return scalar.typedValue(ofText: text, coding: coding)
        case .values(let values):
            return values.first { $0.text == text }
        case .nullable(let wrapped):
            if text == "null" { return .null }
            // In quotes, the text is a string of JSON: `"null"` is not null.
            let json = try? JSONValue(text: text.exactBytes)
            return wrapped.typedValue(ofText: json?.string ?? text, coding: coding)
        case .object([]):
            // A case of an enum without associated values is a switch, which has no fields.
            guard text == "true" else { return nil }
            return [:]
        case .array, .dictionary, .object, .open, .model, .variants, .alternatives, .null, .any:
            return nil
        }
    }
}

extension Shape.Scalar {
    /// Returns the JSON of a text that people type for a value of this type.
    ///
    ///     boolean    yes        true
    ///     number     +007.50    7.50
    ///     integer    7.0        nil, because it is written as a fraction
    ///
    /// - Returns: The JSON; nil if the text is no such value.
    fileprivate func typedValue(ofText text: String, coding: Coding) -> JSONValue? {
        switch self {
        case .boolean:
            return Self.boolean(text)
        case .integer:
            let mayBeFraction = text.utf8.contains(where: ".eE".utf8.contains)
            if mayBeFraction { return nil }
            return Self.number(text)
        case .number:
            return Self.number(text)
        case .string, .data:
            return JSONValue(text)
        case .url:
            guard Self.isURL(text) else { return nil }
            return JSONValue(text)
        case .uuid:
            // The server may compare it letter by letter, so it keeps its case.
            let isUUID = UUID(uuidString: text) != nil
            guard isUUID else { return nil }
            return JSONValue(text)
        case .date:
            return coding.dateValue(text)
        }
    }

    /// Returns a boolean, for which people also type `yes`, `no`, `1` and `0`; nil for any other text.
    private static func boolean(_ text: String) -> JSONValue? {
        switch text {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }

    /// Returns a number in the spelling of JSON, with all its digits. JSON has no plus before a number, no leading
    /// zeros, and no empty fraction.
    ///
    ///     +007.50     7.50
    ///     -.5         -0.5
    ///     1.e3        1e3
    ///
    /// - Returns: The number; nil if the text is no decimal number, or too large for a Double.
    private static func number(_ text: String) -> JSONValue? {
        let isDecimal = text.utf8.allSatisfy("0123456789+-.eE".utf8.contains)
        guard isDecimal, let double = Double(text), double.isFinite else { return nil }
        let exponentStart = text.firstIndex { $0 == "e" || $0 == "E" } ?? text.endIndex
        let fractionStart = text[..<exponentStart].firstIndex(of: ".") ?? exponentStart
        let unsigned = text[..<fractionStart].drop { $0 == "-" || $0 == "+" }
        let whole = unsigned.drop { $0 == "0" }
        let fraction = text[fractionStart..<exponentStart]

        var json = text.hasPrefix("-") ? "-" : ""
        json += whole.isEmpty ? "0" : whole
        // A point alone is no fraction in JSON.
        if fraction.count > 1 { json += fraction }
        json += text[exponentStart...]
        return try? JSONValue(text: Array(json.utf8))
    }

    /// Whether `text` is a URL or a relative reference (RFC 3986, section 4.1) without characters that are not allowed
    /// in a URL.
    private static func isURL(_ text: String) -> Bool {
        !text.isEmpty && URLComponents(strict: text)?.url != nil
    }
}

extension Coding {
    /// Returns the JSON of the date that `text` means, in the format of the API; nil if the text is no date.
    fileprivate func dateValue(_ text: String) -> JSONValue? {
        guard let parsedDate = date(text) else { return nil }
        // A Date would lose digits of the fraction of a second, so the text is sent as it is.
        if case .iso8601 = dates { return JSONValue(text) }
        return try? JSONValue(text: encode(parsedDate))
    }
}
