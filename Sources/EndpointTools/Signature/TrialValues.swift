import EndpointKit
import JSONText

/// Values that are tried in place of a parameter's value, to see what the parameter changes in a request.
///
/// A ``ParameterProbe`` makes calls with them.
extension Shape {
    /// The number of levels of lists and objects that made-up values may have. It ends the recursion for shapes that
    /// are nested very deeply. Values that are sent rarely have as many levels.
    private static let maxValueDepth = 8

    /// The number of copies of an object that are made with one other value. Callers try a few of them, and each takes
    /// time in proportion to the object, which may have thousands of fields.
    static let maxCopies = 50

    /// Returns JSON values of this shape to try in place of a parameter's value, the most informative first.
    ///
    /// A call with each of these values shows what the parameter changes in the request:
    ///
    ///     integer, original 71        2, 1001, 93, 3
    ///     string, original "a"        "ax", "ayz", "q"
    ///     [string], original ["a"]    ["ax", "ayz"], ["ayz", "q"], ["ax"]
    ///
    /// Callers try only the first few values. The values have the keys and dates of the Swift models, not those that
    /// the API writes.
    ///
    /// - Parameters:
    ///   - original: The value in the original call; nil if it has none. Strings, lists and objects are made from it,
    ///     because most of its parts are as the endpoint needs them.
    ///   - depth: The number of values around this one.
    /// - Returns: The values, all different from `original`; empty if no value of this shape is known.
    func otherValues(than original: JSONValue?, depth: Int = 0) -> [JSONValue] {
        guard depth < Self.maxValueDepth else { return [] }
        var candidates: [JSONValue]
        switch self {
        case .scalar(let scalar):
            candidates = scalar.candidates(inPlaceOf: original)
        case .values(let allowedValues):
            candidates = allowedValues
        case .array(let element):
            let elements = element.otherValues(than: original?.elements?.first, depth: depth + 1)
            candidates = Self.lists(of: elements)
        case .dictionary(let value):
            // A single made-up key will do, because keys are data and say nothing about the endpoint.
            let values = value.otherValues(than: nil, depth: depth + 1)
            candidates = values.map { ["a": $0] }
            // This one is left if no value for a member is known.
            candidates.append([:])
        case .object(let fields), .open(let fields, _):
            candidates = Self.objects(with: fields, inPlaceOf: original, depth: depth + 1)
        case .nullable(let shape):
            candidates = shape.otherValues(than: original, depth: depth + 1)
            candidates.append(.null)
        case .variants(let cases):
            candidates = Self.enumValues(of: cases, inPlaceOf: original, depth: depth + 1)
        case .model, .alternatives, .null, .any:
            candidates = Self.copiesWithOneChange(of: original, depth: depth)
            // Any JSON is allowed, or it is not known what is. So try one value of each common kind.
            candidates += [0, "x", ["a": 1]]
        }
        return candidates.filter { $0 != original }
    }

    /// Returns up to two values for each case of an enum with associated values: `{"circle": {"radius": 71}}`.
    ///
    /// - Parameters:
    ///   - cases: The enum's cases. Each has its associated values as fields.
    ///   - original: The enum's value in the original call; nil if it has none.
    ///   - depth: The number of values around the enum's value.
    private static func enumValues(of cases: [Field], inPlaceOf original: JSONValue?, depth: Int) -> [JSONValue] {
        var values: [JSONValue] = []
        for enumCase in cases {
            let originalValues = original?[enumCase.key]
            let newValues = objects(with: enumCase.shape.fields, inPlaceOf: originalValues, depth: depth)
            for associatedValues in newValues.prefix(2) {
                values.append(JSONValue([(enumCase.key, associatedValues)]))
            }
        }
        return values
    }

    /// Returns lists of two of the elements, and last a list of the first one alone.
    ///
    ///     a, b, c    →    [a, b], [b, c], [a]
    ///
    /// The pairs come first, because only lists of several elements show how a request joins them.
    private static func lists(of elements: [JSONValue]) -> [JSONValue] {
        let pairs = zip(elements, elements.dropFirst()).map { JSONValue([$0, $1]) }
        let single = elements.prefix(1).map { JSONValue([$0]) }
        return pairs + single
    }

