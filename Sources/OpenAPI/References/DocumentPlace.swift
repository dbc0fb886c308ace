import JSONText

/// A value of a document, or of a file beside it, as the key of a table.
///
/// Precondition: whoever holds a place keeps the document alive, or its identity could be given to another one.
package struct DocumentPlace: Hashable {
    private let document: ObjectIdentifier
    private let slot: Int

    /// Makes the place of a value. Two values have the same place if they are the same part of the same document.
    package init(_ value: JSONValue) {
        document = ObjectIdentifier(value.document)
        slot = value.slot
    }
}
