import EndpointKit
import JSONText

/// The values of an enum, stored so that one look-up tells whether a value is among them.
struct ValueSet {
    /// The most values that a message lists, as in the messages of the decoder.
    private static let maxListed = 20

    /// The number of values.
    let count: Int
    /// The values in words: `one of small, large`.
    let text: String
    /// The kinds of JSON that the values have, by their names in JSON Schema: `string`, `integer`.
    let kindNames: [String]
    private let kinds: Set<JSONDocument.Kind>
    private var strings: Set<String> = []
    /// The numbers by their nearest Double. Only numbers with the same one have to be compared exactly.
    private var numbers: [Double: [DecimalNumber]] = [:]
    /// The null, booleans, lists and objects. Two objects are equal if they have the same members in the same order.
    private var otherValues: Set<JSONValue> = []
    /// The ``size(of:)`` of the largest of ``otherValues``. A larger value is not among them and need not be read.
    private var maxSize = 0

    /// Stores the values that an enum lists, such as `"small"` and `"large"`, by their kinds. Strings and numbers are
    /// the most frequent, and each of the two has a faster look-up than other values.
    init(_ listedValues: [JSONValue]) {
        count = listedValues.count
        text = Self.text(of: listedValues)
        kinds = Set(listedValues.map(\.kind))
        kindNames = Self.kindNames(of: listedValues)
        for value in listedValues {
            switch value.content {
            case .string(let string):
                strings.insert(string)
            case .number(let numberText):
                numbers[Self.nearestDouble(to: numberText), default: []].append(DecimalNumber(numberText))
            case .null, .bool, .array, .object:
                otherValues.insert(value)
                maxSize = max(maxSize, Self.size(of: value))
            }
        }
    }

    /// Whether one of the values is of a kind of JSON.
    func hasKind(_ kind: JSONDocument.Kind) -> Bool { kinds.contains(kind) }

    /// Whether a value is one of the enum's. Numbers are compared as numbers: `1.0` is one of `1` and `2`.
    func contains(_ value: JSONValue) -> Bool {
        switch value.kind {
        case .number:
            // The value is a number, so it has a text.
            let numberText = value.number ?? ""
            // Equal numbers have the same nearest Double, so only few have to be compared exactly.
            let candidates = numbers[Self.nearestDouble(to: numberText)] ?? []
            return candidates.contains(DecimalNumber(numberText))
        case .string:
            // A string with a lone surrogate is no Swift string, and so is not listed.
            guard let text = value.stringWithoutLoneSurrogates else { return false }
            return strings.contains(text)
        case .null, .boolean, .array, .object:
            // The size is compared first, because the look-up reads the whole value, which may be large.
            return Self.size(of: value) <= maxSize && otherValues.contains(value)
        }
    }

    /// Returns the Double that is nearest to a number in JSON: infinity for a number beyond the range of a Double.
    private static func nearestDouble(to numberText: String) -> Double { Double(numberText) ?? .nan }

    /// Returns the number of keys and values in a value, itself included.
    private static func size(of value: JSONValue) -> Int {
        // The document has all keys and values in one sequence, in the order of the text.
        value.document.next(after: value.slot) - value.slot
    }

    /// Returns the values in words: `one of small, large`, or `small` if it is the only one.
    private static func text(of values: [JSONValue]) -> String {
        if values.count == 1 { return values[0].text }
        var listedTexts = values.prefix(maxListed).map(\.text)
        if values.count > maxListed { listedTexts.append("…") }
        return "one of " + listedTexts.joined(separator: ", ")
    }

    /// Returns the different kinds of values, in the order in which they come: `string`, `integer`.
    private static func kindNames(of values: [JSONValue]) -> [String] {
        var names: [String] = []
        for value in values {
            let name = kindName(of: value)
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Returns the name of a value's type in JSON Schema: `integer` for `1` and `1.0`, `number` for `1.5`.
    private static func kindName(of value: JSONValue) -> String {
        guard let text = value.number else { return value.kind.rawValue }
        return DecimalNumber(text).isInteger ? "integer" : "number"
    }
}

extension JSONValue {
    /// The text of a string; nil if the string has a lone surrogate, such as `"\ud800"`, which a Swift string can't
    /// hold.
    ///
    /// Precondition: the value is a string.
    var stringWithoutLoneSurrogates: String? { document.string(at: slot) }
}
