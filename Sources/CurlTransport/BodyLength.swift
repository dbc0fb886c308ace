import EndpointKit

/// The length that a response's head tells of its body.
enum BodyLength {
    /// What is wrong with the head's Content-Length, or nil where nothing is (RFC 9112, section 6.3).
    ///
    /// libcurl takes the last of several fields and the first of several values, leaves out what follows a number, and
    /// reads on to the end of the connection where the number is too large: it would give another body than the server's.
    static func problem(_ head: ResponseHead, method: String) -> String? {
        let hasNoBody = method == "HEAD" || head.status < 200 || head.status == 204 || head.status == 304
        guard !hasNoBody, head["Transfer-Encoding"] == nil else { return nil }
        var length: Int64?
        for field in head.fields where field.name.lowercased() == "content-length" {
            for value in field.value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                let digits = value.trimmingBlanks()
                guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
                    return "a Content-Length that is no number"
                }
                guard let number = Int64(String(Substring(digits))) else { return "a Content-Length beyond 63 bits" }
                guard length == nil || length == number else { return "two different values of Content-Length" }
                length = number
            }
        }
        return nil
    }
}

extension Substring.UTF8View {
    fileprivate func trimmingBlanks() -> Substring.UTF8View {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = drop(while: isBlank)
        guard let end = start.lastIndex(where: { !isBlank($0) }) else { return start }
        return start[...end]
    }
}
