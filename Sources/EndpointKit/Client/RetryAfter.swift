#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The header that says when to try again (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// The longest wait taken from a server, as in curl: six hours.
    private static let longest = 21_600

    /// The wait that `head` asks for, or nil: a number of seconds, or the time from the response's own date to another.
    static func wait(_ head: ResponseHead) -> Duration? {
        guard let text = head["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Int(text) ?? longest, longest))
        }
        // By the server's clock if it sends its time: the clocks may differ.
        guard let then = HTTPDate.parse(text) else { return nil }
        let now = head["Date"].flatMap(HTTPDate.parse) ?? Int(Date().timeIntervalSince1970)
        return .seconds(min(max(then - now, 0), longest))
    }
}
