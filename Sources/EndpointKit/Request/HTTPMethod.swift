/// A request method (RFC 9110, section 9).
public struct HTTPMethod: Sendable, Hashable, RawRepresentable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The method as it is sent; it is case-sensitive (RFC 9110, section 9.1).
    public let rawValue: String

    /// A method of any name, sent as given.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A method from a literal: `"PURGE"`.
    public init(stringLiteral name: String) { rawValue = name }
    public var description: String { rawValue }

    public static let get: HTTPMethod = "GET"
    public static let head: HTTPMethod = "HEAD"
    public static let post: HTTPMethod = "POST"
    public static let put: HTTPMethod = "PUT"
    public static let patch: HTTPMethod = "PATCH"
    public static let delete: HTTPMethod = "DELETE"
    public static let options: HTTPMethod = "OPTIONS"

    private static let safeMethods: Set<HTTPMethod> = [.get, .head, .options, "TRACE", "QUERY"]

    /// Whether the method is read-only (RFC 9110, section 9.2.1, and the specification of QUERY).
    package var isSafe: Bool { Self.safeMethods.contains(self) }

    /// Whether the method only retrieves something, so that a message may advise to send it again.
    package var isRetrieval: Bool { self == .get || self == .head }

    /// Whether two identical requests have the same effect as one (RFC 9110, section 9.2.2).
    package var isIdempotent: Bool { isSafe || self == .put || self == .delete }
}
