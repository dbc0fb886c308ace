import EndpointKit
import JSONText

/// The server's reaction to a request: bytes, pauses, and how the connection ends.
///
/// After the last step the connection serves the next request, unless a step ended it.
public struct MockResponse: Sendable, Equatable {
    /// One thing the server does.
    public enum Step: Sendable, Equatable {
        /// Sends bytes as they are.
        case bytes([UInt8])
        /// Sends bytes of a body; skipped in the response to a HEAD request.
        case content([UInt8])
        /// Sends the same bytes of a body `count` times without ever holding all of them.
        case repeating([UInt8], count: Int)
        /// Sends what precedes it, and waits.
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

    /// A response of those steps alone: no headers are added.
    public init(steps: [Step]) { self.steps = steps }

    /// Creates a response with a status line, headers and a body.
    ///
    /// The `Content-Length` is added. With a status that allows no body (1xx, 204, 304; RFC 9110, section 6.4.1),
    /// neither the body nor its length is sent.
    ///
    /// - Parameters:
    ///   - status: The status, such as 200.
    ///   - reason: The text after the status; nil is the usual one, such as `OK`.
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

    /// A response with `application/json`; the text is sent as it is.
    public static func json(_ text: String, status: Int = 200, fields: [(String, String)] = []) -> MockResponse {
        response(status, fields: [("Content-Type", "application/json")] + fields, body: Array(text.utf8))
    }

    /// A response with `text/plain; charset=utf-8`.
    package static func text(_ text: String, status: Int = 200, fields: [(String, String)] = []) -> MockResponse {
        response(status, fields: [("Content-Type", "text/plain; charset=utf-8")] + fields, body: Array(text.utf8))
    }

    /// A response of exactly those bytes, valid or not, headers included.
    package static func raw(_ text: String) -> MockResponse { MockResponse(steps: [.bytes(Array(text.utf8))]) }

    /// This response, followed by more steps.
    public func then(_ steps: Step...) -> MockResponse { MockResponse(steps: self.steps + steps) }
}

extension MockResponse {
    /// The server's response with that head and body; its `Content-Length` is that of the body.
    package init(_ response: Response) {
        let fields = response.head.fields.filter { !$0.name.isSameName(as: "Content-Length") }
        self = .response(response.head.status, fields: fields.map { ($0.name, $0.value) }, body: response.body)
    }
}

extension Response {
    /// A response with a `message` in a JSON object, before the other members.
    package init(_ status: Int, message: String, _ members: [(String, JSONValue)] = []) {
        self.init(
            head: ResponseHead(status: status, fields: [.init("Content-Type", "application/json")]),
            body: Array("\(JSONValue([("message", JSONValue(message))] + members))\n".utf8))
    }
}
