/// What a `DecodingError` tells, without what takes time in a long text: path, line and column. ``JSONMismatch`` has those as well.
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
    /// What would have fitted; in an error of a model, what it says.
    package let expected: String?

    /// The value that an error is about, if that is known.
    static func slot(of error: any Error) -> Int? {
        let error = (error as? UnfitScalar)?.decodingError ?? error as? DecodingError
        return (error?.contents.context.underlyingError as? Misfit)?.slot
    }

    /// Whether an error is about a value, not about a key that is missing in it.
    static func isOfValue(_ error: any Error) -> Bool {
        if case .keyNotFound? = error as? DecodingError { return false }
        return error is DecodingError || error is UnfitScalar
    }

    package init(_ error: DecodingError) {
        let (context, type) = error.contents
        let misfit = context.underlyingError as? Misfit
        slot = misfit?.slot
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
                misfit?.expected ?? type.map(JSONMismatch.name)
                ?? (words.hasSuffix(".") ? String(words.dropLast()) : words)
        }
    }
}
