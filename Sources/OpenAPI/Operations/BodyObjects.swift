import JSONText

/// The body of a request (OpenAPI 3.1, section 4.8.13).
package struct RequestBodyObject: Sendable {
    /// The description of the body.
    package let summary: String?
    package let isRequired: Bool
    /// The body in each of its media types, in the order of the document.
    package let content: [MediaTypeObject]
}

/// A response (OpenAPI 3.1, section 4.8.17).
package struct ResponseObject: Sendable {
    package let status: ResponseStatus
    /// The description of the response.
    package let summary: String?
    /// The names of the headers that the response has.
    package let headerNames: [String]
    /// The body in each of its media types, in the order of the document; empty if the response has no body.
    package let content: [MediaTypeObject]
}

/// The status codes that a response describes (OpenAPI 3.1, section 4.8.16).
package enum ResponseStatus: Hashable, Sendable {
    case code(Int)
    /// All codes with this first digit: 2 for `2XX`.
    case range(Int)
    /// All codes that no other response describes (`default`).
    case fallback

    /// Reads a key of `responses`.
    ///
    ///     200          →  .code(200)
    ///     2XX, 2xx     →  .range(2)
    ///     default      →  .fallback
    ///     600, 2X      →  nil
    init?(_ text: String) {
        if text == "default" {
            self = .fallback
            return
        }
        guard text.utf8.count == 3, let digit = text.first?.wholeNumberValue, 1...5 ~= digit else { return nil }
        if text.dropFirst().uppercased() == "XX" {
            self = .range(digit)
        } else if let code = Int(text) {
            self = .code(code)
        } else {
            return nil
        }
    }
}

extension [ResponseObject] {
    /// Returns the response that describes a status code.
    ///
    /// For the code 404, this is the response `404`, or else `4XX`, or else `default`.
    package func response(for code: Int) -> ResponseObject? {
        let statuses: [ResponseStatus] = [.code(code), .range(code / 100), .fallback]
        for status in statuses {
            if let response = first(where: { $0.status == status }) { return response }
        }
        return nil
    }
}
