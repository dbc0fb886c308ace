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
            if isUnreserved(byte) {
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
        String(exactBytes: decodeBytes(Array(encoded.utf8)))
    }

    static func decodeBytes(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = Hexadecimal.value(bytes[index + 1]), let low = Hexadecimal.value(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default:
            false
        }
    }
}
