/// A cookie as a line of a cookie file in Netscape's format, which curl reads and writes. **Its value is a secret.**
///
///     #HttpOnly_.shop.example\tTRUE\t/cart\tTRUE\t1790000000\tid\t17
///
/// The fields are domain, whether the domain's subdomains get the cookie, path, `Secure`, the time when it expires in
/// seconds since 1970, name and value.
package struct StoredCookie: Sendable, Equatable {
    /// The parts of a cookie that tell it from others: a new cookie with the same parts replaces the old one (RFC 6265,
    /// section 5.3).
    package struct ID: Hashable, Sendable {
        package let domain: String
        /// Whether the cookie is sent to this host only, and not to subdomains.
        package let isHostOnly: Bool
        package let path: String
        package let name: String
    }

    /// The line without its line break.
    package let line: String
    /// The domain, path and name by which the cookie is told from others.
    package let id: ID
    /// The value. **It is a secret.**
    package let value: String
    /// The time when the cookie expires, in seconds since 1970; 0 for one that lasts until the end of the session.
    private let expiry: Int

    /// The mark before the domain of a cookie that scripts of a page can't see. It makes no difference to other
    /// clients.
    package static let httpOnlyMark = "#HttpOnly_"

    /// Reads a line without its line break.
    ///
    /// - Returns: Nil for any other text, such as a comment or a line with a control character in a field.
    package init?(line: String) { self.init(line: line.exactBytes[...]) }

    /// Reads the bytes of a line without its line break.
    ///
    ///     #HttpOnly_.shop.example\tTRUE\t/cart\tTRUE\t1790000000\tid\t17
    ///
    /// The fields are domain, whether its subdomains get the cookie, path, `Secure`, expiry, name and value.
    ///
    /// - Returns: Nil for any other text, such as a comment or a line with a control character in a field.
    package init?(line: ArraySlice<UInt8>) {
        let fieldBytes = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        let hasControlCharacter = fieldBytes.joined().contains { $0 < 0x20 || $0 == 0x7F }
        guard fieldBytes.count == 7, !hasControlCharacter else { return nil }
        let fields = fieldBytes.map { String(exactBytes: $0) }
        var domain = fields[0]
        if domain.hasPrefix(Self.httpOnlyMark) { domain.removeFirst(Self.httpOnlyMark.count) }
        let isComment = domain.hasPrefix("#")
        let path = fields[2]
        guard !domain.isEmpty, !isComment, path.hasPrefix("/") else { return nil }
        guard let includesSubdomains = Self.bool(fields[1]) else { return nil }
        // The field `Secure` is only checked here. Its value stays in `line`.
        let isSecureValid = Self.bool(fields[3]) != nil
        guard isSecureValid, let expiry = Int(fields[4]), expiry >= 0 else { return nil }
        self.line = String(exactBytes: line)
        self.expiry = expiry
        id = ID(domain: domain, isHostOnly: !includesSubdomains, path: path, name: fields[5])
        value = fields[6]
    }

    /// Returns whether the cookie has expired. One that lasts until the end of the session never has.
    ///
    /// - Parameter time: The time in seconds since 1970.
    package func isExpired(at time: Int) -> Bool { expiry != 0 && expiry <= time }

    /// Returns the value of a field that is `TRUE` or `FALSE`; nil for any other text.
    private static func bool(_ text: String) -> Bool? {
        switch text {
        case "TRUE": true
        case "FALSE": false
        default: nil
        }
    }
}
