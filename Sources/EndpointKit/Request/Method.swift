/// A request method (RFC 9110, section 9).
public struct Method: Sendable, Hashable, RawRepresentable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The method as it is sent; upper and lower case differ (RFC 9110, section 9.1).
    public let rawValue: String

    /// A method of any name, sent as given.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A method from a literal: `"PURGE"`.
    public init(stringLiteral name: String) { rawValue = name }
    public var description: String { rawValue }

    public static let get: Method = "GET"
    public static let head: Method = "HEAD"
    public static let post: Method = "POST"
    public static let put: Method = "PUT"
    public static let patch: Method = "PATCH"
    public static let delete: Method = "DELETE"
    public static let options: Method = "OPTIONS"

    /// Whether the method only asks and changes nothing (RFC 9110, section 9.2.1).
    public var isSafe: Bool { self == .get || self == .head || self == .options }

    /// Whether sending it twice is the same as sending it once (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }
}
