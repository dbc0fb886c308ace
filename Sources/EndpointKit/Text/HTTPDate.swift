import JSONText

/// The dates in HTTP headers (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// The names of the days from Thursday on, because 1970 began on one.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns the date in `text` as seconds since 1970, or nil if it is not a date.
    ///
    /// Three forms are accepted (RFC 9110, section 5.6.7). The day of the week is ignored.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT     the current form
    ///     Sunday, 06-Nov-94 08:49:37 GMT    RFC 850
    ///     Sun Nov  6 08:49:37 1994          asctime
    package static func parse(_ text: String) -> Int64? {
        let wordBytes = text.utf8.split { " -,".utf8.contains($0) }
        let words = wordBytes.map { String(decoding: $0, as: UTF8.self) }
        if words.count == 6, words[5] == "GMT" {
            return seconds(day: words[1], month: words[2], year: words[3], clock: words[4])
        }
        let isAsctime = words.count == 5
        if isAsctime {
            return seconds(day: words[2], month: words[1], year: words[4], clock: words[3])
        }
        return nil
    }

    /// Returns a date as seconds since 1970.
    ///
    /// - Parameters:
    ///   - day: The day of the month: `06`.
    ///   - month: The English name of the month, shortened: `Nov`.
    ///   - year: The year, of two or four digits: `94`, `1994`.
    ///   - clock: The time in UTC: `08:49:37`.
    /// - Returns: The seconds. Nil if one of the parts is malformed or out of range.
    private static func seconds(day: String, month: String, year: String, clock: String) -> Int64? {
        guard let day = number(day, in: 1...31), let year = number(year, in: 0...9999) else { return nil }
        guard let monthIndex = months.firstIndex(of: month) else { return nil }
        var time = CalendarTime(year: fullYear(year), month: monthIndex + 1, day: day)
        let clockParts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard clockParts.count == 3 else { return nil }
        guard let hour = number(String(clockParts[0]), in: 0...23) else { return nil }
        guard let minute = number(String(clockParts[1]), in: 0...59) else { return nil }
        // The second may be 60, because of leap seconds.
        guard let second = number(String(clockParts[2]), in: 0...60) else { return nil }
        time.hour = hour
        time.minute = minute
        time.second = second
        guard let date = time.date else { return nil }
        return Int64(date.timeIntervalSince1970)
    }

    /// Returns the full year for a year of two digits, as in RFC 850: 70 to 99 are in the 20th century, 00 to 69 in the
    /// 21st. Any other year stays as it is.
    private static func fullYear(_ year: Int) -> Int {
        switch year {
        case 0..<70: year + 2000
        case 70..<100: year + 1900
        default: year
        }
    }

    /// Returns a time in the form that HTTP headers use: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
    ///
    /// - Parameter seconds: The time in seconds since 1970.
    /// - Returns: The text. Nil outside the years 1 to 9999.
    package static func text(_ seconds: Int64) -> String? {
        guard let time = CalendarTime(Date(timeIntervalSince1970: Double(seconds))) else { return nil }
        guard let daysSince1970 = time.daysSince1970 else { return nil }
        func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        // `weekdays` starts with Thursday, on which 1970 began. Before 1970, the remainder of the days is negative.
        let weekday = weekdays[(daysSince1970 % 7 + 7) % 7]
        let month = months[time.month - 1]
        let year = String("000\(time.year)".suffix(4))
        let clock = "\(twoDigits(time.hour)):\(twoDigits(time.minute)):\(twoDigits(time.second))"
        return "\(weekday), \(twoDigits(time.day)) \(month) \(year) \(clock) GMT"
    }

    /// Returns the number that the digits of `text` stand for; nil if `text` is no number, or if it is out of `range`.
    private static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
        guard let number = Int(digits: text), range.contains(number) else { return nil }
        return number
    }
}
