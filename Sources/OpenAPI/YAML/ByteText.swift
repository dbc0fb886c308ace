/// A text in UTF-8 that serves as the key of a set or dictionary. Two texts are equal if their bytes are equal.
///
/// Strings are compared differently: for Swift, `é` as one scalar equals `e` with an accent. For JSON, it does not.
struct ByteText: Hashable, Sendable {
    let bytes: [UInt8]

    /// Hashes all bytes in one call. The hash of an array has one call for each byte, which takes several times as
    /// long.
    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The text as a string.
    var string: String { String(decoding: bytes, as: UTF8.self) }
}
