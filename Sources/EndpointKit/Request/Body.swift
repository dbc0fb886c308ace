import JSONText

/// The body of an endpoint's requests.
public enum Body: Sendable {
    /// A value as JSON, with its keys in declaration order.
    case json(any Encodable & Sendable)
    /// `application/x-www-form-urlencoded`.
    case form(Endpoint.Query)
    /// `multipart/form-data` (RFC 7578).
    case multipart([Part])
    /// Bytes of any type.
    case data([UInt8], contentType: String)

    /// The content type; nil for a multipart body, whose content type depends on its boundary.
    var contentType: String? {
        switch self {
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .multipart: nil
        case .data(_, let contentType): contentType
        }
    }

    /// The content type and the bytes to send. Throws `EncodingError` if a value can't be written as JSON.
    ///
    /// `boundary` separates the parts of a multipart body and must not occur in them.
    func encoded(_ coding: Coding, boundary: @autoclosure () -> String) throws -> (
        contentType: String, body: RequestBody
    ) {
        switch self {
        case .json(let value):
            return ("application/json", RequestBody(bytes: try coding.encode(value)))
        case .form(let query):
            let items = try query.items.map { try $0.revealed() }
            return ("application/x-www-form-urlencoded", RequestBody(bytes: Array(items.joined(separator: "&").utf8)))
        case .multipart(let parts):
            let boundary = boundary()
            return (
                "multipart/form-data; boundary=\(boundary)", Multipart.body(parts, boundary: boundary)
            )
        case .data(let bytes, let contentType):
            return (contentType, RequestBody(bytes: bytes))
        }
    }
}
