extension String {
    /// This text with every `text` replaced by `other`, compared by bytes.
    ///
    /// `replacing(_:with:)` compares characters, so it would miss a quote that a combining mark follows.
    package func replacingBytes(of text: String, with other: String) -> String {
        String(decoding: Array(utf8).replacing(Array(text.utf8), with: Array(other.utf8)), as: UTF8.self)
    }
}