    /// Returns objects to try in place of an object in a call.
    ///
    /// They are copies of the original object with other values for some fields. If there is no original object, they
    /// are new ones that have only the fields that they need.
    ///
    /// - Parameters:
    ///   - fields: The fields that the objects may have.
    ///   - original: The value in the original call. It is nil, or no object, if there is nothing to copy.
    ///   - depth: The number of values around the objects.
    private static func objects(with fields: [Field], inPlaceOf original: JSONValue?, depth: Int) -> [JSONValue] {
        if let original, original.members != nil {
            return copies(of: original, changing: fields, depth: depth)
        }
        let requiredFields = fields.filter { !$0.isOptional }
        if requiredFields.isEmpty, !fields.isEmpty {
            // All fields are optional. An object without any might change nothing in the request, so add fields to it.
            return copies(of: [:], changing: fields, depth: depth)
        }
        return newObjects(requiredFields, depth: depth)
    }

    /// Returns two objects that have only the required fields; none if no value is known for one of the fields.
    ///
    /// The first object takes the first value of each field, the second object the second value. A field that has a
    /// single value has it in both.
    ///
    ///     {"id": 71, "name": "x"}
    ///     {"id": 2, "name": "yz"}
    ///
    private static func newObjects(_ requiredFields: [Field], depth: Int) -> [JSONValue] {
        let valuesOfFields = requiredFields.map { $0.shape.otherValues(than: nil, depth: depth) }
        if valuesOfFields.contains(where: \.isEmpty) { return [] }
        var objects: [JSONValue] = []
        for objectIndex in 0..<2 {
            var members: [(String, JSONValue)] = []
            for (field, values) in zip(requiredFields, valuesOfFields) {
                members.append((field.key, values[objectIndex % values.count]))
            }
            objects.append(JSONValue(members))
        }
        return objects
    }

    /// Returns copies of an object: first one with other values for all fields, then up to two for each field in which
    /// only that field differs. The field that differs comes last.
    ///
    /// For example, with the fields `a` (integer) and `b` (boolean), `{"a": 1, "b": true}` becomes:
    ///
    ///     {"a": 71, "b": false}
    ///     {"b": true, "a": 71}
    ///     {"b": true, "a": 2}
    ///     {"a": 1, "b": false}
    ///
    /// - Parameters:
    ///   - object: The object to copy.
    ///   - fields: The fields to change. If there are none, whatever the object has is changed.
    ///   - depth: The number of values around the object.
    private static func copies(of object: JSONValue, changing fields: [Field], depth: Int) -> [JSONValue] {
        if fields.isEmpty { return copiesWithOneChange(of: object, depth: depth) }
        var allChanges: [(String, JSONValue)] = []
        var singleChangeCopies: [JSONValue] = []
        for field in fields {
            let newValues = field.shape.otherValues(than: object[field.key], depth: depth).prefix(2)
            if let firstValue = newValues.first { allChanges.append((field.key, firstValue)) }
            // Further fields are changed only in the copy with all changes.
            guard singleChangeCopies.count < maxCopies else { continue }
            for newValue in newValues { singleChangeCopies.append(object.copy(setting: [(field.key, newValue)])) }
        }
        // With a single field that can be changed, this would be a copy that is there already.
        if allChanges.count <= 1 { return singleChangeCopies }
        // Callers try only the first few values, so the copy with all changes comes first.
        return [object.copy(setting: allChanges)] + singleChangeCopies
    }

