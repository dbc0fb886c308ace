/// Dates as text by ISO 8601 and RFC 3339: `2026-11-21T09:30:00Z`.
package enum DateText {
    /// Writes a date in UTC: `2026-11-21T09:30:00Z`, or `2026-11-21T09:30:00.250Z` with a fraction of a second.
    ///
    /// A fraction has three digits if they are enough, else six. It is left out if it is zero.
    ///
    /// - Returns: The text, or nil outside the years 1 to 9999.
    package static func iso8601(_ date: Date) -> String? {
        guard let time = CalendarTime(date) else { return nil }
        let year = zeroPadded(time.year, toDigits: 4)
        let monthAndDay = [time.month, time.day].map { zeroPadded($0, toDigits: 2) }.joined(separator: "-")
        let clock = [time.hour, time.minute, time.second].map { zeroPadded($0, toDigits: 2) }.joined(separator: ":")
        return "\(year)-\(monthAndDay)T\(clock)\(fraction(of: time))Z"
    }

    /// Returns the fraction of a second with its decimal point, such as `.250`, or an empty text if it is zero.
    private static func fraction(of time: CalendarTime) -> String {
        let microseconds = Int((time.fraction * 1_000_000).rounded())
        if microseconds == 0 { return "" }
        if microseconds % 1000 == 0 { return "." + zeroPadded(microseconds / 1000, toDigits: 3) }
        return "." + zeroPadded(microseconds, toDigits: 6)
    }

    /// Returns a number with zeros before it, so that it has at least `digitCount` digits: `07`.
    private static func zeroPadded(_ number: Int, toDigits digitCount: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, digitCount - digits.utf8.count)) + digits
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

    /// Reads a date from text in UTF-8: a day alone, or a day, a `T` or a blank, a time and its offset from UTC.
    ///
    /// - Returns: The date, or nil if the text is anything else or the day does not exist.
    package static func parse(_ text: UnsafeRawBufferPointer) -> Date? {
        var parser = DateParser(bytes: text)
        guard var time = parser.parseDay() else { return nil }
        let isDayAlone = parser.isAtEnd
        if isDayAlone { return time.date }
        guard parser.consume(if: "T") || parser.consume(if: " ") else { return nil }
        guard parser.parseClock(into: &time), parser.parseOffset(into: &time), parser.isAtEnd else { return nil }
        return time.date
    }
}

/// Reads the fields of a date from text, from left to right.
private struct DateParser {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    /// Reads a day, such as `2026-11-21`, or returns nil if the text has another form.
    mutating func parseDay() -> CalendarTime? {
        guard let year = parseNumber(digits: 4), consume(if: "-") else { return nil }
        guard let month = parseNumber(digits: 2), consume(if: "-") else { return nil }
        guard let day = parseNumber(digits: 2) else { return nil }
        return CalendarTime(year: year, month: month, day: day)
    }

    /// Reads a time of the day: `09:30:00` or `09:30:00.5`.
    ///
    /// - Parameter time: The time whose hour, minute, second and fraction are set.
    /// - Returns: Whether the text has this form.
    mutating func parseClock(into time: inout CalendarTime) -> Bool {
        guard let hour = parseNumber(digits: 2), consume(if: ":") else { return false }
        guard let minute = parseNumber(digits: 2), consume(if: ":") else { return false }
        guard let second = parseNumber(digits: 2) else { return false }
        // No range is checked here: `CalendarTime.date` is nil if one of these is out of its range.
        time.hour = hour
        time.minute = minute
        time.second = second
        if consume(if: ".") {
            guard let fraction = parseFraction() else { return false }
            time.fraction = fraction
        }
        return true
    }

    /// Reads the offset from UTC: `Z`, `+01:00`, `+0100` or `+01`, up to 23:59 in either direction.
    ///
    /// - Parameter time: The time whose offset is set.
    /// - Returns: Whether the text has one of these forms.
    mutating func parseOffset(into time: inout CalendarTime) -> Bool {
        // `Z` stands for UTC: the offset stays 0, with which a time starts.
        if consume(if: "Z") { return true }
        let isNegative = consume(if: "-")
        guard isNegative || consume(if: "+") else { return false }
        guard let hours = parseNumber(digits: 2), hours <= 23 else { return false }
        var minutes = 0
        if !isAtEnd {
            // The colon may be left out.
            _ = consume(if: ":")
            guard let writtenMinutes = parseNumber(digits: 2), writtenMinutes <= 59 else { return false }
            minutes = writtenMinutes
        }
        let seconds = hours * 3600 + minutes * 60
        time.offsetSeconds = isNegative ? -seconds : seconds
        return true
    }

    /// Moves after an ASCII character if it comes next.
    ///
    /// - Returns: Whether the character came next. If it did not, nothing has been read.
    @inline(__always)
    mutating func consume(if character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Reads a digit, or returns nil if anything else comes next.
    private mutating func parseDigit() -> Int? {
        guard index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 else { return nil }
        index += 1
        return Int(bytes[index - 1] - UInt8(ascii: "0"))
    }

    /// Reads a number of exactly `count` digits, such as the `07` of a month, or returns nil if there are fewer digits.
    private mutating func parseNumber(digits count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = parseDigit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Reads the digits after a decimal point: 0.25 for `25`.
    ///
    /// Digits after the fifteenth are skipped, because a double does not distinguish them.
    ///
    /// - Returns: The fraction, or nil if there is no digit.
    private mutating func parseFraction() -> Double? {
        let start = index
        // The digits read so far stand for `number` divided by `scale`.
        var number: Int64 = 0
        var scale: Int64 = 1
        while let digit = parseDigit() {
            let digitCount = index - start
            guard digitCount <= 15 else { continue }
            number = number * 10 + Int64(digit)
            scale *= 10
        }
        return index > start ? Double(number) / Double(scale) : nil
    }
}
