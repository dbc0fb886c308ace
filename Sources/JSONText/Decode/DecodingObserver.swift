/// How much an observer takes part in decoding.
package enum Observation: Sendable {
    /// It is notified of keys that are asked for and not there, and of dictionaries. Nothing else is different, or slower.
    case absentKeys
    /// It is notified of everything, and decoding goes on after an error: a value that does not fit is reported and replaced by a placeholder, which
    /// is 0, "", false, an empty array or object, the first case of a `CaseIterable` enum, or the last value of the same type that did fit.
    case mismatches
    /// As `mismatches`, and a value that is not in the document, optional or not, is decoded as if it were there: arrays have one element,
    /// dictionaries one member. That way a document of `null` shows the shape of a model.
    case shape
}

/// Receives what a model requests of a document, and lets decoding continue after an error.
///
/// Before a placeholder is used, each value is decoded as without an observer, so that a type that tries one form after the other gets the one
/// that fits; requests made on the way are still reported, and may be reported twice.
package protocol DecodingObserver: AnyObject {
    var observation: Observation { get }
    /// Placeholders, which several decodings may share.
    var fitting: FittingValues { get }

    /// A value is about to be decoded through its own `init(from:)`. If it is not to be, what surrounds it is decoded without it.
    func willDecode(_ type: any Decodable.Type, at place: ValuePlace) -> DecodingChoice
    /// That value has been decoded by its `init(from:)`; not `completed` if it threw.
    func didDecode(_ type: Any.Type, at place: ValuePlace, completed: Bool)
    /// A placeholder is about to be made for a scalar. True if it is not to be: a type that tries one form after the other tries the next one.
    func skipsForm(at place: ValuePlace) -> Bool
    /// A scalar has been decoded, or one of the types that the decoder knows: `Date`, `Data`, `URL`, `UUID`, `Decimal`, ``JSONValue``.
    func didDecodeScalar(_ type: Any.Type, at place: @autoclosure () -> ValuePlace)
    /// An object is asked for a key; `member` is its value's slot if the document has it.
    func didAsk(for key: any CodingKey, isOptional: Bool, of object: ValuePlace, member: Int?)
    /// An object is asked for all keys: they are data, as in a dictionary, if the model's keys can have any name, else cases.
    func didAskForAllKeys(of object: ValuePlace, areData: Bool)
    /// An enum with values is decoded that is not in the document: which of its cases is made up.
    func chooseCase(of count: Int) -> Int
    /// An array is decoded, which is in the document or made up with one element.
    func didOpenArray(_ array: ValuePlace)
    /// A value was read that an enum does not have, although its model takes it; `expected` are those that it has.
    func didReadUnknown(at place: ValuePlace, expected: @autoclosure () -> String?)
    /// A value that is in the document does not fit, or a key is missing in an object that is. The problem is described by
    /// ``JSONMismatch/init(_:in:coding:)``.
    func didRefuse(_ error: DecodingError, at place: ValuePlace)
}

extension DecodingObserver {
    package func willDecode(_ type: any Decodable.Type, at place: ValuePlace) -> DecodingChoice { .decode }
    package func didDecode(_ type: Any.Type, at place: ValuePlace, completed: Bool) {}
    package func didDecodeScalar(_ type: Any.Type, at place: @autoclosure () -> ValuePlace) {}
    package func skipsForm(at place: ValuePlace) -> Bool { false }
    package func didOpenArray(_ array: ValuePlace) {}
    package func didReadUnknown(at place: ValuePlace, expected: @autoclosure () -> String?) {}
    package func didRefuse(_ error: DecodingError, at place: ValuePlace) {}
    package func chooseCase(of count: Int) -> Int { 0 }
}

/// Whether a value is decoded.
package enum DecodingChoice {
    case decode
    /// A value of ``FittingValues`` stands for it, if there is one.
    case placeholder
    case skip
}

/// The last value of each type that was in the text and fitted, or else a placeholder.
package final class FittingValues {
    var values: [ObjectIdentifier: Any] = [:]

    package init() {}
}

/// A step of the way from the top value to one below it. The keys are made only when they are asked for.
package final class PathNode {
    package let parent: PathNode?
    /// Nil for an element of an array.
    package let key: (any CodingKey)?
    @exclusivity(unchecked) package internal(set) var index: Int
    /// What an observer knows of the place, which is the same for all elements of an array.
    @exclusivity(unchecked) package var note: Int32 = -1
    /// How many steps it is from the top.
    package let depth: Int32

    package init(_ parent: PathNode?, _ key: (any CodingKey)? = nil, index: Int = 0) {
        self.parent = parent
        self.key = key
        self.index = index
        depth = Self.depth(parent) + 1
    }

    /// That of the top, where there is no node, is 0.
    package static func depth(_ node: PathNode?) -> Int32 { node?.depth ?? 0 }

    /// All keys from the top to `node`.
    package static func keys(_ node: PathNode?) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var node = node
        while let current = node {
            keys.append(current.key ?? PositionKey(intValue: current.index))
            node = current.parent
        }
        return keys.reversed()
    }
}

/// The value that is decoded, and the way to it.
package struct ValuePlace {
    /// A null that is not in the text: what `superDecoder` decodes from if there is no such member, and what an observer made up.
    static let absent = -1
    /// Made up for an observer, with no element or member; `absent` places have one.
    static let empty = -2

    let slot: Int
    /// The last step of the way there; nil at the top.
    package let path: PathNode?

    /// The value in the document; nil if it is not there.
    package var knownSlot: Int? { slot >= 0 ? slot : nil }
    /// The way there, with the model's keys.
    package var codingPath: [any CodingKey] { PathNode.keys(path) }
}
