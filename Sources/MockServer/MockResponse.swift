import EndpointKit
import JSONText

/// The server's reaction to a request: bytes, pauses, and how the connection ends.
///
/// After the last step the connection serves the next request, unless a step ended it.
public struct MockResponse: Sendable, Equatable {
    /// One thing that the server does.
    public enum Step: Sendable, Equatable {
        /// Sends bytes as they are.
        case bytes([UInt8])
        /// Sends bytes of a body. The step is skipped in the response to a HEAD request.
        case content([UInt8])
        /// Sends the same bytes of a body `count` times, without keeping all of them in memory.
        case repeating([UInt8], count: Int)
        /// Sends the bytes of the steps before this one, and waits.
        case pause(Duration)
        /// Sends nothing more, until the client closes the connection or the server stops.
        case hang
        /// Closes the connection.
        case close
        /// Resets the TCP connection.
        case reset
    }

    /// The steps in order, including the bytes of the headers.
    package var steps: [Step]

    /// Creates a response that performs exactly these steps. No headers are added.
    public init(steps: [Step]) { self.steps = steps }

    /// Creates a response with a status line, headers and a body.
    ///
    /// The `Content-Length` is added. With a status that allows no body (1xx, 204, 304; RFC 9110, section 6.4.1),
    /// neither the body nor its length is sent.
    ///
    /// - Parameters:
    ///   - status: The status, such as 200.
    ///   - reason: The text after the status. Nil is the usual one, such as `OK`.
    ///   - fields: The headers. A `Content-Length` or `Transfer-Encoding` among them replaces the computed length, and
    ///     `Connection: close` makes the server close the connection.
    ///   - body: The body, which is sent as it is.
    public static func response(
        _ status: Int, reason: String? = nil, fields: [(String, String)] = [], body: [UInt8] = []
    ) -> MockResponse {
        let allowsBody = status >= 200 && status != 204 && status != 304
        var lines = ["HTTP/1.1 \(status) \(reason ?? ReasonPhrase.of(status))"]
        var hasLength = false
        var closesConnection = false
        for (name, value) in fields {
            lines.append("\(name): \(value)")
            switch name.lowercased() {
            case "content-length", "transfer-encoding": hasLength = true
            case "connection" where value.lowercased() == "close": closesConnection = true
            default: break
            }
        }
        if allowsBody, !hasLength { lines.append("Content-Length: \(body.count)") }
        // An empty line ends the headers.
        let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
        var steps = [Step.bytes(head.exactBytes)]
        if allowsBody, !body.isEmpty { steps.append(.content(body)) }
        if closesConnection { steps.append(.close) }
        return MockResponse(steps: steps)
    }

    /// Returns a response with the content type `application/json`. The text is sent as it is.
    public static func json(_ text: String, status: Int = 200, fields: [(String, String)] = []) -> MockResponse {
        response(status, fields: [("Content-Type", "application/json")] + fields, body: Array(text.utf8))
    }

    /// Returns a response with the content type `text/plain; charset=utf-8`.
    package static func text(_ text: String, status: Int = 200, fields: [(String, String)] = []) -> MockResponse {
        response(status, fields: [("Content-Type", "text/plain; charset=utf-8")] + fields, body: Array(text.utf8))
    }

    /// Returns a response of exactly this text, status line and headers included, whether it is valid HTTP or not.
    package static func raw(_ text: String) -> MockResponse { MockResponse(steps: [.bytes(Array(text.utf8))]) }

    /// Returns a response that performs more steps after those of this one.
    ///
    ///     .json(text).then(.pause(.seconds(1)), .close)
    public func then(_ steps: Step...) -> MockResponse { MockResponse(steps: self.steps + steps) }
}

extension MockResponse {
    /// Creates the steps that send a response. A `Content-Length` among its headers is replaced by the length of its
    /// body.
    package init(_ response: Response) {
        var fields: [(String, String)] = []
        for field in response.head.fields where !field.name.isSameName(as: "Content-Length") {
            fields.append((field.name, field.value))
        }
        self = .response(response.head.status, fields: fields, body: response.body)
    }
}

extension Response {
    /// Creates a response with a JSON object that says what is wrong: `{"message": "no endpoint for GET /x"}`.
    ///
    /// - Parameters:
    ///   - status: The status, such as 404.
    ///   - message: The value of the member `message`, which comes first.
    ///   - members: The other members of the object.
    package init(_ status: Int, message: String, _ members: [(String, JSONValue)] = []) {
        let object = JSONValue([("message", JSONValue(message))] + members)
        self.init(
            head: ResponseHead(status: status, fields: [.init("Content-Type", "application/json")]),
            body: Array("\(object)\n".utf8))
    }
}
