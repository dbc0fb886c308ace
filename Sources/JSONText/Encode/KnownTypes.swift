#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Foundation's own types, whose `encode(to:)` gives away too much of how they are made.

extension EncodingSession {
    /// The text of a type that is not encoded through its own `encode(to:)`; nil for all other types.
    func knownType<Value: Encodable>(
        _ value: Value, at path: @autoclosure () -> CodingPath
    ) throws -> EncodedValue? {
        if Value.self == Date.self, let date = value as? Date { return try self.date(date, at: path()) }
        if Value.self == URL.self, let url = value as? URL { return string(url.absoluteString) }
        if Value.self == UUID.self, let uuid = value as? UUID { return string(uuid.uuidString) }
        if Value.self == Data.self, let data = value as? Data { return string(data.base64EncodedString()) }
        if Value.self == Decimal.self, let decimal = value as? Decimal {
            guard decimal.isFinite else { throw notANumber(decimal, at: path()) }
            return unquoted(decimal.description)
        }
        return nil
    }

    private func date(_ date: Date, at path: CodingPath) throws -> EncodedValue {
        let time = date.timeIntervalSince1970
        // ISO 8601 has four digits for the year. Dates are doubles: today they tell microseconds apart, no less.
        let endOfYear9999 = Date(timeIntervalSince1970: 253_402_300_800)
        let microsecond = 0.000_001
        guard date >= .distantPast, date < endOfYear9999.addingTimeInterval(-microsecond) else {
            let context = EncodingError.Context(
                codingPath: path.codingPath, debugDescription: "ISO 8601 has no text for this date.")
            // Not the date itself: Foundation traps when it describes one that is not a number.
            throw EncodingError.invalidValue(time, context)
        }
        var seconds = time.rounded(.down)
        var microseconds = Int(((time - seconds) / microsecond).rounded())
        if microseconds == 1_000_000 {
            seconds += 1
            microseconds = 0
        }
        let text = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
        guard microseconds > 0 else { return string(text) }
        let digits = String(1_000_000 + microseconds).dropFirst()
        let fraction = digits.hasSuffix("000") ? digits.dropLast(3) : digits
        return string("\(text.dropLast()).\(fraction)Z")
    }
}
