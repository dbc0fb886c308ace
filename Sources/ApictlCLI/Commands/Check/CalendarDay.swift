import EndpointKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A day in UTC: `2027-01-01`.
struct CalendarDay: Sendable, Hashable, Comparable {
    /// Years have four digits, so that texts compare as the days do.
    let text: String

    /// The day at that time.
    init(secondsSince1970: Int) {
        text = String(Coding().text(of: Date(timeIntervalSince1970: Double(secondsSince1970))).prefix(10))
    }

    /// Nil if `text` is not a day.
    init?(_ text: String) {
        guard text.utf8.count == 10, let json = try? Coding().encode(text + "T00:00:00Z"),
            (try? Coding().decode(Date.self, from: json)) != nil
        else { return nil }
        self.text = text
    }

    static func < (one: CalendarDay, other: CalendarDay) -> Bool { one.text < other.text }
}

extension CalendarDay: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let day = CalendarDay(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a day such as 2027-01-01")
        }
        self = day
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
