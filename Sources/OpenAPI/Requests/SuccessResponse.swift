import EndpointKit
import JSONText

/// The body of an operation's successful responses.
struct SuccessResponse {
    /// The model: any JSON, no body, or bytes.
    let model: ResponseModel
    /// The value of the header Accept; nil if the one that `EndpointKit` sets is right.
    let accept: String?

    /// Finds the body in the responses of an operation.
    ///
    /// All responses with a status of 2xx count, or else the default one. A response that the document does not
    /// describe may have any body.
    init(_ responses: [ResponseObject], method: HTTPMethod) {
        let successes = responses.filter { $0.status.isSuccess }
        let counting = successes.isEmpty ? responses.filter { $0.status == .fallback } : successes
        let names = counting.flatMap { $0.content.map { MediaTypeName($0.contentType) } }
        if method == .head || !counting.isEmpty && names.isEmpty {
            model = ResponseModel(EmptyResponse.self)
            accept = nil
        } else if names.contains(where: { $0.isJSON || $0.includesJSON }) {
            model = ResponseModel(JSONValue.self)
            let isUsual = names.contains { $0.essence == "application/json" || $0.includesJSON }
            accept = isUsual ? nil : names.first(where: \.isJSON)?.headerText
        } else {
            model = ResponseModel(RawResponse.self)
            let texts = names.compactMap(\.headerText).grouped { $0 }.map(\.key)
            accept = texts.isEmpty ? nil : texts.joined(separator: ", ")
        }
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
