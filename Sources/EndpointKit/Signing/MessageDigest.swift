import JSONText

/// A message digest that a ``Signer`` can use: a short text of fixed length that depends on every byte of a message.
///
///     MessageDigest.md5.hexadecimal(of: "1abcd1234")    →    ffd275c5130566a2916217b101f26150
public enum MessageDigest: Sendable, Hashable {
    /// MD5, 16 bytes (RFC 1321). It is only for APIs that ask for it.
    case md5
    /// SHA-1, 20 bytes (RFC 3174). It is only for APIs that ask for it.
    case sha1
    /// SHA-256, 32 bytes (RFC 6234).
    case sha256

    /// Returns the digest of a message: 16 bytes for MD5, 20 for SHA-1, 32 for SHA-256.
    public func digest(of message: [UInt8]) -> [UInt8] { digest(of: [message]) }

    /// Returns the digest of a text's bytes in UTF-8, as hexadecimal digits in lower case.
    public func hexadecimal(of text: String) -> String { Self.hexadecimal(digest(of: text.exactBytes)) }

    /// Returns two hexadecimal digits in lower case for each byte.
    ///
    ///     [0, 171]    →    00ab
    public static func hexadecimal(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            digits.append(lowercaseDigit(byte >> 4))
            digits.append(lowercaseDigit(byte & 0x0F))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns a hexadecimal digit, in lower case as signatures have them.
    private static func lowercaseDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Returns the digest of a message that comes in pieces. They are not copied into one array.
    package func digest(of pieces: some Sequence<some Collection<UInt8>>) -> [UInt8] {
        switch self {
        case .md5: Self.digest(of: pieces, algorithm: MD5.self)
        case .sha1: Self.digest(of: pieces, algorithm: SHA1.self)
        case .sha256: Self.digest(of: pieces, algorithm: SHA256.self)
        }
    }

    /// Returns the digest of a message that comes in pieces, computed by one of the algorithms.
    private static func digest<Digest: BlockDigest>(
        of pieces: some Sequence<some Collection<UInt8>>, algorithm: Digest.Type
    ) -> [UInt8] {
        var stream = DigestStream<Digest>()
        for piece in pieces { stream.update(piece) }
        return stream.finish()
    }
}
