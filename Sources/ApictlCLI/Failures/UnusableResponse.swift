import EndpointKit

/// The error that a response can't be used, because it does not fit the request or the model.
struct UnusableResponse: Error {
    let description: String
    /// Advice that only helps if the request may be sent again; nil if there is none.
    var hint: Hint?

    /// The error that the server sent a part of the body although the whole was requested.
    static let part = UnusableResponse(description: "the server sent a part (206) instead of the whole")

    /// Returns the error that the response is a stream, such as server-sent events, but the model describes a single
    /// document.
    static func stream(_ head: ResponseHead, _ redactor: Redactor) -> UnusableResponse {
        let type = head.mediaType(redactedBy: redactor) ?? ""
        return UnusableResponse(
            description: "the response is a stream (\(type)), not one JSON document",
            hint: .options("Add --raw to see what the server sent."))
    }

    /// Returns the error that the response has no body.
    static func empty(_ head: ResponseHead) -> UnusableResponse {
        UnusableResponse(description: "the response (\(head.statusText)) has no body")
    }
}

/// An error of a model's own `init(from:)`, by which it refuses a response.
struct ModelRefusal: Error {
    /// The name of the model.
    let model: String
    /// The error of the model.
    let reason: any Error
}
