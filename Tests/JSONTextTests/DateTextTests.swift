import Foundation
import Testing

@testable import JSONText

struct DateTextTests {
    /// A date as text and as seconds since 1970.
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let seconds: Double

        init(_ text: String, seconds: Double) {
            self.text = text
            self.seconds = seconds
        }

        var testDescription: String { text }
    }

    @Test(arguments: [
        Row("2026-11-21", seconds: 1_795_219_200),
        Row("2026-11-21T09:30:00Z", seconds: 1_795_253_400),
        Row("2026-11-21 09:30:00Z", seconds: 1_795_253_400),
        Row("2026-11-21T10:30:00+01:00", seconds: 1_795_253_400),
        Row("2026-11-21T10:30:00+01", seconds: 1_795_253_400),
        Row("1969-12-31T19:00:00-0500", seconds: 0),
        Row("2026-11-21T15:00:00+05:30", seconds: 1_795_253_400),
        Row("2026-11-21T15:00:00+0530", seconds: 1_795_253_400),
        Row("2026-11-22T09:29:00+23:59", seconds: 1_795_253_400),
        Row("1970-01-01T00:00:01.250Z", seconds: 1.25),
        Row("1970-01-01T00:00:01.5Z", seconds: 1.5),
        Row("1970-01-01T00:00:01.500000000Z", seconds: 1.5),
        Row("1970-01-01T00:00:01.5000000000000000000000000000000000009Z", seconds: 1.5),
        Row("1970-01-01T01:00:01.5+01:00", seconds: 1.5),
        Row("2024-02-29", seconds: 1_709_164_800),
        Row("2000-02-29", seconds: 951_782_400),
        Row("1969-12-31T23:59:59Z", seconds: -1),
        Row("1969-12-31T23:59:59.75Z", seconds: -0.25),
        Row("2016-12-31T23:59:60Z", seconds: 1_483_228_800),
        Row("9999-12-31T23:59:59Z", seconds: 253_402_300_799),
        Row("1582-10-15T00:00:00Z", seconds: -12_219_292_800),
        Row("1582-10-14T00:00:00Z", seconds: -12_219_379_200),
        Row("1582-10-04T00:00:00Z", seconds: -12_220_243_200),
        Row("0004-02-29T00:00:00Z", seconds: -62_035_891_200),
        Row("0001-01-01T00:00:00Z", seconds: -62_135_596_800),
        Row("2038-01-19T03:14:08Z", seconds: 2_147_483_648),
    ])
    func readsDates(_ row: Row) throws {
        #expect(try #require(DateText.parse(row.text)).timeIntervalSince1970 == row.seconds)
    }

    @Test(arguments: [
        // Not all of year, month and day in four, two and two digits.
        "", "2026", "2026-11", "2026-11-2", "2026-1-21", "26-11-21", "12026-11-21", "-2026-11-21", "20261121",
        "2026/11/21", "now", "1795253400", "٢٠٢٦-11-21",
        // Days that no calendar has.
        "0000-01-01", "2026-02-30", "2026-02-30T00:00:00Z", "2025-02-29", "1900-02-29", "2026-04-31", "2026-06-31",
        "2026-13-01", "2026-00-01", "2026-01-00", "2026-01-32", "1500-02-29", "0001-02-29",
        // Text before or after the date.
        "2026-11-21x", "2026-11-21 ", " 2026-11-21", "2026-11-21T09:30:00Z ", "2026-11-21T09:30:00Zx",
        "2026-11-21T09:30:00\0Z",
        // A time of day without its seconds or its time zone.
        "2026-11-21T", "2026-11-21T09:30", "2026-11-21T09:30:00", "2026-11-21T09:30Z", "2026-11-21T09:30:00.5",
        // Malformed fractions of a second.
        "2026-11-21T09:30:00.Z", "2026-11-21T09:30:00,5Z", "2026-11-21T09:30:00.5.5Z",
        // Other separators between day, time and zone.
        "2026-11-21t09:30:00Z", "2026-11-21T09:30:00z", "2026-11-21  09:30:00Z", "2026-11-21T09:30:00 Z",
        // Malformed time zones.
        "2026-11-21T09:30:00+", "2026-11-21T09:30:00+1", "2026-11-21T09:30:00+25:00", "2026-11-21T09:30:00+01:0",
        "2026-11-21T09:30:00+01:", "2026-11-21T09:30:00+010", "2026-11-21T09:30:00+01:00Z",
        "2026-11-21T09:30:00+01:60",
        // Times that no day has.
        "2026-11-21T24:00:00Z", "2026-11-21T25:00:00Z", "2026-11-21T99:99:99Z", "2026-11-21T09:60:00Z",
        "2026-11-21T09:30:61Z",
    ])
    func refusesTextsThatAreNoDates(_ text: String) {
        #expect(DateText.parse(text) == nil)
    }

    @Test(arguments: [
        Row("1970-01-01T00:00:00Z", seconds: 0),
        Row("1969-12-31T23:59:59Z", seconds: -1),
        Row("1969-12-31T23:59:59.500Z", seconds: -0.5),
        Row("2023-11-14T22:13:20.123Z", seconds: 1_700_000_000.123),
        Row("1970-01-01T00:00:00.000250Z", seconds: 0.000_25),
        Row("1970-01-01T00:00:00.100001Z", seconds: 0.100_001),
        Row("1970-01-01T00:00:10Z", seconds: 9.999_999_9),
        Row("2024-02-29T23:59:59Z", seconds: 1_709_251_199),
        Row("2024-03-01T00:00:00Z", seconds: 1_709_251_200),
        Row("2100-03-01T00:00:00Z", seconds: 4_107_542_400),
        Row("1600-01-01T00:00:00Z", seconds: -11_676_096_000),
        Row("1582-10-10T00:00:00Z", seconds: -12_219_724_800),
        Row("2038-01-19T03:14:08Z", seconds: 2_147_483_648),
        Row("0001-01-01T00:00:00Z", seconds: -62_135_596_800),
        Row("9999-12-31T23:59:59Z", seconds: 253_402_300_799),
    ])
    func writesDatesInUTC(_ row: Row) {
        #expect(DateText.iso8601(Date(timeIntervalSince1970: row.seconds)) == row.text)
    }

    @Test(arguments: [-62_135_596_801, 253_402_300_800, -Double.infinity, Double.infinity, Double.nan])
    func datesOutsideTheYears1To9999HaveNoText(_ time: Double) {
        #expect(DateText.iso8601(Date(timeIntervalSince1970: time)) == nil)
    }

    /// The years follow each other without a gap, and the Gregorian rule for leap days holds before 1582 as well.
    @Test func yearsAreGregorian() throws {
        for year in 1...9998 {
            let first = try #require(CalendarTime(year: year, month: 1, day: 1).daysSince1970)
            let next = try #require(CalendarTime(year: year + 1, month: 1, day: 1).daysSince1970)
            let isLeapYear = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            #expect(next - first == (isLeapYear ? 366 : 365))
            let firstDay = try #require(CalendarTime(Date(timeIntervalSince1970: Double(first) * 86_400)))
            #expect(firstDay.year == year && firstDay.month == 1 && firstDay.day == 1)
            let lastDay = try #require(CalendarTime(Date(timeIntervalSince1970: Double(next - 1) * 86_400)))
            #expect(lastDay.year == year && lastDay.month == 12 && lastDay.day == 31)
            let sixtiethDay = try #require(CalendarTime(Date(timeIntervalSince1970: Double(first + 59) * 86_400)))
            if isLeapYear {
                #expect(sixtiethDay.month == 2 && sixtiethDay.day == 29)
            } else {
                #expect(sixtiethDay.month == 3 && sixtiethDay.day == 1)
            }
        }
    }

    // MARK: Comparison with Foundation

    /// Returns whole seconds since 1970, from 15 October 1582 to the end of 9999. Two thirds are from 1900 to 2100.
    ///
    /// Foundation uses the Julian calendar for earlier days.
    private static func randomSeconds(_ random: inout RandomText) -> Int {
        random.number(below: 3) > 0
            ? random.number(below: 6_311_433_600) - 2_208_988_800
            : random.number(below: 265_621_593_600) - 12_219_292_800
    }

    @Test func readsAndWritesISODatesAsFoundationDoes() throws {
        let style = Date.ISO8601FormatStyle()
        var random = RandomText(seed: 1)
        for _ in 0..<4000 {
            let date = Date(timeIntervalSince1970: Double(Self.randomSeconds(&random)))
            let text = date.formatted(style)
            #expect(DateText.iso8601(date) == text)
            #expect(DateText.parse(text) == date)
        }
    }
}
