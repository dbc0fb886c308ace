/// A request method (RFC 9110, section 9).
///
///     let methods: [HTTPMethod] = [.get, "PURGE"]
public struct HTTPMethod: Sendable, Hashable, RawRepresentable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The method as it is sent. Methods are case-sensitive (RFC 9110, section 9.1).
    public let rawValue: String

    /// Creates a method of any name, which is sent as it is.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a method from a literal: `"PURGE"`.
    public init(stringLiteral name: String) { rawValue = name }
    /// The method as it is sent.
    public var description: String { rawValue }

    /// Retrieves something (RFC 9110, section 9.3.1).
    public static let get: HTTPMethod = "GET"
    /// Retrieves the headers that GET would retrieve (RFC 9110, section 9.3.2).
    public static let head: HTTPMethod = "HEAD"
    /// Lets the server process a body (RFC 9110, section 9.3.3).
    public static let post: HTTPMethod = "POST"
    /// Creates or replaces something (RFC 9110, section 9.3.4).
    public static let put: HTTPMethod = "PUT"
    /// Changes a part of something (RFC 5789).
    public static let patch: HTTPMethod = "PATCH"
    /// Removes something (RFC 9110, section 9.3.5).
    public static let delete: HTTPMethod = "DELETE"
    /// Asks how requests may be made (RFC 9110, section 9.3.7).
    public static let options: HTTPMethod = "OPTIONS"

    private static let safeMethods: Set<HTTPMethod> = [.get, .head, .options, "TRACE", "QUERY"]

    /// Whether the method is read-only (RFC 9110, section 9.2.1, and the specification of QUERY).
    package var isSafe: Bool { Self.safeMethods.contains(self) }

    /// Whether the method is GET or HEAD. A message may advise to send such a request again.
    package var isRetrieval: Bool { self == .get || self == .head }

    /// Whether several identical requests have the same effect as one (RFC 9110, section 9.2.2).
    package var isIdempotent: Bool { isSafe || self == .put || self == .delete }
}
