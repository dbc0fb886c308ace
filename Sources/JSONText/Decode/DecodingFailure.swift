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
    /// The slot of the value in the document's index, or of the object without the key. It is nil if a model's own
    /// `init(from:)` made the error.
    package let slot: Int?
    /// The way to the value, with the model's keys.
    package let codingPath: [any CodingKey]
    /// A description of the expected value, or nil if neither the error nor its type says it.
    package let expected: String?
    /// The error's own description, without a full stop.
    package let errorDescription: String

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
        kind = Kind(error)
        let context = error.context
        let detail = context.underlyingError as? MismatchDetail
        slot = detail?.slot
        codingPath = context.codingPath
        let description = context.debugDescription
        // A model's own error says in its own words what was expected, for example that the key of a dictionary must be
        // a number.
        let isErrorOfModel = detail == nil && !description.isEmpty
        if isErrorOfModel {
            expected = nil
        } else {
            expected = detail?.expected ?? error.expectedType.map(JSONMismatch.name)
        }
        // A message may go on after the description, so a full stop at its end is dropped.
        errorDescription = description.hasSuffix(".") ? String(description.dropLast()) : description
    }
}

extension DecodingFailure.Kind {
    /// Makes the kind of a `DecodingError`. An error of a later version of Swift counts as a wrong value.
    fileprivate init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, _): self = .missingKey(key)
        case .typeMismatch, .valueNotFound: self = .wrongType
        case .dataCorrupted: self = .wrongValue
        @unknown default: self = .wrongValue
        }
    }
}

extension DecodingError {
    /// The coding path, the description and the underlying error.
    fileprivate var context: Context {
        switch self {
        case .keyNotFound(_, let context), .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default:
            Context(codingPath: [], debugDescription: "\(self)")
        }
    }

    /// The type that should have been decoded, if the error has it.
    fileprivate var expectedType: Any.Type? {
        switch self {
        case .typeMismatch(let type, _), .valueNotFound(let type, _): type
        default: nil
        }
    }
}
