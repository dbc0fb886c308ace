/// Describes which value does not fit, and what was expected. It is the underlying error of a `DecodingError`.
struct MismatchDetail: Error {
    /// The value in the document, or nil if it is made up.
    let slot: Int?
    /// A description of the expected value, or nil if the error's type says it.
    let expected: String?
}

/// An object that an enum with associated values has not recognised as one of its cases.
struct UnknownCase {
    let place: ValuePlace
    /// The names of the cases.
    let names: [String]

    /// Whether an error is about this object.
    ///
    /// - Parameters:
    ///   - context: The context of the error.
    ///   - place: The place of the value that has thrown the error. If it is nil, the coding paths are compared.
    fileprivate func isSubject(of context: DecodingError.Context, at place: ValuePlace?) -> Bool {
        if let place { return place.slot == self.place.slot }
        return context.codingPath.map(\.stringValue) == self.place.codingPath.map(\.stringValue)
    }
}

/// The error for a number or a string that a Swift type cannot hold.
///
/// As with Foundation's decoder, it becomes a `DecodingError` only when it reaches the caller of `decode`: a model that
/// catches `DecodingError` does not catch it.
struct UnfitScalar: Error {
    let decodingError: DecodingError
}

extension DecodingSession {
    /// Returns the error for a value of the wrong kind, such as a string or null for an integer.
    ///
    /// - Parameters:
    ///   - type: The type that should have been decoded.
    ///   - place: The slot of the value, and the path to it. A value that is not in the document counts as null.
    /// - Returns: `valueNotFound` for null, and `typeMismatch` for any other value.
    func mismatchError(_ type: Any.Type, at place: ValuePlace) -> DecodingError {
        var foundKind = JSONDocument.Kind.null
        if let slot = place.knownSlot { foundKind = document.kind(of: slot) }
        let context = context(
            at: place, description: "Expected \(JSONMismatch.name(of: type)), found \(foundKind.rawValue).")
        // For a boolean, Foundation treats a null of the document as any other value of the wrong kind.
        let isNullForBool = place.isInDocument && type == Bool.self
        if foundKind == .null, !isNullForBool { return .valueNotFound(type, context) }
        return .typeMismatch(type, context)
    }

    /// Returns the error for a value of the right kind that does not fit, such as the string `x` for a date.
    ///
    /// - Parameters:
    ///   - expected: A description of the expected value: `an ISO 8601 date`.
    ///   - place: The slot of the value, and the path to it.
    func unfitError(expected: String, at place: ValuePlace) -> DecodingError {
        .dataCorrupted(context(at: place, description: "Expected \(expected).", expected: expected))
    }

    /// Returns the context of an error of this decoder: its path, its description and its ``MismatchDetail``.
    ///
    /// - Parameters:
    ///   - place: The slot of the value that does not fit, and the path to it.
    ///   - description: The description of the error, for a developer.
    ///   - expected: A description of the expected value, or nil if the error's type tells it.
    private func context(
        at place: ValuePlace, description: String, expected: String? = nil
    ) -> DecodingError.Context {
        // An observer gets `place` together with the error, and may get thousands of errors. To make the coding path of
        // each of them would take too long in a deep text, so they have none.
        let codingPath = isObserved ? [] : PathNode.keys(place.path)
        return DecodingError.Context(
            codingPath: codingPath, debugDescription: description,
            underlyingError: MismatchDetail(slot: place.knownSlot, expected: expected))
    }

    /// Returns the error for a key that the object at `place` does not have.
    func missingKeyError(_ key: any CodingKey, in place: ValuePlace) -> DecodingError {
        .keyNotFound(key, context(at: place, description: "Missing key \"\(key.stringValue)\"."))
    }

    /// Returns the error for a model that asks an array for more elements than it has.
    ///
    /// - Parameters:
    ///   - type: The type of the element that the model has asked for.
    ///   - place: The slot of the array, and the path to it.
    ///   - index: The index of the missing element.
    func missingElementError(_ type: Any.Type, index: Int, ofArrayAt place: ValuePlace) -> DecodingError {
        let codingPathOfElement = PathNode.keys(place.path) + [PositionKey(intValue: index)]
        // The element is not in the document, and `type` says what was expected.
        let detail = MismatchDetail(slot: nil, expected: nil)
        return .valueNotFound(
            type,
            DecodingError.Context(
                codingPath: codingPathOfElement, debugDescription: "The array has no more elements.",
                underlyingError: detail))
    }

