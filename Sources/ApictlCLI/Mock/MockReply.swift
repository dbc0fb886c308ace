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

    /// Makes the reply to a request that fails.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - message: The reason, which is in the response and in the log.
    ///   - fields: Headers of the response beside those that every response has.
    init(status: Int, message: String, fields: [HTTPField] = []) {
        response = Response(status, message: message)
        response.head.fields += fields
        note = message
    }
}
