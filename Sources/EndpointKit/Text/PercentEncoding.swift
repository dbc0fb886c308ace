import JSONText

/// Percent-encoding (RFC 3986, section 2).
package enum PercentEncoding {
    /// Returns `text` with every byte except unreserved ones (`A–Z a–z 0–9 - . _ ~`) written as `%XX`.
    ///
    /// The result can be used in any part of a URL.
    package static func encode(_ text: String) -> String {
        encode(bytes: text.exactBytes)
    }

    /// Returns `bytes` with every byte except unreserved ones written as `%XX`.
    package static func encode(bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte.isLetterOrDigit || "-._~".utf8.contains(byte) {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result.append(Hexadecimal.digit(UInt32(byte) >> 4))
                // Only the lower four bits count.
                result.append(Hexadecimal.digit(UInt32(byte)))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the decoded text. A `%` without two hexadecimal digits after it is kept.
    package static func decode(_ encoded: some StringProtocol) -> String {
        var result: [UInt8] = []
        var rest = String(encoded).exactBytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let escaped = escapedByte(rest) {
                result.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(exactBytes: result)
    }

    /// Returns the byte that the two hexadecimal digits at the start of `text` stand for; nil if they are none.
    private static func escapedByte(_ text: ArraySlice<UInt8>) -> UInt8? {
        let digits = text.prefix(2).compactMap(Hexadecimal.value)
        guard digits.count == 2 else { return nil }
        return digits[0] << 4 | digits[1]
    }
}
