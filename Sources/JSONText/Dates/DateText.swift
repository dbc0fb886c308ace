/// Dates as text by ISO 8601 and RFC 3339: `2026-11-21T09:30:00Z`.
package enum DateText {
    /// `date` in UTC with milliseconds or microseconds only if they are not zero; nil outside the years 1 to 9999.
    package static func iso8601(_ date: Date) -> String? {
        guard let time = CalendarTime(date) else { return nil }
        var text = padded(time.year, 4)
        for (separator, field) in [
            ("-", time.month), ("-", time.day), ("T", time.hour), (":", time.minute), (":", time.second),
        ] {
            text += separator + padded(field, 2)
        }
        let microseconds = Int((time.fraction * 1_000_000).rounded())
        if microseconds > 0 {
            text += "." + (microseconds % 1000 == 0 ? padded(microseconds / 1000, 3) : padded(microseconds, 6))
        }
        return text + "Z"
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    /// The date that `text` names: a day alone (midnight UTC), or a day and a time of the day with its offset from UTC, as
    /// `2026-11-21T09:30:00.5+01:00`. The `T` may be a space, the offset `Z`, `+01:00`, `+0100` or `+01`. Nil for anything else.
    package static func parse(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { parse(UnsafeRawBufferPointer($0)) }
    }

    /// As the form for a string, for the bytes of UTF-8 text.
    package static func parse(_ text: UnsafeRawBufferPointer) -> Date? {
        var reader = DateReader(bytes: text)
        let dash = UInt8(ascii: "-")
        let colon = UInt8(ascii: ":")
        guard let year = reader.number(digits: 4), reader.take(dash), let month = reader.number(digits: 2),
            reader.take(dash), let day = reader.number(digits: 2)
        else { return nil }
        var time = CalendarTime(year: year, month: month, day: day)
        if reader.isAtEnd { return time.date }
        guard reader.take(UInt8(ascii: "T")) || reader.take(UInt8(ascii: " ")), let hour = reader.number(digits: 2),
            reader.take(colon), let minute = reader.number(digits: 2), reader.take(colon),
            let second = reader.number(digits: 2)
        else { return nil }
        (time.hour, time.minute, time.second) = (hour, minute, second)
        if reader.take(UInt8(ascii: ".")) {
            guard let fraction = reader.fraction() else { return nil }
            time.fraction = fraction
        }
        if !reader.take(UInt8(ascii: "Z")) {
            guard let offset = reader.offset() else { return nil }
            time.offsetSeconds = offset
        }
        return reader.isAtEnd ? time.date : nil
    }
}

/// Reads the fields of a date from text, from left to right.
private struct DateReader {
    let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    /// Passes over that byte, if it comes next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func digit() -> Int? {
        guard index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 else { return nil }
        index += 1
        return Int(bytes[index - 1] - UInt8(ascii: "0"))
    }

    /// A number of exactly so many digits.
    mutating func number(digits count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// The digits after a decimal point, one at least; those beyond the fifteenth do not count.
    mutating func fraction() -> Double? {
        let start = index
        var (number, scale) = (0, 1)
        while let digit = digit() {
            guard index - start <= 15 else { continue }
            number = number * 10 + digit
            scale *= 10
        }
        return index > start ? Double(number) / Double(scale) : nil
    }

    /// `+01:00`, `+0100` or `+01`, in seconds; up to 23:59 either way.
    mutating func offset() -> Int? {
        let isNegative = take(UInt8(ascii: "-"))
        guard isNegative || take(UInt8(ascii: "+")), let hours = number(digits: 2), hours <= 23 else { return nil }
        let isEnd = isAtEnd
        _ = take(UInt8(ascii: ":"))
        guard let minutes = isEnd ? 0 : number(digits: 2), minutes <= 59 else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return isNegative ? -seconds : seconds
    }
}
