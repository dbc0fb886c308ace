extension String {
    /// The text with escapes as it stands in XML or HTML, between tags or in an attribute.
    ///
    /// Characters that XML does not allow are replaced by U+FFFD (XML 1.0, section 2.2).
    var escapedMarkup: String { escapedMarkup(isAttribute: true) }

    /// Returns the text with escapes as it stands in XML or HTML.
    ///
    /// Characters that XML does not allow are replaced by U+FFFD (XML 1.0, section 2.2): control characters other than
    /// tab and line feed, and U+FFFE and U+FFFF. A carriage return is allowed, but XML readers would take it for a
    /// line feed.
    ///
    /// - Parameter isAttribute: Whether quotes are escaped too, because the text stands in an attribute.
    func escapedMarkup(isAttribute: Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\"") where isAttribute: bytes += "&quot;".utf8
            case UInt8(ascii: "'") where isAttribute: bytes += "&#39;".utf8
            case 0..<0x20 where byte != 0x09 && byte != 0x0A: bytes += "\u{FFFD}".utf8
            case 0xBE, 0xBF:
                // U+FFFE and U+FFFF, which are EF BF BE and EF BF BF in UTF-8, become U+FFFD (EF BF BD). The first two
                // bytes have been written already.
                let isNoncharacter = bytes.suffix(2).elementsEqual([0xEF, 0xBF])
                bytes.append(isNoncharacter ? 0xBD : byte)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
