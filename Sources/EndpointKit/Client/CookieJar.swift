import Locking

/// The cookies that servers have set, kept from one request to the next by the rules of RFC 6265: domain, path,
/// `Secure`, expiry.
///
/// The transport applies the rules. It gives each request the cookies that are for its URL, and afterwards keeps those
/// that the response has set. A cookie is a line of a cookie file in Netscape's format, as curl writes it:
///
///     shop.example\tFALSE\t/cart\tTRUE\t1790000000\tid\t17
///
/// The jar of a call lives as long as the call. One that starts with the ``lines`` of an earlier jar goes on with its
/// cookies.
package final class CookieJar: Sendable {
    private let lockedLines: Lock<[String]>

    /// Creates a jar with the lines of an earlier jar.
    package init(_ lines: [String] = []) { lockedLines = Lock(lines) }

    /// The cookies, one a line. **They are secrets.**
    package var lines: [String] { lockedLines.withLock { $0 } }

    /// The cookies of ``lines``.
    package var cookies: [StoredCookie] { lines.compactMap(StoredCookie.init(line:)) }

    /// Replaces the cookies by those that the transport knows after a response.
    package func replace(with lines: [String]) { lockedLines.withLock { $0 = lines } }
}
