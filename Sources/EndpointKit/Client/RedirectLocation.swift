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
        let bytesBeforeFragment = location.exactBytes.prefix { $0 != UInt8(ascii: "#") }
        let authority = authorityRange(in: bytesBeforeFragment)
        var encodedReference = ""
        for index in bytesBeforeFragment.indices {
            let byte = bytesBeforeFragment[index]
            if isAllowed(at: index, of: bytesBeforeFragment, inAuthority: authority.contains(index)) {
                encodedReference.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encodedReference += PercentEncoding.encode(bytes: [byte])
            }
        }
        return encodedReference
    }

    /// Returns the range of the authority and its slashes, `//[::1]:80` in `http://[::1]:80/a` (RFC 3986, section 3.2).
    ///
    /// It is needed because brackets are allowed only there.
    ///
    /// - Returns: The range; an empty one if the reference has no authority.
    private static func authorityRange(in reference: ArraySlice<UInt8>) -> Range<Int> {
        // The first `/` or `?` begins the authority if it is the first of two slashes, at the start or after a scheme.
        let start = reference.firstIndex { "/?".utf8.contains($0) } ?? reference.endIndex
        let isAtStart = start == reference.startIndex
        let isAfterScheme = !isAtStart && reference[start - 1] == UInt8(ascii: ":")
        guard isAtStart || isAfterScheme, reference[start...].starts(with: "//".utf8) else { return 0..<0 }
        let end = reference[(start + 2)...].firstIndex { "/?".utf8.contains($0) } ?? reference.endIndex
        return start..<end
    }

    /// Returns whether the byte at `index` may stay in a URI reference as it is (RFC 3986, section 2).
    ///
    /// - Parameters:
    ///   - index: The position of the byte.
    ///   - bytes: The reference as the server wrote it.
    ///   - inAuthority: Whether the position is in the authority, where brackets enclose an IPv6 address.
    private static func isAllowed(at index: Int, of bytes: ArraySlice<UInt8>, inAuthority: Bool) -> Bool {
        switch bytes[index] {
        case UInt8(ascii: "%"):
            // A % without two hexadecimal digits after it is a literal percent sign.
            let digitCount = bytes[(index + 1)...].prefix(2).count { Hexadecimal.isDigit($0) }
            return digitCount == 2
        case UInt8(ascii: "["), UInt8(ascii: "]"):
            return inAuthority
        case ..<0x21, 0x7F...:
            // Control characters, the space, and everything beyond ASCII.
            return false
        case let byte:
            return !"\"<>\\^`{|}".utf8.contains(byte)
        }
    }
}
