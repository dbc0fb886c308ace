/// A recorded response that stands in for the server.
public struct Sample: Sendable {
    /// The value of `Content-Type`; empty if there is no such header.
    package let contentType: String
    private let content: @Sendable () -> [UInt8]

    /// The bytes of the body. Computed on demand, so that declaring a sample costs nothing.
    package var bytes: [UInt8] { content() }

    /// A response of any type; `content` is evaluated each time it is needed.
    public init(_ contentType: String, _ content: @autoclosure @escaping @Sendable () -> [UInt8]) {
        self.contentType = contentType
        self.content = content
    }

    /// A JSON response.
    public static func json(_ content: @autoclosure @escaping @Sendable () -> [UInt8]) -> Sample {
        Sample("application/json", content())
    }

    /// A response with an empty body.
    public static let empty = Sample("", [])
}
