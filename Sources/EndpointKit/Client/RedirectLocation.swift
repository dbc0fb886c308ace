import JSONText

/// The text of a `Location` field as a URI reference (RFC 3986, section 4.1).
///
/// Servers often send spaces, quotes, brackets and raw bytes. As in browsers, only bytes that are not allowed are
/// percent-encoded: Foundation would encode the whole text, including existing `%` escapes.
enum RedirectLocation {
    /// Returns the value of a `Location` field as a valid URI reference, which can be resolved.
    ///
    ///     /a b?q=50%25#top    →    /a%20b?q=50%25
    ///
    /// Every byte that a URI does not allow becomes a percent escape. The fragment is left out, because it is never
    /// sent.
    static func reference(_ location: String) -> String {
        let bytes = location.exactBytes.prefix { $0 != UInt8(ascii: "#") }
        let authority = authorityRange(in: bytes)
        var reference = ""
        for index in bytes.indices {
            let byte = bytes[index]
            if isAllowed(at: index, of: bytes, inAuthority: authority.contains(index)) {
                reference.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                reference += PercentEncoding.encode(bytes: [byte])
            }
        }
        return reference
    }

    /// Returns the range of the authority and its slashes, `//[::1]:80` in `http://[::1]:80/a`; empty if there is none.
    ///
    /// It is needed because brackets are allowed only there.
    private static func authorityRange(in bytes: ArraySlice<UInt8>) -> Range<Int> {
        let start = bytes.firstIndex { "/?".utf8.contains($0) } ?? bytes.endIndex
        let isAfterScheme = start > bytes.startIndex && bytes[start - 1] == UInt8(ascii: ":")
        guard start == bytes.startIndex || isAfterScheme, bytes[start...].starts(with: "//".utf8) else { return 0..<0 }
        let end = bytes[(start + 2)...].firstIndex { "/?".utf8.contains($0) } ?? bytes.endIndex
        return start..<end
    }

    /// Whether the byte at `index` may stay as it is.
    private static func isAllowed(at index: Int, of bytes: ArraySlice<UInt8>, inAuthority: Bool) -> Bool {
        switch bytes[index] {
        case UInt8(ascii: "%"):
            // A % without two hexadecimal digits after it is a literal percent sign.
            bytes[(index + 1)...].prefix(2).count { Hexadecimal.isDigit($0) } == 2
        case UInt8(ascii: "["), UInt8(ascii: "]"): inAuthority
        // Control characters, the space, and everything beyond ASCII.
        case ..<0x21, 0x7F...: false
        case let byte: !"\"<>\\^`{|}".utf8.contains(byte)
        }
    }
}
