import EndpointKit
import JSONText

/// The body of an operation's successful responses.
struct SuccessResponse {
    /// The model of the body: any JSON, no body, or bytes.
    let model: ResponseModel
    /// The value of the header `Accept`. It is nil if the header that `EndpointKit` sends for the model is good enough.
    let accept: String?

    /// Finds the body in the responses of an operation.
    ///
    /// All responses with a status of 2xx count, or else the default one. The body is JSON if any of them can be. If
    /// the document describes no such response, the body may be anything, and is read as bytes.
    init(_ responses: [ResponseObject], method: HTTPMethod) {
        let successes = Self.successes(among: responses)
        let mediaTypes = successes.flatMap(\.content).map { MediaTypeName($0.contentType) }
        let isDescribedWithoutBody = !successes.isEmpty && mediaTypes.isEmpty
        // The response to a HEAD request has no body (RFC 9110, section 9.3.2).
        if method == .head || isDescribedWithoutBody {
            model = ResponseModel(EmptyResponse.self)
            accept = nil
        } else if mediaTypes.contains(where: { $0.isJSON || $0.includesJSON }) {
            model = ResponseModel(JSONValue.self)
            accept = Self.acceptForJSON(mediaTypes)
        } else {
            // A body that is not JSON is passed on as it is. The server may choose among its media types.
            model = ResponseModel(RawResponse.self)
            let differentTypes = mediaTypes.compactMap(\.headerText).grouped { $0 }.map(\.key)
            accept = differentTypes.isEmpty ? nil : differentTypes.joined(separator: ", ")
        }
    }

    /// Returns the responses that describe a success: those with a status of 2xx, or else the default one.
    private static func successes(among responses: [ResponseObject]) -> [ResponseObject] {
        let successes = responses.filter { $0.status.isSuccess }
        return successes.isEmpty ? responses.filter { $0.status == .fallback } : successes
    }

    /// Returns the header Accept for a response in JSON: its own media type, such as `application/vnd.api+json`.
    ///
    /// - Returns: The value; nil if the response may be `application/json`, which `EndpointKit` asks for.
    private static func acceptForJSON(_ mediaTypes: [MediaTypeName]) -> String? {
        if mediaTypes.contains(where: { $0.essence == "application/json" || $0.includesJSON }) { return nil }
        return mediaTypes.first(where: \.isJSON)?.headerText
    }
}

extension ResponseStatus {
    /// Whether the status is 2xx (RFC 9110, section 15.3).
    fileprivate var isSuccess: Bool {
        switch self {
        case .code(let code): code / 100 == 2
        case .range(let digit): digit == 2
        case .fallback: false
        }
    }
}
