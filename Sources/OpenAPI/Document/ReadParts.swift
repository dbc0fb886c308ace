import JSONText

/// A list of parts of a document that could be read, and the errors of parts that could not.
package struct ReadParts<Part> {
    /// The most errors in the list. Further ones are dropped.
    ///
    /// Finding the line of an error takes a pass over the whole text. A list of 100,000 broken parts would take too
    /// long.
    private static var maxErrors: Int { 20 }

    package private(set) var parts: [Part]
    package private(set) var errors: [OpenAPIError] = []

    /// Creates a list of parts without errors.
    init(_ parts: [Part] = []) { self.parts = parts }

    /// Appends the part that a function reads, or the error that it throws.
    ///
    /// - Parameters:
    ///   - value: The value of the part in the document.
    ///   - references: Finds the file, line and column of the error.
    ///   - read: Reads the part. Nothing is appended if it returns nil.
    mutating func append(
        from value: JSONValue, references: ReferenceResolver, read: () throws(PartFailure) -> Part?
    ) {
        do {
            if let part = try read() { parts.append(part) }
        } catch {
            append(error, at: value, references: references)
        }
    }

    /// Appends the parts that a function reads from the elements of an array, and an error for each broken element.
    ///
    /// - Parameters:
    ///   - array: The array. Nil and null have no elements. Any other value is an error.
    ///   - references: Finds the files, lines and columns of errors.
    ///   - read: Reads the part of an element.
    mutating func append(
        elementsOf array: JSONValue?, references: ReferenceResolver,
        read: (JSONValue) throws(PartFailure) -> Part
    ) {
        guard let array, !array.isNull else { return }
        guard let elements = array.elements else {
            return append(PartFailure(foundValue: array, expected: "an array"), at: array, references: references)
        }
        for element in elements {
            append(from: element, references: references) { () throws(PartFailure) in try read(element) }
        }
    }

    /// Appends the error of a part that can't be read, unless there are ``maxErrors`` already.
    ///
    /// - Parameters:
    ///   - failure: The reason why the part can't be read.
    ///   - value: The value of the part in the document.
    ///   - references: Finds the file, line and column of the error.
    mutating func append(_ failure: PartFailure, at value: JSONValue, references: ReferenceResolver) {
        guard errors.count < Self.maxErrors else { return }
        errors.append(references.error(failure, at: value))
    }

    /// Returns a list of other parts with the same errors. The other parts were made from the parts of this list.
    package func replacingParts<Other>(with parts: [Other]) -> ReadParts<Other> {
        var result = ReadParts<Other>(parts)
        result.errors = errors
        return result
    }
}

extension ReadParts: Sendable where Part: Sendable {}
