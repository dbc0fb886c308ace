import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
            time.count == 3, let hour = time[0], hour < 24, let minute = time[1], minute < 60, let second = time[2]
        else { return nil }
        // RFC 850 years: 70 to 99 are 19xx, 00 to 69 are 20xx.
        let fullYear = year >= 100 ? year : year < 70 ? year + 2000 : year + 1900
        return ((days(fullYear, month, day) * 24 + hour) * 60 + minute) * 60 + second
    }

    /// A time in seconds since 1970 as `Sun, 06 Nov 1994 08:49:37 GMT`; nil outside the years 1 to 9999.
    package static func text(_ seconds: Int) -> String? {
        guard let text = DateText.iso8601(Date(timeIntervalSince1970: Double(seconds))) else { return nil }
        let parts = text.split { "-T:Z".contains($0) }
        guard parts.count == 6, let month = Int(parts[1]) else { return nil }
        // 1970 began on a Thursday.
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let weekday = weekdays[(days % 7 + 7) % 7]
        return "\(weekday), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }

    /// The days from 1 January 1970 to a date in the Gregorian calendar; `month` counts from 0.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years are counted from March, so that a leap day is the last of its year.
        let (year, month) = month < 2 ? (year + 399, month + 10) : (year + 400, month - 2)
        let leapDays = year / 4 - year / 100 + year / 400
        return year * 365 + leapDays + (153 * month + 2) / 5 + day - 1 - 719_468 - 146_097
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            range.contains(number)
        else { return nil }
        return number
    }
}
