import EndpointKit
import JSONText

extension ModelShape {
    /// Returns a value that has the shape: the same value each time.
    ///
    /// Objects have all the members that the shape names, lists have one element, and an enum has its first value. For
    /// example:
    ///
    ///     {"id": 0, "name": "string", "sold": "2026-01-01T00:00:00Z", "tags": [{"name": "string"}]}
    ///
    /// A model inside itself is left out where that is possible, and is an empty list or null elsewhere. A sample has
    /// about a thousand values at most; beyond, members that may be absent are left out.
    ///
    /// The value fits the shape, with two exceptions: a shape that no value has, such as a model that must hold itself,
    /// and a shape whose smallest value is beyond ``SampleMaker/maxRequiredValues`` or
    /// ``SampleMaker/maxRequiredDepth``. A null then takes the place of what is left out.
    package func sampleValue() -> JSONValue {
        var maker = SampleMaker(models)
        return maker.value(root)
    }
}

/// Makes sample values of the parts of a shape, such as `{"id": 0, "name": "string"}` for an object.
struct SampleMaker {
    /// The number of values after which optional values are left out. More values are no help to a reader.
    private static let maxValues = 1_000
    /// The number of steps into the shape after which optional values are left out. It takes three steps from an object
    /// to the fields of another one: to the member, to the list and to the model.
    private static let maxDepth = 30
    /// The most values of a sample, required ones included. Without a limit, 40 models that each require the next one
    /// twice would have 2⁴⁰ values.
    static let maxRequiredValues = 10_000
    /// The most steps into a shape: fewer than the 512 levels that a document may have, and than a small stack bears.
    static let maxRequiredDepth = 100

    /// The position of a value in the shape, and the limit for the values there.
    private struct Position {
        /// How many steps into the shape lead to the value.
        var depth = 0
        /// The number of values of the whole sample after which optional values are left out at this position.
        var maxCount = SampleMaker.maxValues
        /// The names of the models around the value.
        var outerModels: Set<String> = []

        /// The position of a part of the value, one step deeper.
        var inner: Position {
            var position = self
            position.depth += 1
            return position
        }
    }

    /// The shapes of the models by their names.
    private let shapes: [String: Shape]
    /// The levels of models and objects in the smallest value of each model. A model that no value has is missing.
    private let heights: [String: Int]
    /// The number of values that have been made.
    private var count = 0

    /// Prepares to make samples of shapes that name the given models.
    init(_ models: [ModelShape.Model]) {
        let shapes = Dictionary(models.map { ($0.name, $0.shape) }, uniquingKeysWith: { first, _ in first })
        self.shapes = shapes
        heights = Self.heights(of: shapes)
    }

    /// Returns a sample of a shape.
    mutating func value(_ shape: Shape) -> JSONValue { value(shape, Position()) }

    /// Returns a sample of a part of a shape, and counts the values in it.
    ///
    /// Null takes the place of a value beyond ``maxRequiredDepth`` or ``maxRequiredValues``.
    ///
    /// - Parameters:
    ///   - shape: The part of the shape.
    ///   - position: Where the part is.
    private mutating func value(_ shape: Shape, _ position: Position) -> JSONValue {
        guard position.depth < Self.maxRequiredDepth, count < Self.maxRequiredValues else { return .null }
        switch shape {
        case .scalar(let scalar):
            count += 1
            return Self.value(scalar)
        case .values(let values):
            count += 1
            return values.first ?? .null
        case .null, .any:
            count += 1
            return .null
        case .nullable(let wrapped): return nullable(wrapped, position)
        case .array(let element): return list(of: element, position)
        case .dictionary(let inner): return dictionary(of: inner, position)
        case .object(let fields), .open(let fields, _): return object(fields, position)
        case .variants(let cases): return variant(of: cases, position)
        case .alternatives(let shapes): return alternative(of: shapes, position)
        case .model(let name): return model(name, position)
        }
    }

    /// Returns a sample of a model, inside of which the model itself is left out where that is possible.
    private mutating func model(_ name: String, _ position: Position) -> JSONValue {
        var inner = position.inner
        inner.outerModels.insert(name)
        return value(shapes[name] ?? .any, inner)
    }

    /// Returns a sample of a value that may be null. It is null if the value should be left out.
    private mutating func nullable(_ wrapped: Shape, _ position: Position) -> JSONValue {
        if shouldOmit(wrapped, position) {
            count += 1
            return .null
        }
        return value(wrapped, position.inner)
    }

