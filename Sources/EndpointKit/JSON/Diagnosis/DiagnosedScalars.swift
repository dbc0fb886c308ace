#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The types that `JSONDecoder` reads from one token. Whether a token fits, it decides itself wherever that is not
// plain, so that both agree; here is only said what is wrong.

extension DiagnosedValue {
    /// The value as a `type`; nil if that is a type that decodes itself.
    func scalar(_ type: Any.Type) throws -> Any? {
        switch type {
        case is Bool.Type: try boolean()
        case is String.Type: try string()
        case let type as any (FixedWidthInteger & Decodable).Type: try integer(type)
        case is Double.Type: try floatingPoint(Double.self)
        case is Float.Type: try floatingPoint(Float.self)
        case is Decimal.Type: try decimal()
        case is Date.Type: try parsed("an ISO 8601 date", ISO8601Text.parse)
        case is UUID.Type: try parsed("a UUID") { UUID(uuidString: $0) }
        case is URL.Type: try parsed("a URL") { _ in byFoundation(URL.self) }
        case is Data.Type: try parsed("Base64 text") { _ in byFoundation(Data.self) }
        default: nil
        }
    }

    private func boolean() throws -> Bool {
        guard kind == .boolean else { throw mismatch(Bool.self) }
        return text.first == UInt8(ascii: "t")
    }

    /// The string with its escapes resolved.
    func string() throws -> String {
        guard kind == .string else { throw mismatch(String.self) }
        guard text.contains(UInt8(ascii: "\\")) else {
            return String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
        }
        guard let string = byFoundation(String.self) else { throw unfit("string without half a surrogate pair") }
        return string
    }

    private func parsed<Value>(_ expected: String, _ parse: (String) -> Value?) throws -> Value {
        guard let value = parse(try string()) else { throw unfit(expected) }
        return value
    }

    private func integer<I: FixedWidthInteger & Decodable>(_ type: I.Type) throws -> I {
        guard kind == .number else { throw mismatch(type) }
        let text = String(decoding: text, as: UTF8.self)
        if let integer = I(text) ?? byFoundation(type) { return integer }
        throw isOutOfRange(text, of: type) ? unfit("integer from \(I.min) to \(I.max)") : mismatch(type)
    }

    /// Whether the number, which is no `I`, is an integer, or so large that it makes no difference.
    private func isOutOfRange<I: FixedWidthInteger>(_ text: String, of type: I.Type) -> Bool {
        if !text.utf8.contains(where: { ".eE".utf8.contains($0) }) { return true }
        guard let number = Double(text), number.isInfinite || number == number.rounded() else { return false }
        return number < Double(I.min) || number >= Double(I.max)
    }

    private func floatingPoint<F: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ type: F.Type
    ) throws -> F {
        guard kind == .number else { throw mismatch(type) }
        // Zero may be what is left of a number too small, infinity of one too large: both are refused.
        if let number = F(String(decoding: text, as: UTF8.self)), number.isFinite, !number.isZero { return number }
        return try inRange(type)
    }

    private func decimal() throws -> Decimal {
        guard kind == .number else { throw mismatch(Decimal.self) }
        return try inRange(Decimal.self)
    }

    private func inRange<Number: Decodable>(_ type: Number.Type) throws -> Number {
        guard let number = byFoundation(type) else { throw unfit("number in the range of \(type)") }
        return number
    }

    private func byFoundation<T: Decodable>(_ type: T.Type) -> T? {
        try? JSONDecoder().decode(type, from: Data(text))
    }
}
