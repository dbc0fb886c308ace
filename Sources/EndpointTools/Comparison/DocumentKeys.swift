import JSONText

/// The index of a value or a key in a `JSONDocument`.
typealias DocumentIndex = Int

extension JSONDocument {
    /// Returns the index of a member's key. In the document, a key comes right before its value.
    func keyIndex(ofMember value: DocumentIndex) -> DocumentIndex { value - 1 }

    /// Returns the index of the value under a key. In the document, a value comes right after its key.
    func valueIndex(ofKey key: DocumentIndex) -> DocumentIndex { key + 1 }

    /// Returns the text of a key; U+FFFD for a key with a lone surrogate, which no Swift string holds.
    func keyText(at key: DocumentIndex) -> String { string(at: key) ?? "\u{FFFD}" }
}
