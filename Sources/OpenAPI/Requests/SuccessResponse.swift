import EndpointKit
import JSONText

/// The kind of body that the successful responses of an operation have.
struct SuccessResponse {
    /// The model of the body: any JSON, no body, or bytes.
    let model: ResponseModel
    /// The value of the header `Accept`. Nil stands for the value that `EndpointKit` sends for the model.
    let accept: String?

    /// Finds the body in the responses of an operation.
    ///
    ///     200 with application/json, 202 with text/plain    →  any JSON
    ///     200 with image/png                                →  bytes
    ///     204 without a body                                →  no body
    ///     no success in the document                        →  bytes
    ///
    /// - Parameters:
    ///   - responses: All responses of the operation.
    ///   - method: The method of the operation.
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
            model = ResponseModel(RawResponse.self)
            // The server chooses one of the media types.
            let distinctTypes = mediaTypes.compactMap(\.headerText).withoutRepetitions
            accept = distinctTypes.isEmpty ? nil : distinctTypes.joined(separator: ", ")
        }
    }

    /// Returns the responses with a 2xx status. Without any, returns the response for all other statuses (`default`).
    private static func successes(among responses: [ResponseObject]) -> [ResponseObject] {
        let successes = responses.filter { $0.status.isSuccess }
        return successes.isEmpty ? responses.filter { $0.status == .fallback } : successes
    }

    /// Returns the value of the header `Accept` for a response in JSON, such as `application/vnd.api+json`.
    ///
    /// - Parameter mediaTypes: The media types of the response. At least one of them is or includes JSON.
    /// - Returns: The value. Nil if the response may be `application/json`, which `EndpointKit` asks for by default.
    private static func acceptForJSON(_ mediaTypes: [MediaTypeName]) -> String? {
        if mediaTypes.contains(where: { $0.essence == "application/json" || $0.includesJSON }) { return nil }
        return mediaTypes.first(where: \.isJSON)?.headerText
    }
}

extension ResponseStatus {
    /// Whether the status is a 2xx status (RFC 9110, section 15.3).
    fileprivate var isSuccess: Bool {
        switch self {
        case .code(let code): code / 100 == 2
        case .range(let digit): digit == 2
        case .fallback: false
        }
    }
}
