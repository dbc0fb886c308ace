import EndpointKit

/// A call whose final status is not a success.
struct StatusFailure: Error {
    let head: ResponseHead
    /// The API's own message, if the body has one.
    let words: String?
    /// Lines that suggest a solution.
    let hints: [String]
    /// Which of several servers answered so, for `diff`.
    var server: String?

    var description: String {
        let target = (300..<400).contains(head.status) ? head["Location"].map { " to \($0)" } : nil
        let subject = server.map { "\($0) answered " } ?? ""
        return subject + head.statusText + (target ?? "") + (words.map { ": \($0)" } ?? "")
    }
}

/// A response that should be JSON but is not, according to its content type.
struct NotJSON: Error {
    let mediaType: String?
    /// Whether it is a stream of documents or events.
    var isStream = false

    var description: String {
        if isStream { return "the response is a stream (\(mediaType ?? "")), not one JSON document" }
        return "the response is \(mediaType ?? "of unknown type"), not JSON"
    }
}

/// A response without a body although the model needs one.
struct MissingBody: Error {
    let head: ResponseHead
    let model: String

    var description: String {
        "the response (\(head.statusText)) has no body, expected \(model)"
    }
}
