import EndpointKit
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct ISO8601TextTests {
    /// Seconds since 1970.
    static let valid: [Row<String, Double>] = [
        Row("day alone is midnight UTC", "2026-11-21", 1_795_219_200),
        Row("UTC", "2026-11-21T09:30:00Z", 1_795_253_400),
        Row("zone with a colon", "2026-11-21T10:30:00+01:00", 1_795_253_400),
        Row("zone without a colon", "1969-12-31T19:00:00-0500", 0),
        Row("zone of half an hour", "2026-11-21T15:00:00+05:30", 1_795_253_400),
        Row("milliseconds", "1970-01-01T00:00:01.250Z", 1.25),
        Row("one digit of fraction", "1970-01-01T00:00:01.5Z", 1.5),
        Row("nine digits of fraction", "1970-01-01T00:00:01.500000000Z", 1.5),
        Row("fraction and zone", "1970-01-01T01:00:01.5+01:00", 1.5),
        Row("leap day", "2024-02-29", 1_709_164_800),
        Row("before 1970", "1969-12-31T23:59:59Z", -1),
        Row("last day of the year", "2025-12-31T23:59:59Z", 1_767_225_599),
    ]

    @Test(arguments: valid)
    func reads(_ row: Row<String, Double>) throws {
        let date = try #require(ISO8601Text.parse(row.input))
        #expect(date.timeIntervalSince1970 == row.expected)
    }

    static let invalid: [String] = [
        "", "2026", "2026-11", "2026-11-2", "2026-1-21", "26-11-21",
        "2026-02-30", "2026-02-30T00:00:00Z", "2025-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-01-00",
        "2026-11-21x", "2026-11-21 ", " 2026-11-21", "2026-11-21T09:30:00Z ", "2026-11-21T09:30:00Zx",
        "2026-11-21T", "2026-11-21T09:30", "2026-11-21T09:30:00", "2026-11-21T09:30Z",
        "2026-11-21T09:30:00.Z", "2026-11-21T09:30:00.5", "2026-11-21T09:30:00,5Z",
        "2026-11-21 09:30:00Z", "2026-11-21t09:30:00Z", "2026-11-21T09:30:00z",
        "2026-11-21T09:30:00+1", "2026-11-21T09:30:00+25:00", "2026-11-21T09:30:00+01", "2026-11-21T09:30:00+01:0",
        "2026-11-21T09:30:00+01:00Z",
        "20261121", "2026/11/21", "now", "1795253400", "٢٠٢٦-11-21", "-2026-11-21", "2026-11-21T09:30:00\0Z",
    ]

    @Test(arguments: invalid)
    func refuses(_ text: String) {
        #expect(ISO8601Text.parse(text) == nil)
    }

    static let beyondTheClock = [
        "2026-11-21T24:00:01Z", "2026-11-21T25:00:00Z", "2026-11-21T99:99:99Z", "2026-11-21T09:60:00Z",
        "2026-11-21T09:30:61Z", "2026-11-21T09:30:00+01:60",
    ]

    @Test(arguments: beyondTheClock)
    func refusesTimesThatNoClockShows(_ text: String) {
        #expect(ISO8601Text.parse(text) == nil)
    }

    static let formatted: [Row<Double, String>] = [
        Row("whole seconds", 1_795_253_400, "2026-11-21T09:30:00Z"),
        Row("milliseconds", 1.25, "1970-01-01T00:00:01.250Z"),
        Row("before 1970", -1, "1969-12-31T23:59:59Z"),
        Row("zero", 0, "1970-01-01T00:00:00Z"),
    ]

    @Test(arguments: formatted)
    func formats(_ row: Row<Double, String>) {
        #expect(ISO8601Text.format(Date(timeIntervalSince1970: row.input)) == row.expected)
    }

    static let written: [Row<Double, String>] = [
        Row("the epoch", 0, "1970-01-01T00:00:00Z"),
        Row("a second before", -1, "1969-12-31T23:59:59Z"),
        Row("leap day", 1_709_251_199, "2024-02-29T23:59:59Z"),
        Row("the day after it", 1_709_251_200, "2024-03-01T00:00:00Z"),
        Row("no leap day in 2100", 4_107_542_400, "2100-03-01T00:00:00Z"),
        Row("leap day in 2000", 951_782_400, "2000-02-29T00:00:00Z"),
        Row("the first of 1600", -11_676_096_000, "1600-01-01T00:00:00Z"),
        Row("the last of 9999", 253_402_300_799, "9999-12-31T23:59:59Z"),
        Row("milliseconds", 1.25, "1970-01-01T00:00:01.250Z"),
    ]

    @Test(arguments: written)
    func writes(_ row: Row<Double, String>) {
        #expect(ISO8601Text.format(Date(timeIntervalSince1970: row.input)) == row.expected)
    }

    @Test func writesAsTheLibraryDoes() {
        let style = Date.ISO8601FormatStyle()
        for step in 0..<2000 {
            let date = Date(timeIntervalSince1970: -11_676_096_000 + Double(step) * 132_539_123)
            #expect(ISO8601Text.format(date) == date.formatted(style))
        }
    }
}
