/// Decodes models from JSON text, as Foundation's `JSONDecoder` does with the same strategies: it accepts the same texts, gives the same
/// values and throws the same kind of `DecodingError`.
///
/// Only dates in ISO 8601 differ: fractions of seconds, days alone and every form of offset are read as well.
///
/// ``JSONMismatch/init(_:in:coding:)`` finds the path, line, column, expected and found value of a `DecodingError`.
package struct JSONTextDecoder {
    private let coding: Coding

    package init(coding: Coding = Coding()) { self.coding = coding }

    /// Decodes a model from a document.
    ///
    /// - Parameters:
    ///   - marks: Where to note what has been read.
    ///   - observer: Is notified of what the model requests, and may let decoding go on after an error.
    ///
    /// Throws `DecodingError` if it does not fit the model, ``JSONSyntaxError`` if the thread's stack is too small for it, and what the
    /// model's own `init(from:)` or `check` throws.
    package func decode<Model: Decodable>(
        _ model: Model.Type, from document: JSONDocument, marks: ReadMarks? = nil,
        observer: (any DecodingObserver)? = nil, check: (() throws -> Void)? = nil
    ) throws -> Model {
        let session = try DecodingSession(document, coding, check: check, marks: marks, observer: observer)
        defer { session.end() }
        let result = Result { try session.value(model, ValuePlace(slot: JSONDocument.root, path: nil)) }
            .mapError { ($0 as? UnfitScalar)?.decodingError ?? $0 }
        // A type may have caught it.
        if let error = session.stackError { throw error }
        return try result.get()
    }
}
