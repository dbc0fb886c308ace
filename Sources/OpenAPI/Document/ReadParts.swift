import JSONText

/// The parts of a document that could be read, and the errors of the others.
package struct ReadParts<Part> {
    /// The most errors that are kept.
    ///
    /// A reader fixes the first ones. Each error costs a pass over the text to count its lines, so a list of 100,000
    /// broken parts must not have as many errors.
    private static var maxErrors: Int { 20 }

    package private(set) var parts: [Part]
    package private(set) var errors: [OpenAPIError] = []

    /// Starts with parts that were read without an error.
    init(_ parts: [Part] = []) { self.parts = parts }

    /// Appends the part that `read` returns, or the error that it throws.
    ///
    /// - Parameters:
    ///   - value: The value that the part is read from.
    ///   - references: Adds file, line and column to the error.
    ///   - read: Reads the part. A nil result appends nothing.
    mutating func append(
        from value: JSONValue, _ references: ReferenceResolver, _ read: () throws(PartFailure) -> Part?
    ) {
        do {
            if let part = try read() { parts.append(part) }
        } catch {
            append(error, at: value, references)
        }
    }

    /// Appends a part for each element of an array, or an error for an element that can't be read.
    ///
    /// - Parameters:
    ///   - array: The array. Nothing is appended if it is nil or null, and an error if it is something else.
    ///   - references: Adds file, line and column to errors.
    ///   - read: Reads a part from an element.
    mutating func append(
        elementsOf array: JSONValue?, _ references: ReferenceResolver,
        _ read: (JSONValue) throws(PartFailure) -> Part
    ) {
        guard let array, !array.isNull else { return }
        guard let elements = array.elements else {
            return append(PartFailure(array, expected: "an array"), at: array, references)
        }
        for element in elements {
            append(from: element, references) { () throws(PartFailure) in try read(element) }
        }
    }

    /// Appends the error of a part that can't be read, unless there are too many errors.
    ///
    /// - Parameters:
    ///   - failure: The reason.
    ///   - value: The value that the part is read from.
    ///   - references: Adds file, line and column to the error.
    mutating func append(_ failure: PartFailure, at value: JSONValue, _ references: ReferenceResolver) {
        guard errors.count < Self.maxErrors else { return }
        errors.append(references.error(failure, at: value))
    }

    /// Returns other parts together with the errors of these parts. The other parts were made from these.
    package func replacingParts<Other>(with parts: [Other]) -> ReadParts<Other> {
        var result = ReadParts<Other>(parts)
        result.errors = errors
        return result
    }
}

extension ReadParts: Sendable where Part: Sendable {}
