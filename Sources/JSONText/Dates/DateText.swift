/// Dates as text by ISO 8601 and RFC 3339: `2026-11-21T09:30:00Z`.
package enum DateText {
    /// Writes a date in UTC: `2026-11-21T09:30:00Z`, or `2026-11-21T09:30:00.250Z` with a fraction of a second.
    ///
    /// A fraction has three digits if they are enough, else six. It is left out if it is zero.
    ///
    /// - Returns: The text, or nil outside the years 1 to 9999.
    package static func iso8601(_ date: Date) -> String? {
        guard let time = CalendarTime(date) else { return nil }
        let day = "\(padded(time.year, digits: 4))-\(padded(time.month, digits: 2))-\(padded(time.day, digits: 2))"
        let clock = [time.hour, time.minute, time.second].map { padded($0, digits: 2) }.joined(separator: ":")
        return "\(day)T\(clock)\(fraction(of: time))Z"
    }

    /// Returns the fraction of a second with its decimal point, such as `.250`, or an empty text if it is zero.
    private static func fraction(of time: CalendarTime) -> String {
        let microseconds = Int((time.fraction * 1_000_000).rounded())
        if microseconds == 0 { return "" }
        if microseconds % 1000 == 0 { return "." + padded(microseconds / 1000, digits: 3) }
        return "." + padded(microseconds, digits: 6)
    }

    /// Returns a number with zeros before it, so that it has at least `count` digits: `07`.
    private static func padded(_ number: Int, digits count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    /// Reads a date: a day alone (midnight UTC), or a day and a time of the day with its offset from UTC.
    ///
    ///     2026-11-21
    ///     2026-11-21T09:30:00Z
    ///     2026-11-21T09:30:00.5+01:00
    ///
    /// The `T` may be a space. The offset may be `Z`, `+01:00`, `+0100` or `+01`.
    ///
    /// - Returns: The date, or nil if `text` is anything else or the day does not exist.
    package static func parse(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { parse(UnsafeRawBufferPointer($0)) }
    }

    /// Reads a date from text in UTF-8: a day alone, or a day, a `T` or blank, a time and its offset from UTC.
    ///
    /// - Returns: The date, or nil if the text is anything else or the day does not exist.
    package static func parse(_ text: UnsafeRawBufferPointer) -> Date? {
        var reader = DateReader(bytes: text)
        guard var time = reader.readDay() else { return nil }
        if reader.isAtEnd { return time.date }
        guard reader.take("T") || reader.take(" "), reader.readClock(into: &time), reader.readOffset(into: &time),
            reader.isAtEnd
        else { return nil }
        return time.date
    }
}

/// Reads the fields of a date from text, from left to right.
private struct DateReader {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    /// Reads a day, such as `2026-11-21`, or returns nil if the text has another form.
    mutating func readDay() -> CalendarTime? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
            let day = number(digits: 2)
        else { return nil }
        return CalendarTime(year: year, month: month, day: day)
    }

    /// Reads a time of the day: `09:30:00` or `09:30:00.5`.
    ///
    /// - Parameter time: The time whose hour, minute, second and fraction are set.
    /// - Returns: Whether the text has this form.
    mutating func readClock(into time: inout CalendarTime) -> Bool {
        guard let hour = number(digits: 2), take(":"), let minute = number(digits: 2), take(":"),
            let second = number(digits: 2)
        else { return false }
        time.hour = hour
        time.minute = minute
        time.second = second
        if take(".") {
            guard let fraction = fraction() else { return false }
            time.fraction = fraction
        }
        return true
    }

    /// Reads the offset from UTC: `Z`, `+01:00`, `+0100` or `+01`, up to 23:59 in either direction.
    ///
    /// - Parameter time: The time whose offset is set.
    /// - Returns: Whether the text has one of these forms.
    mutating func readOffset(into time: inout CalendarTime) -> Bool {
        if take("Z") { return true }
        let isNegative = take("-")
        guard isNegative || take("+") else { return false }
        guard let hours = number(digits: 2), hours <= 23 else { return false }
        var minutes = 0
        if !isAtEnd {
            _ = take(":")
            guard let number = number(digits: 2), number <= 59 else { return false }
            minutes = number
        }
        let seconds = hours * 3600 + minutes * 60
        time.offsetSeconds = isNegative ? -seconds : seconds
        return true
    }

    /// Skips a character of ASCII, if it comes next, and returns whether it did.
    @inline(__always)
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Reads a digit, or returns nil if anything else comes next.
    private mutating func digit() -> Int? {
        guard index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 else { return nil }
        index += 1
        return Int(bytes[index - 1] - UInt8(ascii: "0"))
    }

    /// Reads a number of exactly `count` digits.
    private mutating func number(digits count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Reads the digits after a decimal point: 0.25 for `25`.
    ///
    /// Digits after the fifteenth are skipped, because a double does not distinguish them.
    ///
    /// - Returns: The fraction, or nil if there is no digit.
    private mutating func fraction() -> Double? {
        let start = index
        var number: Int64 = 0
        var scale: Int64 = 1
        while let digit = digit() {
            guard index - start <= 15 else { continue }
            number = number * 10 + Int64(digit)
            scale *= 10
        }
        return index > start ? Double(number) / Double(scale) : nil
    }
}
