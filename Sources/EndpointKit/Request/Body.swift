import JSONText

/// The body of an endpoint's requests.
public enum Body: Sendable {
    /// A value as JSON, with its keys in declaration order.
    case json(any Encodable & Sendable)
    /// A JSON object of values of any types, without those that are nil.
    case object(JSONObject)
    /// `application/x-www-form-urlencoded`.
    case form(Endpoint.Query)
    /// `multipart/form-data` (RFC 7578).
    case multipart([Part])
    /// Text in UTF-8.
    case text(String, contentType: String = "text/plain; charset=utf-8")
    /// Bytes of any type.
    case data([UInt8], contentType: String)

    /// The same as ``object(_:)``, for a literal whose values are of several types.
    public static func json(_ object: JSONObject) -> Body { .object(object) }

    /// The content type; nil for a multipart body, whose content type depends on its boundary.
    package var contentType: String? {
        switch self {
        case .json, .object: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .multipart: nil
        case .text(_, let contentType), .data(_, let contentType): contentType
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
        case .object(let object):
            return ("application/json", RequestBody(bytes: try object.text(coding)))
        case .text(let text, let contentType):
            return (contentType, RequestBody(bytes: text.exactBytes))
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
