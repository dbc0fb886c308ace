#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The field that tells when to try again (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// The longest wait taken from a server, as in curl: six hours.
    private static let longest = 21_600

    /// The wait that `head` asks for, or nil: a number of seconds, or a date, counted from the response's own.
    static func wait(_ head: ResponseHead) -> Duration? {
        guard let text = head["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(min(Int(text) ?? longest, longest))
        }
        // By the server's clock where it tells; another clock may be wrong.
        guard let then = HTTPDate.parse(text) else { return nil }
        let now = head["Date"].flatMap(HTTPDate.parse) ?? time(nil)
        return .seconds(min(max(then - now, 0), longest))
    }
}
