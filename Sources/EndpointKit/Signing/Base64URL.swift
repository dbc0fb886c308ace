/// Base64 with an alphabet that URLs need not encode, without padding (RFC 4648, section 5).
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Returns `bytes` in Base64 with the alphabet for URLs, without the padding `=` (RFC 4648, section 5).
    ///
    ///     [0xFB, 0xFF]    →    -_8
    ///
    /// Each character stands for six bits. Three bytes become four characters.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        // The last bits that were read, and how many of them have no character yet.
        var bits: UInt32 = 0
        var unwrittenCount = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            unwrittenCount += 8
            while unwrittenCount >= 6 {
                unwrittenCount -= 6
                text.append(alphabet[Int(bits >> UInt32(unwrittenCount) & 0x3F)])
            }
        }
        // Zeros complete the last character.
        if unwrittenCount > 0 { text.append(alphabet[Int(bits << UInt32(6 - unwrittenCount) & 0x3F)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
