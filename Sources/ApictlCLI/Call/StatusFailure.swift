import EndpointKit

/// The final status of a call was no success.
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

/// The answer should be JSON and says itself that it is not.
struct NotJSON: Error {
    let mediaType: String?
    /// Whether it says that documents or events follow each other.
    var isStream = false

    var description: String {
        if isStream { return "the answer is a stream (\(mediaType ?? "")), not one JSON document" }
        return "the answer is \(mediaType ?? "of no stated type"), not JSON"
    }
}

/// The answer has no body where one was expected.
struct EmptyAnswer: Error {
    let head: ResponseHead
    let model: String

    var description: String {
        "the answer (\(head.statusText)) is empty where \(model) was expected"
    }
}
