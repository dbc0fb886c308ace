import EndpointKit

/// A response that does not match the request or the model.
struct UnusableResponse: Error {
    static let part = UnusableResponse(description: "the server sent a part (206) instead of the whole")

    /// A model that is not a list describes a single document.
    static func stream(_ head: ResponseHead, _ redactor: Redactor) -> UnusableResponse {
        let type = head.mediaType(redactedBy: redactor) ?? ""
        return UnusableResponse(
            description: "the response is a stream (\(type)), not one JSON document",
            hint: .options("Add --raw to see what the server sent."))
    }

    static func empty(_ head: ResponseHead) -> UnusableResponse {
        UnusableResponse(description: "the response (\(head.statusText)) has no body")
    }

    let description: String
    /// Advice for a request that may be sent again.
    var hint: Hint?
}
