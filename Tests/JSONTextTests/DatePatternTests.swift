import Foundation
import Testing

@testable import JSONText

struct DatePatternTests {
    static func foundation(_ pattern: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = pattern
        return formatter
    }

    func parse(_ text: String, _ pattern: String) throws -> Date? {
        let pattern = try DatePattern(pattern)
        return Array(text.utf8).withUnsafeBytes { pattern.parse($0) }
    }

    @Test(arguments: [
        "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd", "y-M-d H:m:s", "yyyyMMddHHmmss", "yyyyMMddHHmmssSSS", "yyMMdd", "dd.MM.yy",
        "MM/dd/yyyy", "yyyy-MM-dd'T'HH:mm:ss.SSSZ", "yyyy-MM-dd'T'HH:mm:ssXXX", "yyyy-MM-dd HH:mm:ss X",
        "HH 'o''clock' ss",
        "''yyyy''", "yyyy-MM-dd'T'HH:mm:ss.SSSSSSZZZZZ", "yyyy-MM-dd HH:mm xx", "yyyy-MM-dd HH:mm x", "yyyy HH xxx",
        "d'é'M yyyy",
        "SS ss mm", "HH:mm", "yyyy-MM-dd HH:mm:ss XX", "yyyy ZZZ",
    ])
    func writesAndReadsAsFoundationDoes(_ pattern: String) throws {
        let formatter = Self.foundation(pattern)
        let ours = try DatePattern(pattern)
        var random = RandomText(seed: 5)
        for _ in 0..<300 {
            let seconds = random.number(below: 6_311_433_600) - 2_208_988_800
            let date = Date(timeIntervalSince1970: Double(seconds) + Double(random.number(below: 1000)) / 1000)
            let text = formatter.string(from: date)
            #expect(ours.format(date) == text)
            let expected = try #require(formatter.date(from: text))
            let read = try #require(try parse(text, pattern), "\(text)")
            #expect(abs(read.timeIntervalSince(expected)) < 0.000_001, "\(text)")
        }
    }

    @Test(arguments: [
        ("yyyy-MM-dd HH:mm:ss", "2026-1-2 3:4:5", 1_767_323_045),
        ("yyyy-MM-dd HH:mm:ss", "02026-011-021 09:30:00", 1_795_253_400),
        ("yyyy-MM-dd HH:mm:ss", "2026-02-30 00:00:00", nil),
        ("yyyy-MM-dd HH:mm:ss", "2026-11-21 24:00:00", nil),
        ("yyyy-MM-dd HH:mm:ss", "2026-11-21 09:60:00", nil),
        ("yyyy-MM-dd HH:mm:ss", "2026-11-21 09:30:00x", nil),
        ("yyyy-MM-dd HH:mm:ss", "2026-11-21T09:30:00", nil),
        ("yyyy-MM-dd HH:mm:ss", "", nil),
        ("yyyy-MM-dd HH:mm:ss", "0000-01-01 00:00:00", nil),
        ("yyyyMMddHHmmss", "20261121093000", 1_795_253_400),
        ("yyyyMMddHHmmss", "2026112109300", nil),
        ("yyyyMMddHHmmss", "202611210930000", nil),
        ("yy-MM-dd", "49-11-21", 2_521_065_600),
        ("yy-MM-dd", "50-11-21", -603_158_400),
        ("yy-MM-dd", "2026-11-21", 1_795_219_200),
        ("HH:mm", "9:30", 946_719_000),
        ("yyyy HH Z", "2026 09 Z", 1_767_258_000),
        ("yyyy HH X", "2026 09 -0530", 1_767_277_800),
        ("yyyy HH x", "2026 09 +05:30", 1_767_238_200),
        ("yyyy HH x", "2026 09 +00", 1_767_258_000),
    ])
    func reads(_ pattern: String, _ text: String, _ time: Double?) throws {
        #expect(try parse(text, pattern)?.timeIntervalSince1970 == time)
        #expect(Self.foundation(pattern).date(from: text)?.timeIntervalSince1970 == time)
    }

    @Test func roundsToWhatIsShown() throws {
        let date = Date(timeIntervalSince1970: 0.999_6)
        #expect(try DatePattern("ss.SSS").format(date) == "01.000")
        #expect(try DatePattern("ss.SSSSSS").format(date) == "00.999600")
        #expect(try DatePattern("ss.SSSSSSSSS").format(date) == "00.999600000")
    }

    @Test func writesNothingOutsideFourDigitYears() throws {
        #expect(try DatePattern("yyyy").format(Date(timeIntervalSince1970: 253_402_300_799.999_9)) == nil)
    }

    @Test(arguments: [
        ("EEE, dd MMM yyyy", "EEE"), ("dd MMM yyyy", "MMM"), ("hh:mm a", "hh"), ("yyyyy", "yyyyy"), ("yyyy z", "z"),
        ("ZZZZ", "ZZZZ"),
        ("yyyyT", "T"),
    ])
    func refusesOtherFields(_ pattern: String, _ field: String) throws {
        let error = try #require(throws: DatePattern.UnsupportedField.self) { try DatePattern(pattern) }
        #expect(error.field == field)
        #expect(
            error.description
                == "the date pattern '\(pattern)' has the field '\(field)'; supported are y, M, d, H, m, s, S, Z, X, x")
    }
}
