import JSONText

/// Percent-encoding (RFC 3986, section 2).
package enum PercentEncoding {
    /// Returns `text` with every byte except unreserved ones (`A–Z a–z 0–9 - . _ ~`) written as `%XX`.
    ///
    /// The result can be used in any part of a URL.
    package static func encode(_ text: String) -> String {
        encode(bytes: text.exactBytes)
    }

    /// Returns `bytes` with every byte written as `%XX`, except unreserved ones (RFC 3986, section 2.3).
    ///
    ///     a b/ü    →    a%20b%2F%C3%BC
    package static func encode(bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte.isLetterOrDigit || "-._~".utf8.contains(byte) {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result.append(Hexadecimal.digit(UInt32(byte >> 4)))
                result.append(Hexadecimal.digit(UInt32(byte & 0x0F)))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the text that `encoded` stands for, with each `%XX` replaced by its byte.
    ///
    ///     a%20b, 50%    →    a b, 50%
    ///
    /// A `%` without two hexadecimal digits after it is kept.
    package static func decode(_ encoded: some StringProtocol) -> String {
        var decoded: [UInt8] = []
        var unread = String(encoded).exactBytes[...]
        while let byte = unread.popFirst() {
            if byte == UInt8(ascii: "%"), let escapedByte = escapedByte(unread) {
                decoded.append(escapedByte)
                unread = unread.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return String(exactBytes: decoded)
    }

    /// Returns the byte that the two hexadecimal digits at the start of `text` stand for; nil if they are none.
    private static func escapedByte(_ text: ArraySlice<UInt8>) -> UInt8? {
        let digits = text.prefix(2).compactMap(Hexadecimal.value)
        guard digits.count == 2 else { return nil }
        return digits[0] << 4 | digits[1]
    }
}
