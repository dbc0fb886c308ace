import EndpointKit
import JSONText

extension Shape {
    /// Returns the JSON of a text for a value of this type: `550`, `true`, `"2026-11-21"`.
    ///
    /// A text for a value that may be null can be a string in JSON, so that `"null"` is not null.
    ///
    /// - Returns: The JSON; nil if the text is no such value. The bounds of integers are only checked when the JSON is
    ///   decoded.
    func value(_ text: String, _ coding: Coding) -> JSONValue? {
        // A literal nil would be JSON's null.
        let none = JSONValue?.none
        if let other = nonNull {
            if text == "null" { return .null }
            let json = try? JSONValue(text: text.exactBytes)
            return other.value(json?.string ?? text, coding)
        }
        return switch self {
        case .scalar(.boolean): Self.bool(text)
        case .scalar(.integer): text.utf8.contains(where: ".eE".utf8.contains) ? none : Self.number(text)
        case .scalar(.number): Self.number(text)
        case .scalar(.string), .scalar(.data): JSONValue(text)
        case .scalar(.url): Self.isURL(text) ? JSONValue(text) : none
        // The server may compare it letter by letter, so it keeps its case.
        case .scalar(.uuid): UUID(uuidString: text) == nil ? none : JSONValue(text)
        case .scalar(.date): coding.value(date: text)
        case .values(let values): values.first { $0.text == text }
        // A case without values is a switch.
        case .object([]): text == "true" ? [:] : none
        case .array, .dictionary, .object, .open, .model, .nullable, .variants, .alternatives, .null, .any: none
        }
    }

    /// Returns a boolean, for which people also type `yes`, `no`, `1` and `0`.
    private static func bool(_ text: String) -> JSONValue? {
        switch text {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }

    /// Returns the number with all its digits, but as JSON spells it: without a plus, leading zeros or an empty
    /// fraction.
    ///
    ///     +007.50     7.50
    ///     -.5         -0.5
    ///     1.e3        1e3
    ///
    /// - Returns: The number; nil if the text is no decimal number, or too large for a Double.
    private static func number(_ text: String) -> JSONValue? {
        let isDecimal = text.utf8.allSatisfy("0123456789+-.eE".utf8.contains)
        guard isDecimal, let value = Double(text), value.isFinite else { return nil }
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
    fileprivate func value(date text: String) -> JSONValue? {
        guard let date = date(text) else { return nil }
        // A Date would lose digits of the fraction of a second, so the text is sent as it is.
        if case .iso8601 = dates { return JSONValue(text) }
        return try? JSONValue(text: encode(date))
    }
}
