/// The content of a `DecodingError` without path, line and column, which take time in a long text; ``JSONMismatch`` adds those.
package struct Refusal {
    package enum Kind {
        /// The object has no such key.
        case missingKey(any CodingKey)
        /// Another kind of value.
        case wrongType
        /// A value of the right kind that does not fit.
        case wrongValue
    }

    package let kind: Kind
    /// The value in the document, or the object without the key; nil if the error was made by a model's own `init(from:)`.
    package let slot: Int?
    /// The way to the value, with the model's keys.
    package let codingPath: [any CodingKey]
    /// What was expected; for a model's own error, its description.
    package let expected: String?

    /// The value that an error is about, if that is known.
    static func slot(of error: any Error) -> Int? {
        let error = (error as? UnfitScalar)?.decodingError ?? error as? DecodingError
        return (error?.contents.context.underlyingError as? MismatchDetail)?.slot
    }

    /// Whether an error is about a value, not about a key that is missing in it.
    static func isOfValue(_ error: any Error) -> Bool {
        if case .keyNotFound? = error as? DecodingError { return false }
        return error is DecodingError || error is UnfitScalar
    }

    package init(_ error: DecodingError) {
        let (context, type) = error.contents
        let detail = context.underlyingError as? MismatchDetail
        slot = detail?.slot
        codingPath = context.codingPath
        switch error {
        case .keyNotFound(let key, _): kind = .missingKey(key)
        case .typeMismatch, .valueNotFound: kind = .wrongType
        default: kind = .wrongValue
        }
        if case .missingKey = kind {
            expected = nil
        } else {
            let words = context.debugDescription
            expected =
                detail?.expected ?? type.map(JSONMismatch.name)
                ?? (words.hasSuffix(".") ? String(words.dropLast()) : words)
        }
    }
}
