/// Goes with a `DecodingError` as its underlying error: which value does not fit, and what would.
struct MismatchDetail: Error {
    /// In the document; nil if the value is not in the text.
    let slot: Int?
    /// What was expected, if the error does not say it by its type.
    let expected: String?
}

/// A number or a string that Swift's type cannot hold.
///
/// Foundation does not throw a `DecodingError` for it before it reaches the caller, so a model that catches those does not catch this.
struct UnfitScalar: Error {
    let decodingError: DecodingError
}

extension DecodingSession {
    /// The error for a place with nothing but null, or with another kind of value than `type` takes.
    func mismatch(_ type: Any.Type, _ place: ValuePlace) -> DecodingError {
        let found = place.knownSlot.map { document.kind(of: $0) } ?? .null
        let context = context(place, "Expected \(JSONMismatch.name(of: type)), found \(found.rawValue).")
        // For a boolean, Foundation does not tell null from other values.
        return found == .null && (place.slot < 0 || type != Bool.self)
            ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The error for a value of the right kind that does not do.
    func unfit(_ expected: String, _ place: ValuePlace) -> DecodingError {
        .dataCorrupted(context(place, "Expected \(expected).", expected: expected))
    }

    private func context(
        _ place: ValuePlace, _ description: String, expected: String? = nil
    ) -> DecodingError.Context {
        // An observer knows the place: for each of many errors in a deep text, the path would take too long.
        DecodingError.Context(
            codingPath: !isObserved ? PathNode.keys(place.path) : [], debugDescription: description,
            underlyingError: MismatchDetail(slot: place.knownSlot, expected: expected))
    }

    /// The error for a key that is not there; `place` is the object.
    func missing(_ key: any CodingKey, _ place: ValuePlace) -> DecodingError {
        .keyNotFound(key, context(place, "Missing key \"\(key.stringValue)\"."))
    }

    /// The error for an array that has no more elements; `place` is the array.
    func atEnd(_ type: Any.Type, _ place: ValuePlace, index: Int) -> DecodingError {
        .valueNotFound(
            type,
            DecodingError.Context(
                codingPath: PathNode.keys(place.path) + [PositionKey(intValue: index)],
                debugDescription: "The array has no more elements."))
    }

    /// Why the token at `place` does not stand for a `type`.
    func failure<S: JSONScalar>(_ type: S.Type, _ place: ValuePlace) -> any Error {
        guard place.slot >= 0, document.kind(of: place.slot) == S.kind else { return mismatch(type, place) }
        return UnfitScalar(decodingError: unfit(expectation(type, place.slot), place))
    }

    private func expectation<S: JSONScalar>(_ type: S.Type, _ slot: Int) -> String {
        switch type {
        case is String.Type: "string without lone surrogates"
        case let type as any (FixedWidthInteger & Decodable).Type: expectedInteger(type, document.writtenText(of: slot))
        default: "number in the range of \(type)"
        }
    }

    /// A number with a fraction is not an integer at all; any other is too large.
    private func expectedInteger<I: FixedWidthInteger>(_ type: I.Type, _ text: String) -> String {
        if text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) {
            guard let number = Double(text), number.isInfinite || number == number.rounded(),
                number < Double(I.min) || number >= Double(I.max)
            else { return "integer" }
        }
        return "integer from \(I.min) to \(I.max)"
    }
}

/// The content of a `DecodingError` without path, line and column, which take time in a long text; ``JSONMismatch`` adds those.
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
    /// The value in the document, or the object without the key; nil if the error was made by a model's own `init(from:)`.
    package let slot: Int?
    /// The way to the value, with the model's keys.
    package let codingPath: [any CodingKey]
    /// What was expected, if the error or its type says it.
    package let expected: String?
    /// The error's own description, without a full stop.
    package let words: String

    /// The value that an error is about, if that is known.
    static func slot(of error: any Error) -> Int? {
        ((error as? UnfitScalar)?.decodingError ?? error as? DecodingError).flatMap { DecodingFailure($0).slot }
    }

    /// Whether an error is about a value, not about a key that is missing in it.
    static func isOfValue(_ error: any Error) -> Bool {
        if case .keyNotFound? = error as? DecodingError { return false }
        return error is DecodingError || error is UnfitScalar
    }

    package init(_ error: DecodingError) {
        let context: DecodingError.Context
        var type: Any.Type?
        switch error {
        case .keyNotFound(let key, let found): (kind, context) = (.missingKey(key), found)
        case .typeMismatch(let asked, let found), .valueNotFound(let asked, let found):
            (kind, context, type) = (.wrongType, found, asked)
        case .dataCorrupted(let found): (kind, context) = (.wrongValue, found)
        @unknown default: (kind, context) = (.wrongValue, .init(codingPath: [], debugDescription: "\(error)"))
        }
        let detail = context.underlyingError as? MismatchDetail
        slot = detail?.slot
        codingPath = context.codingPath
        expected = detail?.expected ?? type.map(JSONMismatch.name)
        let description = context.debugDescription
        words = description.hasSuffix(".") ? String(description.dropLast()) : description
    }
}
