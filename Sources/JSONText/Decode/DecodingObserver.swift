/// How much an observer is notified of, and how decoding continues after errors.
package enum Observation: Sendable {
    /// The observer is notified of keys that are asked for and not there, and of dictionaries. Decoding is not slower,
    /// and ends with an error.
    case absentKeys
    /// The observer is notified of everything, and decoding continues after an error.
    ///
    /// A value that does not fit is reported and replaced by a placeholder: 0, "", false, an empty array or object, the
    /// first case of a `CaseIterable` enum, or the last value of the same type that did fit.
    case mismatches
    /// As `mismatches`. In addition, a value that is not in the document, optional or not, is decoded as if it were
    /// there: arrays have one element, dictionaries one member. That way a document of `null` shows the shape of a
    /// model.
    case shape
}

/// Receives what a model requests of a document, and lets decoding continue after an error.
///
/// Before a placeholder is used, each value is decoded as without an observer, so that a type that tries one form after
/// the other gets the one that fits; requests made on the way are still reported, and may be reported twice.
package protocol DecodingObserver: AnyObject {
    var observation: Observation { get }
    /// Placeholders, which several decodings may share.
    var fitting: FittingValues { get }

    /// A value is about to be decoded through its own `init(from:)`. The observer chooses whether that happens.
    func willDecode(_ type: any Decodable.Type, at place: ValuePlace) -> DecodingChoice

    /// A value has been decoded by its `init(from:)`, or that has thrown.
    ///
    /// Values are nested: this call belongs to the last ``willDecode(_:at:)`` that is still open.
    ///
    /// - Parameter completed: Whether the value has been decoded without an error.
    func didDecode(_ type: Any.Type, at place: ValuePlace, completed: Bool)

    /// A placeholder is about to be made for a scalar.
    ///
    /// - Returns: Whether to throw an error instead, so that a type that tries one form after the other tries the next
    ///   form.
    func countFormAndDecideRefusal(at place: ValuePlace) -> Bool

    /// A scalar has been decoded, or a value of a type that the decoder knows: `Date`, `Data`, `URL`, `UUID`, `Decimal`
    /// or ``JSONValue``.
    func didDecodeScalar(_ type: Any.Type, at place: @autoclosure () -> ValuePlace)

    /// A type asks whether its value is null, as `Optional` does.
    func didAskForNull(at place: @autoclosure () -> ValuePlace)

    /// An object is asked for the member with a key.
    ///
    /// - Parameters:
    ///   - key: The key of the model.
    ///   - isOptional: Whether the model can do without the member.
    ///   - object: The slot of the object, and the path to it.
    ///   - member: The slot of the member's value, or nil if the document does not have it.
    func didAsk(for key: any CodingKey, isOptional: Bool, of object: ValuePlace, member: Int?)

    /// An object is asked for all of its keys.
    ///
    /// - Parameters:
    ///   - object: The slot of the object, and the path to it.
    ///   - areData: Whether the keys can have any name, as those of a dictionary. If it is false, they are the cases of
    ///     an enum.
    func didAskForAllKeys(of object: ValuePlace, areData: Bool)

    /// An enum with associated values is decoded that is not in the document.
    ///
    /// - Parameter count: The number of its cases.
    /// - Returns: The number of the case to make up, from 0.
    func chooseCase(of count: Int) -> Int

    /// An array is decoded. It is in the document, or made up with one element.
    func didOpenArray(_ array: ValuePlace)

    /// A value was read that is none of an enum's values, although the model accepts it.
    ///
    /// - Parameters:
    ///   - place: The slot of the value, and the path to it.
    ///   - expected: A description of the values that the enum has.
    func didReadUnknown(at place: ValuePlace, expected: @autoclosure () -> String?)

    /// A value of the document does not fit, or an object of the document lacks a key. ``JSONMismatch`` describes the
    /// problem.
    func didRefuse(_ error: DecodingError, at place: ValuePlace)
}

extension DecodingObserver {
    package func willDecode(_ type: any Decodable.Type, at place: ValuePlace) -> DecodingChoice { .decode }
    package func didDecode(_ type: Any.Type, at place: ValuePlace, completed: Bool) {}
    package func didDecodeScalar(_ type: Any.Type, at place: @autoclosure () -> ValuePlace) {}
    package func didAskForNull(at place: @autoclosure () -> ValuePlace) {}
    package func countFormAndDecideRefusal(at place: ValuePlace) -> Bool { false }
    package func didOpenArray(_ array: ValuePlace) {}
    package func didReadUnknown(at place: ValuePlace, expected: @autoclosure () -> String?) {}
    package func didRefuse(_ error: DecodingError, at place: ValuePlace) {}
    package func chooseCase(of count: Int) -> Int { 0 }
}

/// How a value is decoded.
package enum DecodingChoice {
    /// By its `init(from:)`.
    case decode
    /// A value of ``FittingValues`` stands for it. If there is none, it is skipped.
    case placeholder
    /// It is not decoded: what surrounds it continues without it.
    case skip
}
