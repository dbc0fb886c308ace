#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Dates as text by ISO 8601 and RFC 3339: `2026-11-21T09:30:00Z`.
package enum DateText {
    /// `date` in UTC with milliseconds or microseconds only if they are not zero; nil outside the years 1 to 9999.
    package static func iso8601(_ date: Date) -> String? {
        guard let time = CalendarTime(date) else { return nil }
        return String(unsafeUninitializedCapacity: longest) { write(time, to: $0.baseAddress.unsafelyUnwrapped) }
    }

    /// The date that `text` names: a day alone (midnight UTC), or a day and a time of the day with its offset from UTC, as
    /// `2026-11-21T09:30:00.5+01:00`. The `T` may be a space, the offset `Z`, `+01:00`, `+0100` or `+01`. Nil for anything else.
    package static func parse(_ text: some StringProtocol) -> Date? {
        if let date = text.utf8.withContiguousStorageIfAvailable({ parse(UnsafeRawBufferPointer($0)) }) { return date }
        return Array(text.utf8).withUnsafeBytes(parse)
    }

    /// As the form for a string, for the bytes of UTF-8 text.
    package static func parse(_ text: UnsafeRawBufferPointer) -> Date? {
        var reader = DateReader(text)
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

    /// The length of `2026-11-21T09:30:00.123456Z`.
    static let longest = 27

    /// Writes `time`, which is in UTC, and returns how many bytes it took; there must be room for ``longest``.
    static func write(_ time: CalendarTime, to start: UnsafeMutablePointer<UInt8>) -> Int {
        func write(_ number: Int, at index: Int) {
            start[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
            start[index + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
        }
        write(time.year / 100, at: 0)
        write(time.year % 100, at: 2)
        start[4] = UInt8(ascii: "-")
        write(time.month, at: 5)
        start[7] = UInt8(ascii: "-")
        write(time.day, at: 8)
        start[10] = UInt8(ascii: "T")
        write(time.hour, at: 11)
        start[13] = UInt8(ascii: ":")
        write(time.minute, at: 14)
        start[16] = UInt8(ascii: ":")
        write(time.second, at: 17)
        let microseconds = time.microseconds
        var count = 19
        if microseconds > 0 {
            start[19] = UInt8(ascii: ".")
            write(microseconds / 10_000, at: 20)
            write(microseconds / 100 % 100, at: 22)
            write(microseconds % 100, at: 24)
            count = microseconds % 1000 == 0 ? 23 : 26
        }
        start[count] = UInt8(ascii: "Z")
        return count + 1
    }
}
