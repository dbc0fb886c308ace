#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Parses text as a single value of a parameter's type.
enum ScalarText {
    /// `text` as a `T`. Throws ``ArgumentError/invalid(_:text:expected:position:)``, which says what was expected.
    static func parse<T>(_ type: T.Type, _ argument: Argument, _ coding: Coding) throws(ArgumentError) -> T {
        guard case .text(let text) = argument.value else {
            throw .invalid(
                argument.path, text: "JSON", expected: phrase(of: type, for: ""), position: argument.position)
        }
        guard let value = value(of: type, text, coding) as? T else {
            throw .invalid(
                argument.path, text: text, expected: phrase(of: type, for: text), position: argument.position)
        }
        return value
    }

    /// Whether `type` is parsed here instead of by its `Decodable` conformance.
    static func reads(_ type: Any.Type) -> Bool {
        type is Decimal.Type || type is URL.Type || type is UUID.Type || type is Date.Type
    }

    private static func value(of type: Any.Type, _ text: String, _ coding: Coding) -> Any? {
        switch type {
        case is String.Type: text
        case is Bool.Type: bool(text)
        case let type as any FixedWidthInteger.Type: integer(type, text)
        case is Double.Type: finite(Double(text))
        case is Float.Type: finite(Float(text))
        case is Decimal.Type: decimal(text)
        case is URL.Type: url(text)
        case is UUID.Type: UUID(uuidString: text)
        case is Date.Type: coding.date(text)
        default: nil
        }
    }

    private static func bool(_ text: String) -> Bool? {
        switch text {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }

    private static func integer<I: FixedWidthInteger>(_ type: I.Type, _ text: String) -> I? { I(text) }

    private static func finite<F: BinaryFloatingPoint>(_ value: F?) -> F? {
        value.flatMap { $0.isFinite ? $0 : nil }
    }

    /// `Decimal(string:)` accepts a number followed by other text, so the whole text is checked first.
    private static func decimal(_ text: String) -> Decimal? {
        Double(text).map(\.isFinite) == true && text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
            ? Decimal(string: text) : nil
    }

    /// A URL or a relative reference (RFC 3986, section 4.1) without characters that are not allowed in a URL.
    private static func url(_ text: String) -> URL? {
        text.isEmpty ? nil : URLComponents(string: text, encodingInvalidCharacters: false)?.url
    }

    /// What the type accepts; with its bounds if `text` is an integer beyond them.
    private static func phrase(of type: Any.Type, for text: String) -> String {
        guard let known = ParameterType(type) else { return "a value" }
        guard case .integer(let minimum, let maximum) = known, isInteger(text) else { return known.phrase }
        return "an integer from \(minimum) to \(maximum)"
    }

    private static func isInteger(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        return !digits.isEmpty && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
