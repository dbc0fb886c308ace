/// Decodes models from JSON text, as Foundation's `JSONDecoder` does with the same strategies: it accepts the same
/// texts, gives the same values and throws the same kind of `DecodingError`.
///
/// Three things differ:
/// - Dates in ISO 8601 may have fractions of seconds, be days alone, and have every form of offset.
/// - A zero with an exponent, such as `0e5`, is always zero.
/// - The least integer of 64 bits may be written with a fraction or an exponent, as all others may.
///
/// ``JSONMismatch`` finds the path, line, column, expected and found value of a `DecodingError`.
package struct JSONTextDecoder {
    private let coding: Coding

    package init(coding: Coding = Coding()) { self.coding = coding }

    /// Decodes a model from a document, or from one value in it.
    ///
    /// - Parameters:
    ///   - model: The type to decode.
    ///   - document: The document that has the value.
    ///   - slot: The slot of the value to decode. The default is the slot of the whole document. Coding paths start at
    ///     it.
    ///   - marks: Where to note what has been read.
    ///   - observer: Is notified of what the model requests, and may let decoding continue after an error.
    ///   - check: Called every 2,048 values. An error that it throws stops the decoding.
    /// - Throws: `DecodingError` if the document does not fit the model, ``JSONSyntaxError`` if the thread's stack is
    ///   too small for it, and what the model's own `init(from:)` or `check` throws.
    package func decode<Model: Decodable>(
        _ model: Model.Type, from document: JSONDocument, at slot: Int = JSONDocument.root, marks: ReadMarks? = nil,
        observer: (any DecodingObserver)? = nil, check: (() throws -> Void)? = nil
    ) throws -> Model {
        let session = DecodingSession(document, coding: coding, check: check, marks: marks, observer: observer)
        defer { session.end() }
        let result = Result { try session.decodeValue(model, at: ValuePlace(slot: slot, path: nil)) }
        // The error of a stack that is too small comes first, because a type that tries several forms may have caught
        // it.
        if let error = session.stackError { throw error }
        do {
            return try result.get()
        } catch let error as UnfitScalar {
            // An `UnfitScalar` becomes a `DecodingError` only here: as with Foundation's decoder, a model that catches
            // `DecodingError` does not catch it.
            throw error.decodingError
        } catch let error as DecodingError {
            throw session.addingCaseNames(to: error)
        }
    }
}
