#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Dates as text in the form of RFC 3339: `2026-11-21T09:30:00Z`.
public enum ISO8601Text {
    /// `date` in UTC, with milliseconds only where there are any.
    public static func format(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        if seconds == seconds.rounded(), fourDigitYears.contains(seconds) { return wholeSeconds(Int(seconds)) }
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: seconds != seconds.rounded()))
    }

    /// From 1600, when the Gregorian calendar was in use, to the end of 9999, in seconds since 1970.
    private static let fourDigitYears: Range<Double> = -11_676_096_000..<253_402_300_800

    /// The text of a time in that range, without the library's calendar and time zones: setting those up takes longer than a whole
    /// listing.
    private static func wholeSeconds(_ seconds: Int) -> String {
        let sinceYear0 = seconds + 719_468 * 86_400
        let (day, second) = sinceYear0.quotientAndRemainder(dividingBy: 86_400)
        // Years are counted from March, so that a leap day is the last of its year; 400 of them repeat.
        let (era, dayOfEra) = day.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let date = "\(twoDigits(year / 100))\(twoDigits(year % 100))-\(twoDigits(month))-\(twoDigits(dayOfMonth))"
        return "\(date)T\(twoDigits(second / 3600)):\(twoDigits(second / 60 % 60)):\(twoDigits(second % 60))Z"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The date that `text` names, or nil: a day alone (midnight UTC), or a day and a time with its zone.
    ///
    /// The library's parser takes trailing text and the 30th of February; both are refused here.
    public static func parse(_ text: String) -> Date? {
        let dayStyle = Date.ISO8601FormatStyle().year().month().day()
        let day = String(text.prefix(10))
        guard hasShape(text), let midnight = try? dayStyle.parse(day), midnight.formatted(dayStyle) == day else {
            return nil
        }
        return text.utf8.count == 10 ? midnight : try? Date.ISO8601FormatStyle().parse(text)
    }

    /// `dddd-dd-dd`, or that and `Tdd:dd:dd`, a fraction or none, and `Z` or `+dd:dd` with or without the colon; and no
    /// number beyond what a clock shows, 60 for a leap second included.
    private static func hasShape(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        func take(_ shape: String) -> Bool {
            let matches =
                rest.count >= shape.utf8.count
                && zip(rest, shape.utf8).allSatisfy { byte, wanted in
                    wanted == UInt8(ascii: "d") ? isDigit(byte) : byte == wanted
                }
            if matches { rest = rest.dropFirst(shape.utf8.count) }
            return matches
        }
        func takeNumber(upTo limit: Int) -> Bool {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            return take("dd") && Int(digits).map { $0 <= limit } == true
        }
        guard take("dddd-dd-dd") else { return false }
        if rest.isEmpty { return true }
        guard take("T"), takeNumber(upTo: 23), take(":"), takeNumber(upTo: 59), take(":"), takeNumber(upTo: 60) else {
            return false
        }
        if take(".d") { rest = rest.drop(while: isDigit) }
        if take("Z") { return rest.isEmpty }
        guard take("+") || take("-"), takeNumber(upTo: 23) else { return false }
        _ = take(":")
        return takeNumber(upTo: 59) && rest.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
