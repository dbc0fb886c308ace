import EndpointKit

/// The final status of a call is not a success.
struct StatusFailure: Error {
    let head: ResponseHead
    /// What the API says about it in its own words.
    let words: String?
    /// What might help.
    let hints: [String]

    var description: String {
        let target = (300..<400).contains(head.status) ? head["Location"].map { " to \($0)" } : nil
        return head.statusText + (target ?? "") + (words.map { ": \($0)" } ?? "")
    }
}

/// The response should be JSON, but its content type says otherwise.
struct NotJSON: Error {
    let mediaType: String?
    /// Whether the type is one of a stream of documents or events.
    var isStream = false

    var description: String {
        if isStream { return "the response is a stream (\(mediaType ?? "")), not one JSON document" }
        return "the response is \(mediaType ?? "of unknown type"), not JSON"
    }
}

/// The response has no body although the model needs one.
struct MissingBody: Error {
    let head: ResponseHead
    let model: String

    var description: String {
        "the response (\(head.statusText)) has no body, expected \(model)"
    }
}
