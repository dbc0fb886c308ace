/// Receives what a model requests of a document, and lets decoding continue after an error.
///
/// With an observer, a value that does not fit is reported and replaced by a made-up one: 0, "", false, an empty array or object, the first
/// case of a `CaseIterable` enum, or the last value of the same type that did fit. Before that, each value is decoded as without an
/// observer, so that a type that tries one form after the other gets the one that fits; requests made on the way are still reported, and
/// may be reported twice.
package protocol DecodingObserver: AnyObject {
    /// Whether a value that is not in the document, optional or not, is decoded as if it were there: arrays have one element, dictionaries
    /// one member. That way a document of `null` shows the shape of a model.
    var makesUpMissing: Bool { get }

    /// A value is about to be decoded through its own `init(from:)`. False if it is not to be: what surrounds it is decoded without it.
    func willDecode(_ type: Any.Type, at place: ObservedPlace) -> Bool
    /// That value has been decoded by its `init(from:)`; not `completed` if it threw.
    func didDecode(_ type: Any.Type, at place: ObservedPlace, completed: Bool)
    /// A scalar has been decoded, or one of the types that the decoder knows: `Date`, `Data`, `URL`, `UUID`, `Decimal`, ``JSONValue``.
    func didDecodeScalar(_ type: Any.Type, at place: @autoclosure () -> ObservedPlace)
    /// An object is asked for a key; `member` is its value's slot if the document has it.
    func didAsk(for key: any CodingKey, isOptional: Bool, of object: ObservedPlace, member: Int?)
    /// An object is asked for all keys: they are data, as in a dictionary, if the model's keys can have any name, else cases.
    func didAskForAllKeys(of object: ObservedPlace, areData: Bool)
    /// An enum with values is decoded that is not in the document: which of its cases is made up.
    func chooseCase(of count: Int) -> Int
    /// An array is decoded, which is in the document or made up with one element.
    func didOpenArray(_ array: ObservedPlace)
    /// A value that is in the document does not fit, or a key is missing in an object that is. The problem is described by
    /// ``JSONMismatch/init(_:in:coding:)``.
    func didRefuse(_ error: DecodingError, at place: ObservedPlace)
}

extension DecodingObserver {
    package func chooseCase(of count: Int) -> Int { 0 }
}

/// A place that a model asks about.
package struct ObservedPlace {
    /// The value in the document; nil if it is not there.
    package let slot: Int?
    private let node: PathNode?

    /// The way there, with the model's keys.
    package var codingPath: [any CodingKey] { PathNode.keys(node) }

    init(_ place: ValuePlace) {
        slot = place.slot >= 0 ? place.slot : nil
        node = place.path
    }
}
