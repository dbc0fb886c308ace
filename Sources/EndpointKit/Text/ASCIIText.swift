extension String {
    /// Whether this equals `other`, ignoring the case of ASCII letters, as header names are compared (RFC 9110, section 5.1).
    package func isSameName(as other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { Self.folded($0) == Self.folded($1) }
    }

    /// An ASCII letter in lower case.
    private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// This text with every `text` replaced by `other`, compared by bytes.
    ///
    /// `replacing(_:with:)` compares characters, so it would miss a quote that a combining mark follows.
    package func replacingBytes(of text: String, with other: String) -> String {
        String(decoding: Array(utf8).replacing(Array(text.utf8), with: Array(other.utf8)), as: UTF8.self)
    }
}
