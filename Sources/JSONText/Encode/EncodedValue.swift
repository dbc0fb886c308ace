/// A value that has been encoded, or is being encoded still.
///
/// An `Encodable` may open several containers and fill them by turns, so text cannot be written in one go: containers
/// are kept until the end, scalars as ranges of one common text.
enum EncodedValue {
    /// Bytes of the session's scalar text.
    case scalar(Range<Int>)
    case container(EncodedContainer)
    /// A place kept for what is encoded through this encoder later (`superEncoder`).
    case encoder(ValueEncoder)
}

/// An object or array with its values so far, in the order in which they came.
final class EncodedContainer {
    /// Up to here comparing with each key is quicker than a dictionary.
    private static let fewKeys = 16

    let isObject: Bool
    /// Of an object, one for each value; of an array, none.
    private(set) var keys: [String] = []
    private(set) var values: [EncodedValue] = []
    private var positions: [String: Int] = [:]

    init(isObject: Bool) {
        self.isObject = isObject
    }

    func append(_ value: EncodedValue) {
        values.append(value)
    }

    /// A value encoded for the same key again replaces the earlier one.
    func set(_ value: EncodedValue, for key: String) {
        if let position = position(of: key) {
            values[position] = value
        } else {
            if keys.count > Self.fewKeys { positions[key] = keys.count }
            keys.append(key)
            values.append(value)
        }
    }

    subscript(key: String) -> EncodedValue? {
        position(of: key).map { values[$0] }
    }

    /// Puts the members in the order of their keys: as numbers if all keys are integers.
    func sortKeys(asIntegers: Bool) {
        let order = keys.indices.sorted {
            if asIntegers, let first = Int(keys[$0]), let second = Int(keys[$1]) { return first < second }
            return keys[$0] < keys[$1]
        }
        keys = order.map { keys[$0] }
        values = order.map { values[$0] }
        positions = [:]
    }

    private func position(of key: String) -> Int? {
        guard keys.count > Self.fewKeys else { return keys.firstIndex(of: key) }
        if positions.isEmpty {
            for (position, key) in keys.enumerated() { positions[key] = position }
        }
        return positions[key]
    }
}
