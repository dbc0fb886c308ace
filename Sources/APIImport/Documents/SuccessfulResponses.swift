import EndpointKit
import OpenAPI

/// The responses of an operation that are a success: those with a status of 2xx, or else the default one.
struct SuccessfulResponses {
    private let responses: [ResponseObject]
    /// Whether there is a redirect (3xx), but neither a success (2xx) nor a default response.
    let isRedirect: Bool

    /// Selects the successful ones of all responses that the document describes for an operation.
    init(_ describedResponses: [ResponseObject]) {
        let successes = describedResponses.filter { $0.status.firstDigit == 2 }
        if successes.isEmpty {
            responses = describedResponses.filter { $0.status == .fallback }
        } else {
            responses = successes.sorted { $0.status.sortKey < $1.status.sortKey }
        }
        isRedirect = responses.isEmpty && describedResponses.contains { $0.status.firstDigit == 3 }
    }

    /// Whether a response has a `Link` header.
    var hasLinkHeader: Bool { responses.contains { $0.headerNames.contains { $0.isSameName(as: "Link") } } }

    /// The content that is read, the best of all responses; nil if no response has a body.
    var content: MediaTypeObject? { Self.best(responses.flatMap(\.content)) }

    /// Returns the statuses of the responses whose bodies have another schema than ``content``, such as `202` or `2XX`.
    func statusesOfOtherTypes(_ document: OpenAPIDocument) -> [String] {
        guard responses.count > 1, let content else { return [] }
        let chosenSchema = Self.schemaText(content, document)
        var statuses: [String] = []
        for response in responses {
            // A response without a body, or without a schema to compare, is passed over.
            guard let responseContent = Self.best(response.content),
                let schema = Self.schemaText(responseContent, document)
            else { continue }
            if schema != chosenSchema { statuses.append(response.status.text) }
        }
        return statuses
    }

    /// Returns the JSON text of a body's schema, so that schemas can be compared. A reference is followed first.
    ///
    /// - Returns: The text; nil if there is no schema, if it describes a form or a sequence of items, or if its
    ///   reference leads nowhere.
    private static func schemaText(_ content: MediaTypeObject, _ document: OpenAPIDocument) -> String? {
        guard case .schema(let schema)? = content.schema, case .schema(let target) = document.target(of: schema) else {
            return nil
        }
        return target.description
    }

    /// Returns the content that is read: JSON, then a range that includes JSON, then text, then anything else.
    private static func best(_ contents: [MediaTypeObject]) -> MediaTypeObject? {
        contents.min { rank($0) < rank($1) }
    }

    /// Returns the rank of a media type, from 0 for `application/json` to 4 for bytes. The lowest one is best.
    private static func rank(_ content: MediaTypeObject) -> Int {
        let name = MediaTypeName(content.contentType)
        if name.isJSON { return name.essence == "application/json" ? 0 : 1 }
        if name.includesJSON, content.schema != nil { return 2 }
        return name.isText ? 3 : 4
    }
}

extension ResponseStatus {
    /// The first digit of the codes; nil for the default response.
    fileprivate var firstDigit: Int? {
        switch self {
        case .code(let code): code / 100
        case .range(let digit): digit
        case .fallback: nil
        }
    }

    /// The status as in the document.
    fileprivate var text: String {
        switch self {
        case .code(let code): "\(code)"
        case .range(let digit): "\(digit)XX"
        case .fallback: "default"
        }
    }

    /// The number by which statuses are sorted: codes in ascending order, then ranges, then the default response.
    fileprivate var sortKey: Int {
        switch self {
        case .code(let code): code
        case .range(let digit): 1_000 + digit
        case .fallback: 2_000
        }
    }
}
