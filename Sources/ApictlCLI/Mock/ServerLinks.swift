import EndpointKit

extension Response {
    /// Returns this response with another address in the links of headers and text.
    ///
    ///     https://api.example.com  →  http://127.0.0.1:8080/movies
    ///     "next": "https://api.example.com/3/list?page=2"  →  "next": "http://127.0.0.1:8080/movies/3/list?page=2"
    ///
    /// JSON may have `\/` for a slash: such addresses are replaced too. Bodies that are neither JSON nor text stay as
    /// they are.
    ///
    /// - Parameters:
    ///   - address: The address to look for, without a slash at its end.
    ///   - replacement: The address to put in its place.
    func replacing(_ address: String, with replacement: String) -> Response {
        if address == replacement { return self }
        var copy = self
        copy.head.fields = head.fields.map { field in
            let value = field.value.exactBytes.replacing(address, with: replacement)
            return .init(field.name, String(exactBytes: value))
        }
        let isText = head.mediaType?.hasPrefix("text/") == true
        guard isText || head.isJSON == true else { return copy }
        func escaped(_ text: String) -> String { text.replacingBytes(of: "/", with: "\\/") }
        copy.body = body.replacing(address, with: replacement)
            .replacing(escaped(address), with: escaped(replacement))
        return copy
    }
}

extension [UInt8] {
    /// Returns these bytes with `replacement` in place of each `address`.
    ///
    /// An address that is only the beginning of another host or port stays: `https://example.com` in
    /// `https://example.com.net`.
    fileprivate func replacing(_ address: String, with replacement: String) -> [UInt8] {
        var result: [UInt8] = []
        var remaining = self[...]
        while let range = remaining.firstRange(of: address.utf8) {
            result += remaining[..<range.lowerBound]
            let continues = range.upperBound < endIndex && Self.continuesAuthority(self[range.upperBound])
            result += continues ? address.utf8 : replacement.utf8
            remaining = remaining[range.upperBound...]
        }
        return result + remaining
    }

    /// Returns whether a byte after an address is still part of the host, port or user name (RFC 3986, section 3.2).
    private static func continuesAuthority(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "-._~%:@".utf8.contains(byte)
    }
}