    /// Returns a sample of the best alternative; null if there is none that a value can have.
    private mutating func alternative(of shapes: [Shape], _ position: Position) -> JSONValue {
        guard let index = bestIndex(among: shapes, position) else { return value(.any, position.inner) }
        return value(shapes[index], position.inner)
    }

    // MARK: Leaving out

    /// Whether a value should be left out where that is possible: because the sample is large enough, because the value
    /// is of a model that is around it already, or because no value has the shape.
    private func shouldOmit(_ shape: Shape, _ position: Position) -> Bool {
        isLargeEnough(position) || recurs(shape, position) || height(shape) == nil
    }

    /// Whether the sample is so large or so deep at a position that it should only get the values that it needs.
    private func isLargeEnough(_ position: Position) -> Bool {
        count >= position.maxCount || position.depth >= Self.maxDepth
    }

    /// Whether the values of a shape, or the elements of a list, are of a model that is around the position.
    ///
    /// For example, the children of a `Tree` are trees themselves.
    private func recurs(_ shape: Shape, _ position: Position) -> Bool {
        switch shape {
        case .model(let name): position.outerModels.contains(name)
        case .nullable(let inner), .array(let inner), .dictionary(let inner): recurs(inner, position)
        case .alternatives(let shapes): shapes.allSatisfy { recurs($0, position) }
        case .scalar, .values, .object, .open, .variants, .null, .any: false
        }
    }

    // MARK: Containers

    /// Returns a list with one element, or an empty list if the element is left out.
    private mutating func list(of element: Shape, _ position: Position) -> JSONValue {
        count += 1
        if shouldOmit(element, position) { return [] }
        return [value(element, position.inner)]
    }

    /// Returns a dictionary with one member, or an empty one if the member is left out.
    private mutating func dictionary(of inner: Shape, _ position: Position) -> JSONValue {
        count += 1
        if shouldOmit(inner, position) { return [:] }
        return ["key": value(inner, position.inner)]
    }

    /// Returns an object with its members in the order of the fields: `{"id": 0, "name": "string"}`.
    ///
    /// Members that are texts, numbers or booleans are made first, so that a large object inside does not leave them
    /// out. Each of the other members then gets an equal share of the values that the object may still have.
    private mutating func object(_ fields: [Shape.Field], _ position: Position) -> JSONValue {
        count += 1
        var values: [Int: JSONValue] = [:]
        let withoutParts = fields.indices.filter { !Self.hasParts(fields[$0].shape) }
        let withParts = fields.indices.filter { Self.hasParts(fields[$0].shape) }
        for index in withoutParts { values[index] = member(fields[index], position.inner) }
        var remainingMembers = withParts.count
        for index in withParts {
            var inner = position.inner
            let share = (position.maxCount - count) / remainingMembers
            inner.maxCount = count + max(share, 0)
            values[index] = member(fields[index], inner)
            remainingMembers -= 1
        }
        var members: [(String, JSONValue)] = []
        for (index, field) in fields.enumerated() {
            if let value = values[index] { members.append((field.key, value)) }
        }
        return JSONValue(members)
    }

    /// Returns the value of a member; nil if it is left out.
    private mutating func member(_ field: Shape.Field, _ position: Position) -> JSONValue? {
        if field.isOptional, shouldOmitMember(field.shape, position) { return nil }
        return value(field.shape, position)
    }

    /// Whether an optional member should be left out. A list of the model around it is not: it is there, but empty.
    private func shouldOmitMember(_ shape: Shape, _ position: Position) -> Bool {
        switch shape {
        case .array, .dictionary, .nullable: isLargeEnough(position)
        default: shouldOmit(shape, position)
        }
    }

    /// Whether a value of the shape may be an object or a list, which has values inside it.
    private static func hasParts(_ shape: Shape) -> Bool {
        switch shape {
        case .scalar, .values, .null, .any: false
        case .nullable(let inner): hasParts(inner)
        case .array, .dictionary, .object, .open, .model, .variants, .alternatives: true
        }
    }

    /// Returns an enum with associated values: an object that has one case as its only member.
    private mutating func variant(of cases: [Shape.Field], _ position: Position) -> JSONValue {
        count += 1
        guard let index = bestIndex(among: cases.map(\.shape), position) else { return [:] }
        let associatedValues = value(cases[index].shape, position.inner)
        return JSONValue([(cases[index].key, associatedValues)])
    }

