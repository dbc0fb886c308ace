import Foundation
import Testing

@testable import JSONText

struct DateTextTests {
    /// A text and the seconds since 1970 that it stands for.
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let time: Double
        init(_ text: String, _ time: Double) { (self.text, self.time) = (text, time) }
        var testDescription: String { text }
    }

    @Test(arguments: [
        Row("2026-11-21", 1_795_219_200),
        Row("2026-11-21T09:30:00Z", 1_795_253_400),
        Row("2026-11-21 09:30:00Z", 1_795_253_400),
        Row("2026-11-21T10:30:00+01:00", 1_795_253_400),
        Row("2026-11-21T10:30:00+01", 1_795_253_400),
        Row("1969-12-31T19:00:00-0500", 0),
        Row("2026-11-21T15:00:00+05:30", 1_795_253_400),
        Row("2026-11-21T15:00:00+0530", 1_795_253_400),
        Row("2026-11-22T09:29:00+23:59", 1_795_253_400),
        Row("1970-01-01T00:00:01.250Z", 1.25),
        Row("1970-01-01T00:00:01.5Z", 1.5),
        Row("1970-01-01T00:00:01.500000000Z", 1.5),
        Row("1970-01-01T00:00:01.5000000000000000000000000000000000009Z", 1.5),
        Row("1970-01-01T01:00:01.5+01:00", 1.5),
        Row("2024-02-29", 1_709_164_800),
        Row("2000-02-29", 951_782_400),
        Row("1969-12-31T23:59:59Z", -1),
        Row("1969-12-31T23:59:59.75Z", -0.25),
        Row("2016-12-31T23:59:60Z", 1_483_228_800),
        Row("9999-12-31T23:59:59Z", 253_402_300_799),
        Row("1582-10-15T00:00:00Z", -12_219_292_800),
        Row("1582-10-04T00:00:00Z", -12_219_379_200),
        Row("1500-02-29T00:00:00Z", -14_825_894_400),
        Row("0001-01-01T00:00:00Z", -62_135_769_600),
    ])
    func reads(_ row: Row) throws {
        #expect(try #require(DateText.parse(row.text)).timeIntervalSince1970 == row.time)
    }

    @Test(arguments: [
        "", "2026", "2026-11", "2026-11-2", "2026-1-21", "26-11-21", "12026-11-21", "0000-01-01",
        "2026-02-30", "2026-02-30T00:00:00Z", "2025-02-29", "1900-02-29", "2026-04-31", "2026-06-31", "2026-13-01",
        "2026-00-01", "2026-01-00", "2026-01-32", "1582-10-05", "1582-10-14",
        "2026-11-21x", "2026-11-21 ", " 2026-11-21", "2026-11-21T09:30:00Z ", "2026-11-21T09:30:00Zx",
        "2026-11-21T", "2026-11-21T09:30", "2026-11-21T09:30:00", "2026-11-21T09:30Z",
        "2026-11-21T09:30:00.Z", "2026-11-21T09:30:00.5", "2026-11-21T09:30:00,5Z", "2026-11-21T09:30:00.5.5Z",
        "2026-11-21t09:30:00Z", "2026-11-21T09:30:00z", "2026-11-21  09:30:00Z", "2026-11-21T09:30:00 Z",
        "2026-11-21T09:30:00+1", "2026-11-21T09:30:00+25:00", "2026-11-21T09:30:00+01:0", "2026-11-21T09:30:00+01:",
        "2026-11-21T09:30:00+010", "2026-11-21T09:30:00+01:00Z", "2026-11-21T09:30:00+01:60", "2026-11-21T09:30:00+",
        "20261121", "2026/11/21", "now", "1795253400", "٢٠٢٦-11-21", "-2026-11-21", "2026-11-21T09:30:00\0Z",
        "2026-11-21T24:00:00Z", "2026-11-21T25:00:00Z", "2026-11-21T99:99:99Z", "2026-11-21T09:60:00Z",
        "2026-11-21T09:30:61Z",
    ])
    func refuses(_ text: String) {
        #expect(DateText.parse(text) == nil)
    }

    @Test func readsBridgedAndPartialText() {
        let text = "<2026-11-21T09:30:00Z>"
        #expect(DateText.parse(String(text.dropFirst().dropLast()))?.timeIntervalSince1970 == 1_795_253_400)
    }

    @Test(arguments: [
        Row("1970-01-01T00:00:00Z", 0),
        Row("1969-12-31T23:59:59Z", -1),
        Row("1969-12-31T23:59:59.500Z", -0.5),
        Row("2023-11-14T22:13:20.123Z", 1_700_000_000.123),
        Row("1970-01-01T00:00:00.000250Z", 0.000_25),
        Row("1970-01-01T00:00:00.100001Z", 0.100_001),
        Row("1970-01-01T00:00:10Z", 9.999_999_9),
        Row("2024-02-29T23:59:59Z", 1_709_251_199),
        Row("2024-03-01T00:00:00Z", 1_709_251_200),
        Row("2100-03-01T00:00:00Z", 4_107_542_400),
        Row("1600-01-01T00:00:00Z", -11_676_096_000),
        Row("0001-01-01T00:00:00Z", -62_135_769_600),
        Row("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func writes(_ row: Row) {
        #expect(DateText.iso8601(Date(timeIntervalSince1970: row.time)) == row.text)
    }

    @Test(arguments: [.nan, .infinity, -.infinity, 1e300, -1e300, 253_402_300_800, -62_135_769_601])
    func writesNothingOutsideFourDigitYears(_ time: Double) {
        #expect(DateText.iso8601(Date(timeIntervalSince1970: time)) == nil)
    }

    // MARK: Beside Foundation

    /// Whole seconds from the year 1 to 9999, two thirds of them from 1900 to 2100.
    private static func randomSeconds(_ random: inout RandomText) -> Int {
        random.number(below: 3) > 0
            ? random.number(below: 6_311_433_600) - 2_208_988_800
            : random.number(below: 315_538_070_000) - 62_135_769_600
    }

    @Test func isoDatesAreFoundations() throws {
        let style = Date.ISO8601FormatStyle()
        var random = RandomText(seed: 1)
        for _ in 0..<4000 {
            let date = Date(timeIntervalSince1970: Double(Self.randomSeconds(&random)))
            let text = date.formatted(style)
            #expect(DateText.iso8601(date) == text)
            #expect(DateText.parse(text) == date)
        }
    }

    @Test func isoFractionsAndOffsetsAreFoundations() throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        var random = RandomText(seed: 2)
        for _ in 0..<4000 {
            let day = Date(timeIntervalSince1970: Double(Self.randomSeconds(&random))).formatted(style).dropLast(5)
            let digits = "\(random.number(below: 1_000_000_000))"
            // Foundation reads no more than 14 hours.
            let offset = "\(random.number(below: 4) + 10):\(random.number(below: 50) + 10)"
            let sign = random.number(below: 2) == 0 ? "+" : "-"
            let text = "\(day).\(digits)\(sign)\(offset)"
            let expected = try style.parse(text)
            #expect(abs(try #require(DateText.parse(text)).timeIntervalSince(expected)) < 0.000_001, "\(text)")
        }
    }

    @Test func microsecondsReadBackTheSame() throws {
        var random = RandomText(seed: 3)
        for _ in 0..<4000 {
            let seconds = random.number(below: 4_000_000_000)
            let date = Date(timeIntervalSince1970: Double(seconds) + Double(random.number(below: 1_000_000)) / 1e6)
            let text = try #require(DateText.iso8601(date))
            let again = try #require(DateText.parse(text))
            #expect(abs(again.timeIntervalSince(date)) < 0.000_000_6)
            #expect(DateText.iso8601(again) == text)
        }
    }

    @Test func changedTextsAreReadAsFoundationDoesOrRefused() {
        let style = Date.ISO8601FormatStyle()
        let bytes = Array("0123456789-+:.TZ ".utf8)
        var random = RandomText(seed: 4)
        var accepted = 0
        for _ in 0..<20_000 {
            var text = Array("2026-11-21T09:30:00+01:00".utf8)
            for _ in 0...random.number(below: 2) {
                text[random.number(below: text.count)] = bytes[random.number(below: bytes.count)]
            }
            let string = String(decoding: text, as: UTF8.self)
            guard let date = DateText.parse(string) else { continue }
            accepted += 1
            if let expected = try? style.parse(string) { #expect(date == expected, "\(string)") }
        }
        #expect(accepted > 1000)
    }
}
