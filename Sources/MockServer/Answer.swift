import EndpointKit

/// What the server does after a request: bytes, pauses, and how it ends.
///
/// When the last step is done, the connection is used for the next request unless a step ended it.
public struct Answer: Sendable, Equatable {
    /// One thing the server does.
    public enum Step: Sendable, Equatable {
        /// Sends bytes as they are.
        case bytes([UInt8])
        /// Sends bytes of a body: left out in the answer to a HEAD request.
        case content([UInt8])
        /// Sends the same bytes of a body `count` times without ever holding all of them.
        case repeating([UInt8], count: Int)
        /// Waits; what stands before it has been sent by then.
        case pause(Duration)
        /// Sends nothing more, until the client closes the connection or the server stops.
        case hang
        /// Ends the connection in order.
        case close
        /// Breaks the connection off with a TCP reset.
        case reset
    }

    /// The steps in order, the head's bytes included.
    public var steps: [Step]

    /// An answer of those steps alone: no head is added.
    public init(steps: [Step]) { self.steps = steps }

    /// A response whose `Content-Length` is that of the body.
    ///
    /// It has none where the status allows no body (1xx, 204, 304), in which case the body is left out, and where `fields`
    /// hold a `Content-Length` or a `Transfer-Encoding`. `Connection: close` in the fields closes the connection.
    public static func response(
        _ status: Int, reason: String? = nil, fields: [(String, String)] = [], body: [UInt8] = []
    ) -> Answer {
        let allowsBody = Status.allowsBody(status)
        let steps: [Step] = body.isEmpty || !allowsBody ? [] : [.content(body)]
        return headed(status, reason, fields, length: allowsBody ? "Content-Length: \(body.count)" : nil, steps)
    }

    /// A response with `application/json`; the text is sent as it is.
    public static func json(_ text: String, status: Int = 200, fields: [(String, String)] = []) -> Answer {
        json(Array(text.utf8), status: status, fields: fields)
    }

    /// A response with `application/json`; the bytes are sent as they are.
    public static func json(_ bytes: [UInt8], status: Int = 200, fields: [(String, String)] = []) -> Answer {
        response(status, fields: [("Content-Type", "application/json")] + fields, body: bytes)
    }

    /// A response with `text/plain; charset=utf-8`.
    public static func text(_ text: String, status: Int = 200, fields: [(String, String)] = []) -> Answer {
        response(status, fields: [("Content-Type", "text/plain; charset=utf-8")] + fields, body: Array(text.utf8))
    }

    /// Bytes that are the whole answer, right or wrong, head included.
    public static func raw(_ text: String) -> Answer { Answer(steps: [.bytes(Array(text.utf8))]) }

    /// A response in the chunked transfer coding, one chunk a piece; empty pieces are left out (RFC 9112, section 7.1).
    public static func chunked(
        _ pieces: [[UInt8]], pauseBetween pause: Duration = .zero, status: Int = 200, fields: [(String, String)] = []
    ) -> Answer {
        var steps: [Step] = []
        for piece in pieces where !piece.isEmpty {
            if !steps.isEmpty, pause > .zero { steps.append(.pause(pause)) }
            let size = Array((String(piece.count, radix: 16) + "\r\n").utf8)
            steps.append(.content(size + piece + Array("\r\n".utf8)))
        }
        steps.append(.content(Array("0\r\n\r\n".utf8)))
        return headed(status, nil, fields, length: "Transfer-Encoding: chunked", steps)
    }

    /// A response whose body is `piece`, `count` times.
    public static func repeating(
        _ piece: [UInt8], count: Int, status: Int = 200, fields: [(String, String)] = []
    ) -> Answer {
        let length = piece.count.multipliedReportingOverflow(by: max(0, count))
        precondition(!length.overflow, "a body's length is an Int")
        return headed(
            status, nil, fields, length: "Content-Length: \(length.partialValue)", [.repeating(piece, count: count)])
    }

    /// This answer and then more steps.
    public func then(_ steps: Step...) -> Answer { Answer(steps: self.steps + steps) }

    /// This answer and then another, such as an interim response and the final one.
    public func then(_ answer: Answer) -> Answer { Answer(steps: steps + answer.steps) }

    private static func headed(
        _ status: Int, _ reason: String?, _ fields: [(String, String)], length: String?, _ steps: [Step]
    ) -> Answer {
        let names = fields.map { $0.0.lowercased() }
        var lines = ["HTTP/1.1 \(status) \(reason ?? ReasonPhrase.of(status))"]
        lines += fields.map { "\($0.0): \($0.1)" }
        if let length, !names.contains("content-length"), !names.contains("transfer-encoding") { lines.append(length) }
        let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
        let closes = fields.contains { $0.0.lowercased() == "connection" && $0.1.lowercased() == "close" }
        return Answer(steps: [.bytes(Array(head.utf8))] + steps + (closes ? [.close] : []))
    }
}
