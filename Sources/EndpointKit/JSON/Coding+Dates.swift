import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Coding {
    /// `date` as written in JSON, without quotes; queries, paths and flags use the same form.
    package func text(of date: Date) -> String {
        if case .iso8601 = dates, let text = DateText.iso8601(date) { return text }
        guard let json = try? encode(date), let value = try? JSONDocument(json) else {
            return "\(date.timeIntervalSince1970)"
        }
        return JSONValue(value).string ?? String(decoding: json, as: UTF8.self)
    }

    /// The date that `text` means in that form, or in ISO 8601; nil if it is not a date.
    package func date(_ text: String) -> Date? {
        if case .iso8601 = dates { return DateText.parse(text) }
        let quoted = try? encode(text)
        return quoted.flatMap { try? decode(Date.self, from: $0) } ?? (try? decode(Date.self, from: text.exactBytes))
            ?? DateText.parse(text)
    }
}