    /// Adds the names of the cases to the error of an enum with associated values: `expected object with one of the
    /// keys "circle", "square"`.
    ///
    /// Such an enum is written as an object with a case's name as its only key. The `init(from:)` that Swift
    /// synthesises does not name the cases when it refuses an object.
    ///
    /// - Parameters:
    ///   - error: The error that decoding has thrown.
    ///   - place: The value that was decoded, if it is known. Otherwise the coding path of the error tells it.
    /// - Returns: The error with the names. Any other error is returned unchanged.
    func addingCaseNames(to error: DecodingError, at place: ValuePlace? = nil) -> DecodingError {
        // `unknownCase` is the last object in which an enum has found none of its cases.
        guard let unknownCase, case .typeMismatch(let enumType, let errorContext) = error else { return error }
        // The errors of this decoder have a `MismatchDetail` as their underlying error. Those of an enum have none.
        let isThrownByModel = errorContext.underlyingError == nil
        guard isThrownByModel, unknownCase.isSubject(of: errorContext, at: place) else { return error }
        let caseNames = unknownCase.names.map { "\"\($0)\"" }.joined(separator: ", ")
        let keyOrKeys = unknownCase.names.count == 1 ? "the key" : "one of the keys"
        let expected = "object with \(keyOrKeys) \(caseNames)"
        return .typeMismatch(
            enumType, context(at: unknownCase.place, description: errorContext.debugDescription, expected: expected))
    }

    /// Returns the error for a value from which a scalar type can't be read: it is of the wrong kind, or it does not
    /// fit the type, as 300 does not fit an `Int8`.
    func scalarError<S: JSONScalar>(_ type: S.Type, at place: ValuePlace) -> any Error {
        guard place.isInDocument, document.kind(of: place.slot) == S.kind else { return mismatchError(type, at: place) }
        return UnfitScalar(decodingError: unfitError(expected: expectedScalar(type, insteadOf: place.slot), at: place))
    }

    /// Describes the values that a scalar type can hold, for an error: `integer from 0 to 255`.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - slot: The slot of the value that does not fit, which is of the right kind.
    private func expectedScalar<S: JSONScalar>(_ type: S.Type, insteadOf slot: Int) -> String {
        switch type {
        // Only a lone surrogate keeps a string of the document from being a `String`.
        case is String.Type: "string without lone surrogates"
        case let type as any (FixedWidthInteger & Decodable).Type:
            expectedInteger(type, insteadOf: document.writtenText(of: slot))
        default: "number in the range of \(type)"
        }
    }

    /// Describes the integers that a type can hold, for the error that it can't hold a number.
    ///
    ///     300 for UInt8    integer from 0 to 255
    ///     2.5 for UInt8    integer
    ///
    /// - Parameters:
    ///   - type: The integer type.
    ///   - writtenNumber: The number in the document, as it is written.
    private func expectedInteger<I: FixedWidthInteger>(_ type: I.Type, insteadOf writtenNumber: String) -> String {
        let integerWithinBounds = "integer from \(I.min) to \(I.max)"
        // The bit 0x20 turns `E` into `e`.
        let hasFractionOrExponent = writtenNumber.utf8.contains {
            $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e")
        }
        if !hasFractionOrExponent { return integerWithinBounds }
        guard let number = Double(writtenNumber) else { return "integer" }
        // `1e400` is infinite as a double, and so out of bounds.
        let hasFraction = number.isFinite && number != number.rounded()
        if hasFraction { return "integer" }
        // From 64 bits on, `Double(I.max)` is `I.max` plus 1, which is out of bounds. With fewer bits, a number that
        // equals `I.max` fits, and so leads to no error.
        let isOutOfBounds = number < Double(I.min) || number >= Double(I.max)
        return isOutOfBounds ? integerWithinBounds : "integer"
    }
}
