import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ParameterType {
    /// `text` as the JSON of a value of this type; nil if it is not one. Bounds of integers are checked when it is decoded.
    func token(_ text: String, _ coding: Coding) -> String? {
        switch self {
        case .bool: Self.bool(text)
        case .integer: text.utf8.contains(where: ".eE".utf8.contains) ? nil : Self.number(text)
        case .number: Self.number(text)
        case .string: JSONQuoting.quoted(text)
        case .url: Self.isURL(text) ? JSONQuoting.quoted(text) : nil
        case .uuid: UUID(uuidString: text).map { JSONQuoting.quoted($0.uuidString) }
        case .date: coding.token(date: text)
        case .choice(let values, let areNumbers):
            values.contains(text) ? (areNumbers ? text : JSONQuoting.quoted(text)) : nil
        case .nullable(let type):
            text == "null" ? text : type.token((try? JSONValue(text: text.exactBytes))?.string ?? text, coding)
        // A case without values is a switch.
        case .object([]): text == "true" ? "{}" : nil
        case .array, .dictionary, .object, .variants, .json: nil
        }
    }

    private static func bool(_ text: String) -> String? {
        switch text {
        case "true", "yes", "1": "true"
        case "false", "no", "0": "false"
        default: nil
        }
    }

    /// The digits without a plus and leading zeros, which JSON does not allow.
    private static func number(_ text: String) -> String? {
        guard Double(text)?.isFinite == true, text.utf8.allSatisfy("0123456789+-.eE".utf8.contains) else { return nil }
        let exponent = text.firstIndex { $0 == "e" || $0 == "E" } ?? text.endIndex
        let point = text[..<exponent].firstIndex(of: ".") ?? exponent
        let whole = text[..<point].drop { $0 == "-" || $0 == "+" }.drop { $0 == "0" }
        let fraction = text[point..<exponent]
        return (text.hasPrefix("-") ? "-" : "") + (whole.isEmpty ? "0" : whole) + (fraction.count > 1 ? fraction : "")
            + text[exponent...]
    }

    /// Whether `text` is a URL or a relative reference (RFC 3986, section 4.1) without characters that are not allowed in a URL.
    private static func isURL(_ text: String) -> Bool {
        !text.isEmpty && URLComponents(string: text, encodingInvalidCharacters: false)?.url != nil
    }
}

extension Coding {
    /// The JSON of the date that `text` means; nil if it is not a date.
    fileprivate func token(date text: String) -> String? {
        guard let date = date(text) else { return nil }
        // The text itself has every digit of its fraction.
        if case .iso8601 = dates { return JSONQuoting.quoted(text) }
        return (try? encode(date)).map { String(decoding: $0, as: UTF8.self) }
    }
}
