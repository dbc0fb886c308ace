/// Decodes models from JSON text, as Foundation's `JSONDecoder` does with the same strategies: it accepts the same texts, gives the same
/// values and throws the same kind of `DecodingError`.
///
/// Only dates in ISO 8601 differ: fractions of seconds, days alone and every form of offset are read as well.
///
/// ``JSONMismatch/init(_:in:coding:)`` finds the path, line, column, expected and found value of a `DecodingError`.
public struct JSONTextDecoder: Sendable {
    /// The strategies.
    public var coding: Coding

    /// A decoder with these strategies.
    public init(coding: Coding = Coding()) {
        self.coding = coding
    }

    /// Decodes a model from a text in UTF-8.
    ///
    /// - Parameter check: Called every 64 kB of text and every few thousand values; what it throws stops the decoding.
    ///
    /// Throws ``JSONSyntaxError`` or ``JSONDocumentError`` if the text is not one JSON document, `DecodingError` if it does not fit the
    /// model, and what the model's own `init(from:)` throws.
    public func decode<Model: Decodable>(
        _ model: Model.Type, from text: [UInt8], check: (() throws -> Void)? = nil
    ) throws -> Model {
        try decode(model, from: JSONDocument(text, check: check), check: check)
    }

    /// Decodes a model from a document.
    ///
    /// - Parameters:
    ///   - marks: Where to note what has been read.
    ///   - observer: Is notified of what the model requests, and may let decoding go on after an error.
    ///
    /// Throws `DecodingError` if it does not fit the model, ``JSONDocumentError`` if the thread's stack is too small for it, and what the
    /// model's own `init(from:)` or `check` throws.
    package func decode<Model: Decodable>(
        _ model: Model.Type, from document: JSONDocument, marks: ReadMarks? = nil,
        observer: (any DecodingObserver)? = nil, check: (() throws -> Void)? = nil
    ) throws -> Model {
        let session = try DecodingSession(document, coding, check: check, marks: marks, observer: observer)
        do {
            let value = try session.value(model, ValuePlace(slot: JSONDocument.root, path: nil))
            if let error = session.stackError { throw error }
            return value
        } catch {
            if let error = session.stackError { throw error }
            throw (error as? UnfitScalar)?.decodingError ?? error
        }
    }
}