    /// Returns the index of the alternative that a sample shows; nil if there are no alternatives.
    ///
    /// - If all of them are texts and numbers, it is the first enum. `open or any text` is how a shape says that an
    ///   enum may have further values, and `open` is a better sample than any text.
    /// - Otherwise it is the first alternative that should not be left out.
    /// - If there is none, or if the sample is large enough, it is the alternative with the smallest value.
    private func bestIndex(among shapes: [Shape], _ position: Position) -> Int? {
        let areAllSingle = !shapes.contains(where: Self.hasParts)
        if areAllSingle, let enumIndex = shapes.firstIndex(where: Self.isEnum) { return enumIndex }
        if !isLargeEnough(position) {
            let first = shapes.firstIndex { !shouldOmit($0, position) }
            if let first { return first }
        }
        let heights = shapes.map { height($0) ?? .max }
        guard let leastHeight = heights.min() else { return nil }
        return heights.firstIndex(of: leastHeight)
    }

    /// Whether a shape is an enum that lists a value.
    private static func isEnum(_ shape: Shape) -> Bool {
        if case .values(let values) = shape { !values.isEmpty } else { false }
    }

    // MARK: Smallest values

    /// Returns the levels of models and objects in the smallest value of a shape; nil if no value has the shape.
    private func height(_ shape: Shape) -> Int? { Self.height(shape, heights) }

    /// Returns the levels of models and objects in the smallest value of each model. A model that no value has is left
    /// out, such as one that requires itself.
    ///
    /// The first round finds the models that need no other one, and each further round those that need only models
    /// found before. A model that is not found within ``maxRequiredDepth`` rounds would be too deep.
    private static func heights(of shapes: [String: Shape]) -> [String: Int] {
        var heights: [String: Int] = [:]
        for _ in 0..<maxRequiredDepth {
            let unknownModels = shapes.filter { heights[$0.key] == nil }
            let newHeights = unknownModels.compactMapValues { height($0, heights) }
            if newHeights.isEmpty { break }
            heights.merge(newHeights) { known, _ in known }
        }
        return heights
    }

    /// Returns the levels of models and objects in the smallest value of a shape; nil if no value has the shape.
    ///
    ///     string                          0
    ///     {"id": integer}                 1
    ///     {"pet": {"id": integer}}        2
    ///
    /// Lists, dictionaries and nullable values have the height 0, because they may be empty or null.
    ///
    /// - Parameters:
    ///   - shape: The shape.
    ///   - heights: The heights of the models that are known to have a value.
    private static func height(_ shape: Shape, _ heights: [String: Int]) -> Int? {
        switch shape {
        case .scalar, .array, .dictionary, .nullable, .null, .any: return 0
        case .values(let values): return values.isEmpty ? nil : 0
        case .alternatives(let shapes): return shapes.compactMap { height($0, heights) }.min()
        case .model(let name):
            guard let modelHeight = heights[name] else { return nil }
            return modelHeight + 1
        case .variants(let cases):
            let caseHeights = cases.compactMap { height($0.shape, heights) }
            guard let leastHeight = caseHeights.min() else { return nil }
            return leastHeight + 1
        case .object(let fields), .open(let fields, _):
            var greatestHeight = 0
            for field in fields where !field.isOptional {
                guard let fieldHeight = height(field.shape, heights) else { return nil }
                greatestHeight = max(greatestHeight, fieldHeight)
            }
            return greatestHeight + 1
        }
    }

    // MARK: Scalars

    /// Returns a sample of a text, number or boolean.
    private static func value(_ scalar: Shape.Scalar) -> JSONValue {
        switch scalar {
        case .boolean: true
        case .integer(let bounds): JSONValue(nearestToZero(bounds))
        case .number(let bounds): number(nearestToZero(bounds))
        case .string: "string"
        case .url: "https://example.com"
        case .uuid: "3fa85f64-5717-4562-b3fc-2c963f66afa6"
        case .date: "2026-01-01T00:00:00Z"
        // The text "sample".
        case .data: "c2FtcGxl"
        }
    }

    /// Returns the number within bounds that is nearest to zero: 1 for `1...500`, -2 for `-9 ... -2`. Without bounds,
    /// it is zero.
    private static func nearestToZero<Number: Comparable & Numeric>(_ bounds: ClosedRange<Number>?) -> Number {
        guard let bounds else { return 0 }
        return min(max(0, bounds.lowerBound), bounds.upperBound)
    }

    /// Returns the JSON of a number, as an integer if it is one: `1` for 1.0.
    private static func number(_ number: Double) -> JSONValue {
        if let integer = Int(exactly: number) { JSONValue(integer) } else { JSONValue(number) }
    }
}
