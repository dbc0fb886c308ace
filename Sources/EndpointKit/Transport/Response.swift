import JSONText
import Locking

/// The status line and headers of a response, as received.
public struct ResponseHead: Sendable, Equatable {
    /// The version of HTTP, such as `HTTP/1.1` or `HTTP/2`; empty if the transport does not report it.
    package var version: String
    /// The status code of three digits (RFC 9110, section 15).
    public var status: Int
    /// The reason phrase. It may be empty, because HTTP/2 has none.
    package var reason: String
    /// The headers in order, repeated ones included.
    public var fields: [HTTPField]

    /// Creates the head of a response. By default, it is one of HTTP/1.1 without a reason phrase and headers.
    public init(version: String = "HTTP/1.1", status: Int, reason: String = "", fields: [HTTPField] = []) {
        self.version = version
        self.status = status
        self.reason = reason
        self.fields = fields
    }

    /// The status with its reason phrase: `404 Not Found`. If the server sent no phrase, it is the standard one.
    package var statusText: String {
        let phrase = reason.isEmpty ? ReasonPhrase.of(status) : reason
        return phrase.isEmpty ? "\(status)" : "\(status) \(phrase)"
    }

    /// Whether the status is from 200 to 299 (RFC 9110, section 15.3).
    public var isSuccess: Bool { (200..<300).contains(status) }

    /// Returns the value of the first header with this name, ignoring case; nil if there is none.
    public subscript(_ name: String) -> String? {
        fields.first { $0.name.isSameName(as: name) }?.value
    }

    /// The media type without its parameters, in lower case, such as `application/json` (RFC 9110, section 8.3). Nil if
    /// there is no `Content-Type`, or an empty one.
    package var mediaType: String? {
        guard let contentType = self["Content-Type"] else { return nil }
        let withoutParameters = contentType.utf8.prefix { $0 != UInt8(ascii: ";") }.trimmingBlanks()
        let mediaType = Substring(withoutParameters).lowercased()
        return mediaType.isEmpty ? nil : mediaType
    }

    /// Whether the body has a content coding, such as compression (RFC 9110, section 8.4).
    ///
    /// `identity` means no coding, and so does `none`, which some servers send.
    package var hasContentCoding: Bool {
        fields.members(of: "content-encoding").contains { coding in
            let meansNoCoding = ["", "identity", "none"].contains(coding.lowercased())
            return !meansNoCoding
        }
    }

    /// The announced length of the body in bytes. Nil if the server announces none, or if the body is compressed,
    /// because the announced length is the compressed one.
    package var bodyLength: Int? {
        guard !hasContentCoding, let text = self["Content-Length"] else { return nil }
        return Int(digits: text)
    }

    /// Whether the content type is JSON or a stream of JSON documents; nil if the response has no content type.
    package var isJSON: Bool? {
        guard let mediaType else { return nil }
        return mediaType.hasSuffix("+json") || mediaType.hasSuffix("/json") || isDocumentStream
    }

    /// Whether the content type is a stream of JSON documents.
    package var isDocumentStream: Bool {
        guard let mediaType else { return false }
        return mediaType.hasSuffix("json-seq") || Self.documentStreams.contains(mediaType)
    }

    /// Whether the content type is a stream of documents or events, which may never end.
    package var isStream: Bool { isEventStream || isDocumentStream }

    /// Whether the content type is a stream of events, which an ``EventStream`` reads.
    package var isEventStream: Bool { mediaType == "text/event-stream" }

    /// The media types of JSON documents on lines of their own.
    private static let documentStreams: Set = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-lines",
    ]
}

extension Collection<HTTPField> {
    /// Returns the members of the lists in the headers of one name.
    ///
    ///     Vary: Accept, Origin        →    Accept, Origin, Cookie
    ///     Vary: Cookie
    ///
    /// Several headers count as one list (RFC 9110, section 5.3).
    ///
    /// - Returns: The members without spaces around them, empty ones included.
    package func members(of name: String) -> [Substring] {
        var members: [Substring] = []
        for field in self where field.name.isSameName(as: name) {
            for member in field.value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                members.append(Substring(member.trimmingBlanks()))
            }
        }
        return members
    }
}

/// A response: its headers, and its body as it is read.
public struct TypedResponse<Body: Sendable>: Sendable {
    /// The status line and headers of the final response; interim responses (1xx) are skipped.
    public var head: ResponseHead
    /// The body: decoded, as bytes, or still being received.
    public var body: Body

    /// Creates a response. Its `Content-Length` is not checked.
    public init(head: ResponseHead, body: Body) {
        self.head = head
        self.body = body
    }
}

extension TypedResponse: Equatable where Body: Equatable {}

extension TypedResponse<[UInt8]> {
    /// The whole body as `Data`.
    public var data: Data { Data(body) }
}

/// A response with its whole body; may be empty.
public typealias Response = TypedResponse<[UInt8]>
/// A response whose body is read in chunks.
public typealias StreamedResponse = TypedResponse<ResponseBody>

extension StreamedResponse {
    /// Reads the whole body, with room for its announced length.
    ///
    /// - Throws: ``BodyTooLarge`` once the body is longer than `limit` bytes, and what stopped the transfer.
    package func wholeBody(limit: Int = .max) async throws -> [UInt8] {
        try await body.collect(limit: limit, expected: head.bodyLength)
    }
}

