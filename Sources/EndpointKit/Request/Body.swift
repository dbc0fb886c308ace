import JSONText

/// The body of an endpoint's requests.
///
///     .post("/pets", body: .json(pet), returns: Pet.self, summary: "Adds a pet")
///     .post("/login", body: .form(["user": user]), returns: Session.self, summary: "Logs in")
public enum Body: Sendable {
    /// A value as JSON (RFC 8259), with its keys in declaration order.
    case json(any Encodable & Sendable)
    /// Items as `application/x-www-form-urlencoded` (WHATWG URL standard, section 5).
    case form(Endpoint.Query)
    /// Fields and files as `multipart/form-data` (RFC 7578).
    case multipart([Part])
    /// Text in UTF-8.
    case text(String, contentType: String = "text/plain; charset=utf-8")
    /// Bytes of any type.
    case data([UInt8], contentType: String)
    /// The bytes of an asynchronous sequence.
    case stream(BodyStream, contentType: String)

    /// Returns a JSON object of values of any types, without those that are nil.
    ///
    ///     .object(["name": name, "tags": tags, "version": 2])
    public static func object(_ object: JSONObject) -> Body { .json(object as any Encodable & Sendable) }

    /// Returns a body of bytes of any type.
    ///
    ///     .data(jpegData, contentType: "image/jpeg")
    public static func data(_ data: Data, contentType: String) -> Body {
        .data([UInt8](data), contentType: contentType)
    }

    /// Returns a JSON object of values of any types, as ``object(_:)`` does, from a literal.
    ///
    ///     .json(["name": name])
    public static func json(_ object: JSONObject) -> Body { .object(object) }

    /// The content type. The one of a multipart body lacks the boundary, which differs from request to request.
    package var contentType: String {
        switch self {
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .multipart: "multipart/form-data"
        case .text(_, let contentType), .data(_, let contentType), .stream(_, let contentType): contentType
        }
    }

    /// Whether this is a multipart body. Its content type depends on the request, because it names the boundary.
    var isMultipart: Bool {
        if case .multipart = self { true } else { false }
    }

    /// Encodes this body for a request.
    ///
    /// - Parameters:
    ///   - coding: How the API writes JSON and dates.
    ///   - makeBoundary: The text between the parts of a multipart body, which must not occur in them. It is evaluated only
    ///     for such a body.
    /// - Returns: The value of `Content-Type`, and the bytes and files to send.
    /// - Throws: `EncodingError` if a value can't be written as JSON.
    package func encoded(
        _ coding: Coding, boundary makeBoundary: @autoclosure () -> String
    ) throws -> (contentType: String, body: RequestBody) {
        switch self {
        case .json(let value):
            return (contentType, RequestBody(bytes: try coding.encode(value)))
        case .form(let query):
            let encodedItems = try query.items(coding).map { try $0.revealed() }
            let form = encodedItems.joined(separator: "&")
            return (contentType, RequestBody(bytes: Array(form.utf8)))
        case .multipart(let parts):
            let boundary = makeBoundary()
            let typeWithBoundary = "\(contentType); boundary=\(boundary)"
            return (typeWithBoundary, Multipart.body(parts, boundary: boundary))
        case .text(let text, _):
            return (contentType, RequestBody(bytes: text.exactBytes))
        case .data(let bytes, _):
            return (contentType, RequestBody(bytes: bytes))
        case .stream(let stream, _):
            return (contentType, RequestBody([stream.piece]))
        }
    }
}
