import JSONText

/// The text of a `Location` field as a URI reference (RFC 3986, section 4.1).
///
/// Servers often send spaces, quotes, brackets and raw bytes. As in browsers, only bytes that are not allowed are percent-encoded:
/// Foundation would encode the whole text, including existing `%` escapes.
enum LocationText {
    /// `location` without its fragment, which is never sent, and with every disallowed byte percent-encoded.
    static func reference(_ location: String) -> String {
        let bytes = location.exactBytes.prefix { $0 != UInt8(ascii: "#") }
        let authority = authority(of: bytes)
        return bytes.indices.map { index in
            let byte = bytes[index]
            return isAllowed(byte, at: index, of: bytes, inAuthority: authority.contains(index))
                ? String(Unicode.Scalar(byte)) : PercentEncoding.encode(bytes: [byte])
        }
        .joined()
    }

    /// The authority and its slashes, the only part in which brackets are allowed.
    private static func authority(of bytes: ArraySlice<UInt8>) -> Range<Int> {
        let path = bytes.firstIndex { "/?".utf8.contains($0) } ?? bytes.endIndex
        guard bytes[path...].starts(with: "//".utf8), path == bytes.startIndex || bytes[path - 1] == UInt8(ascii: ":")
        else { return 0..<0 }
        let end = bytes[(path + 2)...].firstIndex { "/?".utf8.contains($0) } ?? bytes.endIndex
        return path..<end
    }

    private static func isAllowed(
        _ byte: UInt8, at index: Int, of bytes: ArraySlice<UInt8>, inAuthority: Bool
    ) -> Bool {
        switch byte {
        case UInt8(ascii: "%"):
            // A % without two hexadecimal digits after it is a literal percent sign.
            bytes[(index + 1)...].prefix(2).count { Hexadecimal.isDigit($0) } == 2
        case UInt8(ascii: "["), UInt8(ascii: "]"): inAuthority
        case ..<0x21, 0x7F...: false
        default: !"\"<>\\^`{|}".utf8.contains(byte)
        }
    }
}
