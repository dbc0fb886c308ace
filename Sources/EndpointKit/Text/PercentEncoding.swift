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
        var encodedBytes: [UInt8] = []
        encodedBytes.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte.isLetterOrDigit || "-._~".utf8.contains(byte) {
                encodedBytes.append(byte)
            } else {
                encodedBytes.append(UInt8(ascii: "%"))
                encodedBytes.append(Hexadecimal.digit(UInt32(byte >> 4)))
                encodedBytes.append(Hexadecimal.digit(UInt32(byte & 0x0F)))
            }
        }
        return String(decoding: encodedBytes, as: UTF8.self)
    }

    /// Returns the text that `encoded` stands for, with each `%XX` replaced by its byte.
    ///
    ///     a%20b, 50%    →    a b, 50%
    ///
    /// A `%` without two hexadecimal digits after it is kept.
    package static func decode(_ encoded: some StringProtocol) -> String {
        var decodedBytes: [UInt8] = []
        var unreadBytes = String(encoded).exactBytes[...]
        while let byte = unreadBytes.popFirst() {
            if byte == UInt8(ascii: "%"), let escapedByte = byteOfDigits(atStartOf: unreadBytes) {
                decodedBytes.append(escapedByte)
                unreadBytes = unreadBytes.dropFirst(2)
            } else {
                decodedBytes.append(byte)
            }
        }
        return String(exactBytes: decodedBytes)
    }

    /// Returns the byte that the first two bytes of `text` stand for as hexadecimal digits; nil if they are no digits.
    private static func byteOfDigits(atStartOf text: ArraySlice<UInt8>) -> UInt8? {
        let digits = text.prefix(2).compactMap(Hexadecimal.value)
        guard digits.count == 2 else { return nil }
        return digits[0] << 4 | digits[1]
    }
}
