import EndpointKit

/// The length that a response's head tells of its body.
enum BodyLength {
    /// What is wrong with the head's Content-Length, or nil where nothing is (RFC 9112, section 6.3).
    ///
    /// libcurl takes the last of several fields and the first of several values, leaves out what follows a number, and
    /// reads on to the end of the connection where the number is too large: it would give another body than the server's.
    static func problem(_ head: ResponseHead, method: String) -> String? {
        let hasNoBody = method == "HEAD" || head.status < 200 || head.status == 204 || head.status == 304
        guard !hasNoBody else { return nil }
        guard head["Transfer-Encoding"] == nil else { return transferProblem(head) }
        var length: Int64?
        for digits in head.members(of: "content-length") {
            guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return "a Content-Length that is no number"
            }
            guard let number = Int64(String(Substring(digits))) else { return "a Content-Length beyond 63 bits" }
            guard length == nil || length == number else { return "two different values of Content-Length" }
            length = number
        }
        return nil
    }

    /// The request names no transfer coding, so none but chunks may come (RFC 9112, section 7.4). Some versions of libcurl would
    /// undo others, into memory, and some would pass them on as the body.
    private static func transferProblem(_ head: ResponseHead) -> String? {
        let isKnown = head.members(of: "transfer-encoding").allSatisfy {
            ["", "chunked", "identity"].contains(Substring($0).lowercased())
        }
        return isKnown ? nil : "a transfer coding that was not asked for"
    }
}
