/// The content of a `DecodingError` without path, line and column, which take time in a long text; ``JSONMismatch``
/// adds those.
package struct DecodingFailure {
    package enum Kind {
        /// The object has no such key.
        case missingKey(any CodingKey)
        /// Another kind of value.
        case wrongType
        /// A value of the right kind that does not fit.
        case wrongValue
    }

    package let kind: Kind
    /// The value in the document, or the object without the key, or nil if a model's own `init(from:)` made the error.
    package let slot: Int?
    /// The way to the value, with the model's keys.
    package let codingPath: [any CodingKey]
    /// A description of the expected value, or nil if neither the error nor its type says it.
    package let expected: String?
    /// The error's own description, without a full stop.
    package let words: String

    /// Returns the `DecodingError` that `error` is or holds, or nil for any other error.
    static func decodingError(of error: any Error) -> DecodingError? {
        if let error = error as? UnfitScalar { return error.decodingError }
        return error as? DecodingError
    }

    /// Returns the slot of the value that an error is about, if that is known.
    static func slot(of error: any Error) -> Int? {
        guard let error = decodingError(of: error) else { return nil }
        return DecodingFailure(error).slot
    }

    /// Whether an error is about a value, not about a key that is missing in it.
    static func isAboutValue(_ error: any Error) -> Bool {
        if case .keyNotFound? = error as? DecodingError { return false }
        return error is DecodingError || error is UnfitScalar
    }

    /// Takes apart an error that the decoder or a model's own `init(from:)` has thrown.
    ///
    /// Errors of this decoder carry a ``MismatchDetail``, which knows the value in the text. Those of a model only have
    /// a coding path.
    package init(_ error: DecodingError) {
        let context: DecodingError.Context
        var type: Any.Type?
        switch error {
        case .keyNotFound(let key, let errorContext):
            kind = .missingKey(key)
            context = errorContext
        case .typeMismatch(let expectedType, let errorContext), .valueNotFound(let expectedType, let errorContext):
            kind = .wrongType
            context = errorContext
            type = expectedType
        case .dataCorrupted(let errorContext):
            kind = .wrongValue
            context = errorContext
        @unknown default:
            kind = .wrongValue
            context = DecodingError.Context(codingPath: [], debugDescription: "\(error)")
        }
        let detail = context.underlyingError as? MismatchDetail
        slot = detail?.slot
        codingPath = context.codingPath
        let description = context.debugDescription
        // A model's own error says in its own words what was expected, such as a number as the key of a dictionary.
        let isErrorOfModel = detail == nil && !description.isEmpty
        if isErrorOfModel {
            expected = nil
        } else {
            expected = detail?.expected ?? type.map(JSONMismatch.name)
        }
        words = description.hasSuffix(".") ? String(description.dropLast()) : description
    }
}
