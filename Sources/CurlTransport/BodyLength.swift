import EndpointKit

/// The length of a body as the response headers declare it.
enum BodyLength {
    /// What is wrong with the declared length, or nil (RFC 9112, section 6.3).
    ///
    /// libcurl uses the last of several headers and the first of several values, ignores what follows a number, and reads to the
    /// end of the connection if the number is too large: it would deliver another body than the server's.
    static func problem(_ head: ResponseHead, method: HTTPMethod) -> String? {
        let hasNoBody = method == .head || head.status < 200 || head.status == 204 || head.status == 304
        guard !hasNoBody else { return nil }
        if head["Transfer-Encoding"] != nil {
            // The request accepts no transfer coding, so only chunked is allowed (RFC 9112, section 7.4). Some versions of libcurl decode
            // others into memory, and some pass them on as the body.
            let isKnown = head.fields.members(of: "transfer-encoding").allSatisfy {
                ["", "chunked", "identity"].contains($0.lowercased())
            }
            return isKnown ? nil : "a transfer coding that was not requested"
        }
        var length: Int64?
        for digits in head.fields.members(of: "content-length") {
            guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else {
                return "a Content-Length that is not a number"
            }
            guard let number = Int64(digits) else { return "a Content-Length beyond 63 bits" }
            guard length == nil || length == number else { return "two different values of Content-Length" }
            length = number
        }
        return nil
    }
}
