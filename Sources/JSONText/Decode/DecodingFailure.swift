/// Describes which value does not fit, and what was expected. It is the underlying error of a `DecodingError`.
struct MismatchDetail: Error {
    /// The value in the document; nil if it is made up.
    let slot: Int?
    /// A description of the expected value; nil if the error's type says it.
    let expected: String?
}

/// An object that an enum with associated values has not recognised as one of its cases.
struct UnknownCase {
    let place: ValuePlace
    /// The names of the cases.
    let names: [String]
}

/// The error for a number or a string that a Swift type cannot hold.
///
/// As with Foundation's decoder, it becomes a `DecodingError` only when it reaches the caller of `decode`: a model that
/// catches `DecodingError` does not catch it.
struct UnfitScalar: Error {
    let decodingError: DecodingError
}

extension DecodingSession {
    /// Returns the error for null, or for another kind of value than `type` takes.
    func mismatch(_ type: Any.Type, _ place: ValuePlace) -> DecodingError {
        let found = place.knownSlot.map { document.kind(of: $0) } ?? .null
        let context = context(place, "Expected \(JSONMismatch.name(of: type)), found \(found.rawValue).")
        // For a boolean, Foundation treats a null of the document as any other value of the wrong kind.
        let isMissing = found == .null && (place.slot < 0 || type != Bool.self)
        return isMissing ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// Returns the error for a value of the right kind that does not fit.
    func unfit(_ expected: String, _ place: ValuePlace) -> DecodingError {
        .dataCorrupted(context(place, "Expected \(expected).", expected: expected))
    }

    private func context(
        _ place: ValuePlace, _ description: String, expected: String? = nil
    ) -> DecodingError.Context {
        // An observer knows the place. To make the path for each of many errors in a deep text would take too long.
        DecodingError.Context(
            codingPath: !isObserved ? PathNode.keys(place.path) : [], debugDescription: description,
            underlyingError: MismatchDetail(slot: place.knownSlot, expected: expected))
    }

    /// Returns the error for a key that the object at `place` does not have.
    func missing(_ key: any CodingKey, _ place: ValuePlace) -> DecodingError {
        .keyNotFound(key, context(place, "Missing key \"\(key.stringValue)\"."))
    }

    /// Returns the error for a question to the array at `place` after its last element.
    func atEnd(_ type: Any.Type, _ place: ValuePlace, index: Int) -> DecodingError {
        .valueNotFound(
            type,
            DecodingError.Context(
                codingPath: PathNode.keys(place.path) + [PositionKey(intValue: index)],
                debugDescription: "The array has no more elements.",
                underlyingError: MismatchDetail(slot: nil, expected: nil)))
    }

    /// Returns an error that names the cases of an enum if such an enum has refused an object. Any other error is
    /// returned unchanged.
    ///
    /// The decoder that Swift synthesises for an enum only says that the object has not exactly one of its keys.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - place: The value that was decoded, if it is known. Otherwise the coding path of the error tells it.
    func naming(casesIn error: DecodingError, at place: ValuePlace? = nil) -> DecodingError {
        guard let unknownCase, case .typeMismatch(let type, let original) = error, original.underlyingError == nil
        else { return error }
        let isSame =
            place.map { $0.slot == unknownCase.place.slot }
            ?? original.codingPath.map(\.stringValue).elementsEqual(
                PathNode.keys(unknownCase.place.path).map(\.stringValue))
        guard isSame else { return error }
        let names = unknownCase.names.map { "\"\($0)\"" }.joined(separator: ", ")
        let keys = unknownCase.names.count == 1 ? "the key" : "one of the keys"
        let expected = "object with \(keys) \(names)"
        return .typeMismatch(type, context(unknownCase.place, original.debugDescription, expected: expected))
    }

    /// Returns the error for a token at `place` that does not stand for a value of the type.
    func failure<S: JSONScalar>(_ type: S.Type, _ place: ValuePlace) -> any Error {
        guard place.isInDocument, document.kind(of: place.slot) == S.kind else { return mismatch(type, place) }
        return UnfitScalar(decodingError: unfit(expectation(type, place.slot), place))
    }

    private func expectation<S: JSONScalar>(_ type: S.Type, _ slot: Int) -> String {
        switch type {
        case is String.Type: "string without lone surrogates"
        case let type as any (FixedWidthInteger & Decodable).Type: expectedInteger(type, document.writtenText(of: slot))
        default: "number in the range of \(type)"
        }
    }

    /// Returns what was expected instead of a number that is not a value of an integer type: an integer, or an integer
    /// within bounds.
    private func expectedInteger<I: FixedWidthInteger>(_ type: I.Type, _ text: String) -> String {
        let withinBounds = "integer from \(I.min) to \(I.max)"
        let isWrittenAsInteger = !text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        guard !isWrittenAsInteger else { return withinBounds }
        guard let number = Double(text), number.isInfinite || number == number.rounded() else { return "integer" }
        let isOutOfBounds = number < Double(I.min) || number >= Double(I.max)
        return isOutOfBounds ? withinBounds : "integer"
    }
}

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
    /// The value in the document, or the object without the key; nil if a model's own `init(from:)` made the error.
    package let slot: Int?
    /// The way to the value, with the model's keys.
    package let codingPath: [any CodingKey]
    /// A description of the expected value; nil if neither the error nor its type says it.
    package let expected: String?
    /// The error's own description, without a full stop.
    package let words: String

    /// Returns the `DecodingError` that `error` is or holds; nil for any other error.
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
        let isOwnOfModel = detail == nil && !description.isEmpty
        expected = isOwnOfModel ? nil : detail?.expected ?? type.map(JSONMismatch.name)
        words = description.hasSuffix(".") ? String(description.dropLast()) : description
    }
}
