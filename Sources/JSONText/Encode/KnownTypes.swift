#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Foundation's own types, whose `encode(to:)` gives away too much of how they are made, and dictionaries.

/// A scalar as it is written.
enum Scalar {
    case string(String)
    case integer(Int)
    /// A number by its text.
    case number(String)
    /// ASCII that needs no escape.
    case plain(String)
    case time(CalendarTime)
}

extension TextPart {
    @inline(__always)
    mutating func write(_ scalar: Scalar) {
        switch scalar {
        case .string(let text): formatter.write(text, &out)
        case .integer(let number): formatter.write(number, &out)
        case .number(let text): formatter.write(plain: .number, text, &out)
        case .plain(let text): formatter.write(plain: .string, text, &out)
        case .time(let time):
            formatter.write(plain: .string, upTo: DateText.longest, &out) { DateText.write(time, to: $0) }
        }
    }
}

extension EncodingSession {
    /// The JSON text of `value`, which is of that kind; nil if it is not a scalar.
    @inline(__always)
    func scalar<Value>(
        _ value: Value, _ kind: TypeKinds.Kind, path: () -> [any CodingKey]
    ) throws -> Scalar? {
        // The kind says that the types are the same, so the casts cannot trap; `as` would search for conformances and bridges first.
        switch kind {
        case .string: .string(unsafeBitCast(value, to: String.self))
        case .integer: .integer(unsafeBitCast(value, to: Int.self))
        case .double: try number(unsafeBitCast(value, to: Double.self), path: path)
        case .float: try number(unsafeBitCast(value, to: Float.self), path: path)
        case .date: try scalar(unsafeBitCast(value, to: Date.self), path: path)
        case .url: (value as? URL).map { .string($0.absoluteString) }
        case .uuid: .plain(unsafeBitCast(value, to: UUID.self).uuidString)
        case .data:
            if case .base64 = coding.data { (value as? Data).map { .plain($0.base64EncodedString()) } } else { nil }
        case .decimal: try decimal(unsafeBitCast(value, to: Decimal.self), path: path)
        case .dictionary, .json, .other: nil
        }
    }

    /// Encodes a value of a known type that is not one scalar.
    func encodeKnown<Value: Encodable>(_ value: Value, _ kind: TypeKinds.Kind, _ handle: Handle) throws {
        let encoder = ValueEncoder(handle: handle)
        switch kind {
        case .dictionary:
            if let dictionary = value as? any SortedDictionary, try dictionary.encodeMembers(in: self, handle) {
                return
            }
        case .date:
            if case .custom(_, let encode) = coding.dates, let date = value as? Date {
                return try encode(date, encoder)
            }
        case .data:
            if case .custom(_, let encode) = coding.data, let data = value as? Data { return try encode(data, encoder) }
        case .json:
            if let json = value as? JSONValue {
                return json.written.withUnsafeBytes { text in
                    write(.same, handle) { _ = $0.write(json: text, &$1) }
                }
            }
        default: break
        }
        try value.encode(to: encoder)
    }

    // MARK: Numbers

    func number<Number: BinaryFloatingPoint & CustomStringConvertible>(
        _ value: Number, path: () -> [any CodingKey]
    ) throws -> Scalar {
        if value.isFinite {
            let text = value.description
            return .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
        }
        guard case .strings(let positiveInfinity, let negativeInfinity, let nan) = coding.floats else {
            throw notANumber(value, path())
        }
        return .string(value.isNaN ? nan : value > 0 ? positiveInfinity : negativeInfinity)
    }

    private func decimal(_ value: Decimal, path: () -> [any CodingKey]) throws -> Scalar {
        guard value.isFinite else { throw notANumber(value, path()) }
        return .number(value.description)
    }

    private func notANumber(_ value: Any, _ path: [any CodingKey]) -> EncodingError {
        invalid(value, "JSON has no number for \(value).", path)
    }

    private func invalid(_ value: Any, _ problem: String, _ path: [any CodingKey]) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: problem))
    }

    // MARK: Dates

    private func scalar(_ date: Date, path: () -> [any CodingKey]) throws -> Scalar? {
        switch coding.dates {
        case .iso8601:
            guard let time = CalendarTime(date) else { throw outOfRange(date, "ISO 8601", path()) }
            return .time(time)
        case .secondsSince1970: return try number(date.timeIntervalSince1970, path: path)
        case .millisecondsSince1970: return try number(date.timeIntervalSince1970 * 1000, path: path)
        case .format(let form):
            switch datePattern {
            case .success(let pattern):
                guard let text = pattern.format(date) else { throw outOfRange(date, "The pattern '\(form)'", path()) }
                return .string(text)
            case .failure(let error): throw invalid(form, "\(error)", path())
            case nil: return nil
            }
        case .deferredToDate, .custom: return nil
        }
    }

    private func outOfRange(_ date: Date, _ form: String, _ path: [any CodingKey]) -> EncodingError {
        // Not the date itself: Foundation traps when it describes one that is not a number.
        invalid(date.timeIntervalSince1970, "\(form) has no text for this date.", path)
    }
}