extension StreamedResponse {
    /// Returns the response with a body that reports after each chunk how many bytes have been read.
    ///
    /// - Parameter onReceived: Gets the number of bytes that have been read so far, and the number that the headers
    ///   announce. If it is nil, the response is returned as it is.
    func reportingReceivedBytes(
        to onReceived: (@Sendable (_ receivedCount: Int64, _ announcedCount: Int64?) -> Void)?
    ) -> StreamedResponse {
        guard let onReceived else { return self }
        let announcedCount = head.bodyLength.map(Int64.init)
        let receivedCount = Lock<Int64>(0)
        let body = body
        let reportingBody = ResponseBody {
            var chunks = body.makeAsyncIterator()
            guard let chunk = try await chunks.next() else { return nil }
            let countSoFar = receivedCount.withLock { receivedCount in
                receivedCount += Int64(chunk.count)
                return receivedCount
            }
            onReceived(countSoFar, announcedCount)
            return chunk
        }
        return StreamedResponse(head: head, body: reportingBody)
    }
}

/// A body that arrives in chunks.
///
/// A reader that pauses slows the sender, so that memory stays bounded. A body can be read once. Releasing it before
/// its end stops the transfer.
public struct ResponseBody: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let readChunk: @Sendable () async throws -> [UInt8]?

    /// Creates a body whose chunks come from a function.
    ///
    /// - Parameter readChunk: Returns the next chunk, or nil at the end. It throws the error that stopped the transfer.
    public init(_ readChunk: @escaping @Sendable () async throws -> [UInt8]?) { self.readChunk = readChunk }

    /// Creates a body that is already in memory. Its bytes are one chunk.
    public init(bytes: [UInt8]) {
        let unreadBytes = Lock(bytes)
        self.init {
            unreadBytes.withLock { unreadBytes in
                let chunk = unreadBytes
                unreadBytes = []
                return chunk.isEmpty ? nil : chunk
            }
        }
    }

    /// Returns the body itself. So all iterators share the same position.
    public func makeAsyncIterator() -> ResponseBody { self }

    /// Reads the next chunk, and waits until it has arrived.
    ///
    /// - Returns: The chunk; nil at the end of the body.
    /// - Throws: ``TransportError`` or another error that stopped the transfer. `CancellationError` if the task is
    ///   cancelled.
    public mutating func next() async throws -> [UInt8]? { try await readChunk() }

    /// The greatest number of bytes for which memory is reserved in advance: 64 MiB. A server may announce more than it
    /// sends.
    private static let maxReservedCount = 64 << 20

    /// Reads the whole body into memory.
    ///
    /// - Parameters:
    ///   - limit: The longest body to accept, in bytes.
    ///   - expected: The announced length in bytes; nil if it is unknown. Room is made for it, because an array that
    ///     grows needs twice the memory for a time.
    /// - Throws: ``BodyTooLarge`` once the body is longer than `limit` bytes, and the error that stopped the transfer.
    package func collect(limit: Int = .max, expected: Int? = nil) async throws -> [UInt8] {
        var body: [UInt8] = []
        for try await chunk in self {
            if body.count + chunk.count > limit { throw BodyTooLarge(limit: limit) }
            if !body.isEmpty {
                body.append(contentsOf: chunk)
                continue
            }
            // The first chunk becomes the body, so that a body of one chunk is not copied.
            body = chunk
            if let expected, expected > chunk.count {
                body.reserveCapacity(Swift.min(expected, Self.maxReservedCount))
            }
        }
        return body
    }
}

extension ResponseBody {
    /// The bytes that were read from the start of a body.
    package struct BodyStart: Sendable {
        /// The bytes.
        package let bytes: [UInt8]
        /// Whether the bytes are the whole body.
        package let isWhole: Bool
        /// The error that broke off the transfer; nil if none did.
        package var failure: TransportError?
    }

    /// Reads the start of a body, such as that of a failed response in which an error message is looked for.
    ///
    /// If the transfer breaks off, the bytes up to there are returned and no error is thrown, because the status of the
    /// response is more important.
    ///
    /// - Parameter limit: The greatest number of bytes to return.
    /// - Throws: `CancellationError` if the task was cancelled.
    package func prefix(upTo limit: Int) async throws -> BodyStart {
        var bytes: [UInt8] = []
        do {
            for try await chunk in self {
                bytes += chunk
                if bytes.count > limit { return BodyStart(bytes: Array(bytes.prefix(limit)), isWhole: false) }
            }
        } catch let error as TransportError {
            return BodyStart(bytes: bytes, isWhole: false, failure: error)
        }
        return BodyStart(bytes: bytes, isWhole: true)
    }
}

/// The error of a body that is longer than allowed.
package struct BodyTooLarge: DescribedError, Sendable, Equatable {
    /// The greatest length in bytes that is allowed.
    package let limit: Int
    package var description: String { "the body is longer than \(limit) bytes" }

    package init(limit: Int) { self.limit = limit }
}

/// The standard reason phrases of status codes (RFC 9110, section 15).
package enum ReasonPhrase {
    /// Returns the standard reason phrase of a status code; empty for a code without one.
    package static func of(_ status: Int) -> String { phrases[status] ?? "" }

    /// The phrases by status code.
    private static let phrases = [
        100: "Continue", 101: "Switching Protocols", 103: "Early Hints", 200: "OK", 201: "Created", 202: "Accepted",
        203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
        402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
        415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed", 418: "I'm a teapot",
        421: "Misdirected Request", 422: "Unprocessable Content", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]
}
