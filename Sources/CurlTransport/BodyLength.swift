import EndpointKit

/// The length of a body as the response headers declare it.
enum BodyLength {
    /// Returns what is wrong with the declared length of a response's body (RFC 9112, section 6.3), such as `two
    /// different values of Content-Length`. It is nil if the length is valid.
    ///
    /// libcurl accepts what is wrong: it uses the last of several headers and the first of several values, ignores what
    /// follows a number, and reads to the end of the connection if the number is too large. So it might deliver another
    /// body than the one that the server has sent.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - method: The method of the request. A response to HEAD has no body.
    static func problem(_ head: ResponseHead, method: HTTPMethod) -> String? {
        let hasNoBody = method == .head || head.status < 200 || head.status == 204 || head.status == 304
        if hasNoBody { return nil }
        // With a transfer coding, Content-Length does not count.
        if head["Transfer-Encoding"] != nil { return transferCodingProblem(head) }
        return contentLengthProblem(head)
    }

    /// Returns what is wrong with the `Transfer-Encoding` of a response, or nil if it is valid.
    ///
    /// The request accepts no transfer codings, so only chunked is allowed (RFC 9112, section 7.4). Some versions of
    /// libcurl decode others into memory, and some pass them on as the body.
    private static func transferCodingProblem(_ head: ResponseHead) -> String? {
        let allowed = ["", "chunked", "identity"]
        let codings = head.fields.members(of: "transfer-encoding")
        let areAllowed = codings.allSatisfy { allowed.contains($0.lowercased()) }
        return areAllowed ? nil : "a transfer coding that was not requested"
    }

    /// Returns what is wrong with the `Content-Length` of a response, or nil if it is absent or valid.
    ///
    /// It may be repeated with equal values, in one header or in several (RFC 9110, section 8.6).
    private static func contentLengthProblem(_ head: ResponseHead) -> String? {
        var length: Int64?
        for digits in head.fields.members(of: "content-length") {
            guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else {
                return "a Content-Length that is not a number"
            }
            guard let number = Int64(digits) else { return "a Content-Length beyond 63 bits" }
            let isDifferent = length != nil && length != number
            if isDifferent { return "two different values of Content-Length" }
            length = number
        }
        return nil
    }
}
