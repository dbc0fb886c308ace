#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The `Retry-After` header (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// The longest wait accepted from a server, in seconds: six hours, as in curl.
    private static let longest = 21_600

    /// The wait that `head` asks for: a number of seconds, or until a date; nil if it asks for none.
    static func wait(_ head: ResponseHead) -> Duration? {
        guard let text = head["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
            return .seconds(min(Int(text) ?? longest, longest))
        }
        // Relative to the server's own clock if it sends one, because ours may differ.
        guard let then = HTTPDate.parse(text) else { return nil }
        let now = head["Date"].flatMap(HTTPDate.parse) ?? Int(Date().timeIntervalSince1970)
        return .seconds(min(max(then - now, 0), longest))
    }
}
