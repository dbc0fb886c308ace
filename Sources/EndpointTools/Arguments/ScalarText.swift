import EndpointKit
import JSONText

extension Shape {
    /// `text` as a value of this type in JSON; nil if it is not one. Bounds of integers are checked when it is decoded.
    func value(_ text: String, _ coding: Coding) -> JSONValue? {
        // A literal nil could be JSON's null.
        let none = JSONValue?.none
        if let other = nonNull {
            return text == "null" ? .null : other.value((try? JSONValue(text: text.exactBytes))?.string ?? text, coding)
        }
        return switch self {
        case .scalar(.boolean): Self.bool(text)
        case .scalar(.integer): text.utf8.contains(where: ".eE".utf8.contains) ? none : Self.number(text)
        case .scalar(.number): Self.number(text)
        case .scalar(.string), .scalar(.data): JSONValue(text)
        case .scalar(.url): Self.isURL(text) ? JSONValue(text) : none
        case .scalar(.uuid): UUID(uuidString: text).map { JSONValue($0.uuidString) }
        case .scalar(.date): coding.value(date: text)
        case .values(let values): values.first { $0.text == text }
        // A case without values is a switch.
        case .object([]): text == "true" ? [:] : none
        case .array, .dictionary, .object, .model, .nullable, .variants, .alternatives, .null, .any: none
        }
    }

    private static func bool(_ text: String) -> JSONValue? {
        switch text {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }

    /// The number without a plus and leading zeros, which JSON does not allow.
    private static func number(_ text: String) -> JSONValue? {
        guard Double(text)?.isFinite == true, text.utf8.allSatisfy("0123456789+-.eE".utf8.contains) else { return nil }
        let exponent = text.firstIndex { $0 == "e" || $0 == "E" } ?? text.endIndex
        let point = text[..<exponent].firstIndex(of: ".") ?? exponent
        let whole = text[..<point].drop { $0 == "-" || $0 == "+" }.drop { $0 == "0" }
        let fraction = text[point..<exponent]
        let digits = (whole.isEmpty ? "0" : whole) + (fraction.count > 1 ? fraction : "") + text[exponent...]
        return try? JSONValue(text: Array(((text.hasPrefix("-") ? "-" : "") + digits).utf8))
    }

    /// Whether `text` is a URL or a relative reference (RFC 3986, section 4.1) without characters that are not allowed in a URL.
    private static func isURL(_ text: String) -> Bool {
        !text.isEmpty && URLComponents(string: text, encodingInvalidCharacters: false)?.url != nil
    }
}

extension Coding {
    /// The JSON of the date that `text` means; nil if it is not a date.
    fileprivate func value(date text: String) -> JSONValue? {
        guard let date = date(text) else { return nil }
        // The text itself has every digit of its fraction.
        if case .iso8601 = dates { return JSONValue(text) }
        return try? JSONValue(text: encode(date))
    }
}
