import JSONText

/// The dates in HTTP headers (RFC 9110, section 5.6.7).
package enum HTTPDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The date in `text` as seconds since 1970; nil if it is not a date.
    ///
    /// The current form is `Sun, 06 Nov 1994 08:49:37 GMT`; recipients must also accept `Sunday, 06-Nov-94 08:49:37 GMT` and
    /// `Sun Nov  6 08:49:37 1994`. The day of the week is ignored.
    package static func parse(_ text: String) -> Int? {
        let words = text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ",") }
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 5 || words.count == 6 && words[5] == "GMT" else { return nil }
        let (day, month, year, clock) =
            words.count == 6 ? (words[1], words[2], words[3], words[4]) : (words[2], words[1], words[4], words[3])
        let time = clock.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0), 0...60) }
        guard let day = number(day, 1...31), let month = months.firstIndex(of: month),
            let year = number(year, 0...9999),
            time.count == 3, let hour = time[0], let minute = time[1], let second = time[2]
        else { return nil }
        // RFC 850 years: 70 to 99 are 19xx, 00 to 69 are 20xx.
        let fullYear = year >= 100 ? year : year < 70 ? year + 2000 : year + 1900
        var moment = CalendarTime(year: fullYear, month: month + 1, day: day)
        (moment.hour, moment.minute, moment.second) = (hour, minute, second)
        return moment.date.map { Int($0.timeIntervalSince1970) }
    }

    /// A time in seconds since 1970 as `Sun, 06 Nov 1994 08:49:37 GMT`; nil outside the years 1 to 9999.
    package static func text(_ seconds: Int) -> String? {
        guard let time = CalendarTime(Date(timeIntervalSince1970: Double(seconds))), let days = time.daysSince1970
        else {
            return nil
        }
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        // 1970 began on a Thursday.
        let weekday = weekdays[(days % 7 + 7) % 7]
        let clock = [time.hour, time.minute, time.second].map(padded).joined(separator: ":")
        let year = String("000\(time.year)".suffix(4))
        return "\(weekday), \(padded(time.day)) \(months[time.month - 1]) \(year) \(clock) GMT"
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        Int(digits: text).flatMap { range.contains($0) ? $0 : nil }
    }
}
