import JSONText

/// The identity of a value in a document or in one of its files. It serves as the key of a dictionary or set.
///
/// Precondition: The document stays in memory as long as the place is used. Otherwise another document may get the
/// same identity.
package struct DocumentPlace: Hashable {
    private let document: ObjectIdentifier
    /// The position of the value in the document.
    private let slot: Int

    /// Creates the place of a value. Equal values at different positions have different places.
    package init(_ value: JSONValue) {
        document = ObjectIdentifier(value.document)
        slot = value.slot
    }
}

extension JSONValue {
    /// Whether both values are the same part of the same document. Values that are only equal are not the same part.
    package func isSamePart(as other: JSONValue) -> Bool { DocumentPlace(self) == DocumentPlace(other) }
}