    /// Returns copies of JSON of an unknown shape. In each copy, one boolean, number or string is changed.
    ///
    /// For example, `{"name": "Rex", "isTame": true}` becomes:
    ///
    ///     {"name": "Rexx", "isTame": true}
    ///     {"name": "Rex", "isTame": false}
    ///
    /// - Parameters:
    ///   - json: The value to copy; nil if there is none.
    ///   - depth: The number of values around this one.
    private static func copiesWithOneChange(of json: JSONValue?, depth: Int) -> [JSONValue] {
        guard let json, depth < maxValueDepth else { return [] }
        switch json.content {
        case .null: return []
        case .bool(let isTrue): return [JSONValue(!isTrue)]
        // Two numbers, because the endpoint may send one of them anyway.
        case .number: return [1, 2].filter { $0 != json }
        case .string(let text): return [JSONValue(text + "x")]
        case .array(let elements):
            // Only the first element is changed, because the others are of the same type.
            let newFirstElements = copiesWithOneChange(of: elements.first, depth: depth + 1)
            return newFirstElements.map { JSONValue([$0] + elements.dropFirst()) }
        case .object(let members):
            var copies: [JSONValue] = []
            for member in members.prefix(maxCopies) {
                for changedValue in copiesWithOneChange(of: member.value, depth: depth + 1) {
                    copies.append(json.copy(replacing: member.key, with: changedValue))
                }
            }
            return copies
        }
    }
}

extension Shape.Scalar {
    /// Returns values of this type to try in place of a parameter's value.
    ///
    /// The values are within the bounds of the type, and unlikely to be in a request by chance, such as 71.
    ///
    /// - Parameter original: The value in the original call, which may be among the candidates; nil if there is none.
    ///   Texts start with it, because an endpoint may read only the first characters of a text.
    fileprivate func candidates(inPlaceOf original: JSONValue?) -> [JSONValue] {
        switch self {
        case .boolean:
            return [true, false]
        case .integer(let bounds):
            let range = bounds.map { Double($0.lowerBound)...Double($0.upperBound) }
            return Self.numbers([71, 2, 1001, 93, 3], within: range)
        case .number(let range):
            return Self.numbers([71.5, 2.25, 1001.5, 93], within: range)
        case .string, .data:
            let originalText = original?.string ?? ""
            // The last text does not start with the original one, in case that decides what the endpoint sends.
            return [JSONValue(originalText + "x"), JSONValue(originalText + "yz"), "q"]
        case .url:
            return ["https://example.com/x", "https://example.com/y"]
        case .uuid:
            return ["00000000-0000-0000-0000-0000000000AB", "00000000-0000-0000-0000-0000000000CD"]
        case .date:
            return ["2001-02-03T04:05:06Z", "2002-03-04T05:06:07Z"]
        }
    }

    /// Returns the numbers of `candidates` that are within a range, then the two numbers at each end of the range.
    ///
    /// For example, `[71, 2, 3]` within `1...12` becomes `2, 3, 1, 11, 12`. The ends are there for ranges that have
    /// none of the candidates, such as `50...60`.
    ///
    /// - Parameters:
    ///   - candidates: The numbers to prefer.
    ///   - range: The numbers that the parameter may have; nil if it may have all.
    private static func numbers(_ candidates: [Double], within range: ClosedRange<Double>?) -> [JSONValue] {
        let allowedRange = range ?? -Double.infinity...Double.infinity
        let lower = allowedRange.lowerBound
        let upper = allowedRange.upperBound
        // Ends beyond a billion are those of a type such as Int32, not of a rule.
        let nearEnds = [lower, lower + 1, upper - 1, upper].filter { $0.magnitude < 1_000_000_000 }
        var allowedNumbers: [Double] = []
        for number in candidates + nearEnds {
            let isNew = !allowedNumbers.contains(number)
            if isNew, allowedRange.contains(number) { allowedNumbers.append(number) }
        }
        return allowedNumbers.map { JSONValue(shortest: $0) }
    }
}

extension JSONValue {
    /// Returns a copy of an object with other values for some members, which come last.
    ///
    /// - Parameter changes: The keys and values of the members.
    fileprivate func copy(setting changes: [(String, JSONValue)]) -> JSONValue {
        let changedKeys = Set(changes.map(\.0))
        let keptMembers = (members ?? []).filter { !changedKeys.contains($0.key) }
        return JSONValue(keptMembers.map { ($0.key, $0.value) } + changes)
    }

    /// Returns a copy of an object with another value for the member `key`, which stays where it is.
    fileprivate func copy(replacing key: String, with value: JSONValue) -> JSONValue {
        let newMembers = (members ?? []).map { ($0.key, $0.key == key ? value : $0.value) }
        return JSONValue(newMembers)
    }
}
