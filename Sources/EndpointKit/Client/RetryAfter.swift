#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The `Retry-After` header (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// The longest wait that a server gets, in seconds: six hours, as in curl.
    static let maxSeconds = 21_600

    /// The wait that `head` asks for: a number of seconds, or until a date; nil if it asks for none.
    static func wait(_ head: ResponseHead) -> Duration? {
        guard let text = head["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
            // Beyond the year 9999 it does not matter how far.
            return .seconds(min(Int(text) ?? .max, 1 << 40))
        }
        // Relative to the server's own clock if it sends one, because ours may differ.
        guard let then = HTTPDate.parse(text) else { return nil }
        let now = head["Date"].flatMap(HTTPDate.parse) ?? Int(Date().timeIntervalSince1970)
        return .seconds(max(then - now, 0))
    }
}
