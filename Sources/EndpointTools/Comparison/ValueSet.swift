import EndpointKit
import JSONText

/// The values of an enum, arranged so that it takes one look-up to find out whether a value is among them.
struct ValueSet {
    /// More values than these are left out of messages, as in those of the decoder.
    private static let maxListed = 20

    /// The number of values.
    let count: Int
    /// The values in words: `one of small, large`.
    let text: String
    /// The names of the kinds of JSON that the values have, as JSON Schema calls them: `string`, `integer`.
    let kindNames: [String]
    private let kinds: Set<JSONDocument.Kind>
    private var strings: Set<String> = []
    /// The numbers by their nearest double. Only numbers with the same one have to be compared exactly.
    private var numbers: [Double: [DecimalNumber]] = [:]
    /// The booleans, lists and objects. Two objects are the same if they have the same members in the same order.
    private var others: Set<JSONValue> = []
    /// The number of slots of the largest of ``others``. A larger value is none of them and need not be read.
    private var maxSlots = 0

    init(_ values: [JSONValue]) {
        count = values.count
        text = Self.text(of: values)
        kinds = Set(values.map(\.kind))
        var names: [String] = []
        for name in values.map(Self.kindName) where !names.contains(name) { names.append(name) }
        kindNames = names
        for value in values {
            switch value.content {
            case .string(let text): strings.insert(text)
            case .number(let text): numbers[Double(text) ?? .nan, default: []].append(DecimalNumber(text))
            case .null, .bool, .array, .object:
                others.insert(value)
                maxSlots = max(maxSlots, Self.slots(of: value))
            }
        }
    }

    /// Whether one of the values is of a kind of JSON.
    func hasKind(_ kind: JSONDocument.Kind) -> Bool { kinds.contains(kind) }

    /// Whether a value is one of the set. Numbers are compared as numbers: `1.0` is in a set with `1`.
    func contains(_ value: JSONValue) -> Bool {
        if let text = value.number {
            let number = DecimalNumber(text)
            return numbers[Double(text) ?? .nan]?.contains(number) ?? false
        }
        guard value.kind == .string else { return Self.slots(of: value) <= maxSlots && others.contains(value) }
        return value.document.string(at: value.slot).map(strings.contains) ?? false
    }

    /// Returns how many slots of its document a value takes with all that it holds.
    private static func slots(of value: JSONValue) -> Int { value.document.next(after: value.slot) - value.slot }

    /// Returns the values in words: `one of small, large`, or `small` if it is the only one.
    private static func text(of values: [JSONValue]) -> String {
        let start = values.count == 1 ? "" : "one of "
        let end = values.count > maxListed ? ", …" : ""
        return start + values.prefix(maxListed).map(\.text).joined(separator: ", ") + end
    }

    /// Returns the name of a value's type in JSON Schema.
    private static func kindName(_ value: JSONValue) -> String {
        guard let text = value.number else { return value.kind.rawValue }
        return DecimalNumber(text).isInteger ? "integer" : "number"
    }
}
