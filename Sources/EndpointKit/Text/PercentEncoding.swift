import JSONText

/// Percent-encoding (RFC 3986, section 2).
package enum PercentEncoding {
    /// `text` with every byte except unreserved ones (`A–Z a–z 0–9 - . _ ~`) written as `%XX`.
    ///
    /// The result can be used in any part of a URL.
    package static func encode(_ text: String) -> String {
        encode(bytes: text.exactBytes)
    }

    /// `bytes` with every byte except unreserved ones written as `%XX`.
    package static func encode(bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte.isLetterOrDigit || "-._~".utf8.contains(byte) {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result.append(Hexadecimal.digit(UInt32(byte) >> 4))
                result.append(Hexadecimal.digit(UInt32(byte)))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The decoded text. A `%` without two hexadecimal digits after it is kept.
    package static func decode(_ encoded: some StringProtocol) -> String {
        var result: [UInt8] = []
        var rest = String(encoded).exactBytes[...]
        while let byte = rest.popFirst() {
            let digits = byte == UInt8(ascii: "%") ? rest.prefix(2).compactMap(Hexadecimal.value) : []
            result.append(digits.count == 2 ? digits[0] << 4 | digits[1] : byte)
            if digits.count == 2 { rest = rest.dropFirst(2) }
        }
        return String(exactBytes: result)
    }
}
