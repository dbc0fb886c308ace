import EndpointKit
import MockServer

/// The response of `mock` to a request, and what the log says about it.
struct MockReply: Sendable {
    var response: Response
    /// The remark in the log; nil for none.
    var note: String?

    init(_ response: Response, note: String? = nil) {
        self.response = response
        self.note = note
    }

    /// Makes a failure whose message is in the response and in the log.
    init(_ status: Int, _ message: String, fields: [HTTPField] = []) {
        response = Response(status, message: message)
        response.head.fields += fields
        note = message
    }
}
