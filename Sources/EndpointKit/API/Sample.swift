/// A recorded answer that stands in for the server.
public struct Sample: Sendable {
    /// The value of `Content-Type`; empty for no such field.
    public let contentType: String
    private let content: @Sendable () -> [UInt8]

    /// The bytes of the body. They are made when they are asked for, so that declaring a sample costs nothing.
    public var bytes: [UInt8] { content() }

    /// An answer of any type; `content` is evaluated each time the bytes are asked for.
    public init(_ contentType: String, _ content: @autoclosure @escaping @Sendable () -> [UInt8]) {
        self.contentType = contentType
        self.content = content
    }

    /// A JSON answer.
    public static func json(_ content: @autoclosure @escaping @Sendable () -> [UInt8]) -> Sample {
        Sample("application/json", content())
    }

    /// An answer with an empty body.
    public static let empty = Sample("", [])
}
