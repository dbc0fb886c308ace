extension String {
    /// This text with `other` in place of every `text`, compared by bytes.
    ///
    /// `replacing(_:with:)` compares characters, so it finds no quote where a combining mark follows.
    package func replacingBytes(of text: String, with other: String) -> String {
        String(decoding: Array(utf8).replacing(Array(text.utf8), with: Array(other.utf8)), as: UTF8.self)
    }
}
