import EndpointKit
import JSONText

extension ModelShape {
    /// Returns a value that has the shape: the same value each time.
    ///
    /// Objects have all the members that the shape names, lists have one element, and an enum has its first value. For example:
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

/// Makes sample values of the parts of a shape.
struct SampleMaker {
    /// From this number of values on, those that are optional are left out. More values are no help to a reader.
    private static let maxValues = 1_000
    /// From this number of steps into the shape on, values that are optional are left out. It takes three steps from
    /// an object to the fields of another one: to the member, to the list and to the model.
    private static let maxDepth = 30
    /// The most values of a sample. 40 models that each require the next one twice would else have 2⁴⁰ values.
    static let maxRequiredValues = 10_000
    /// The most steps into a shape: fewer than the 512 levels that a document may have, and than a small stack bears.
    static let maxRequiredDepth = 100

    /// The position of a value in the shape.
    private struct Position {
        /// How many steps into the shape lead to the value.
        var depth = 0
        /// From this number of values on, those that are optional are left out.
        var limit = SampleMaker.maxValues
        /// The models around the value.
        var outerModels: Set<String> = []

        /// The position of a part of the value.
        var inner: Position {
            var position = self
            position.depth += 1
            return position
        }
    }

    /// The shapes of the models by their names.
    private let shapes: [String: Shape]
    /// How many models and objects the smallest value of each model is nested in. A model without any value has none.
    private let heights: [String: Int]
    /// How many values have been made.
    private var count = 0

    init(_ models: [ModelShape.Model]) {
        let shapes = Dictionary(models.map { ($0.name, $0.shape) }, uniquingKeysWith: { first, _ in first })
        self.shapes = shapes
        heights = Self.heights(of: shapes)
    }

    /// Returns a sample of a shape.
    mutating func value(_ shape: Shape) -> JSONValue { value(shape, Position()) }

    /// Returns a sample of the part of a shape at a position.
    private mutating func value(_ shape: Shape, _ position: Position) -> JSONValue {
        guard position.depth < Self.maxRequiredDepth, count < Self.maxRequiredValues else { return .null }
        switch shape {
        case .scalar(let scalar): return single(Self.value(scalar))
        case .values(let values): return single(values.first ?? .null)
        case .null, .any: return single(.null)
        case .nullable(let inner): return omits(inner, position) ? single(.null) : value(inner, position.inner)
        case .array(let element): return list(of: element, position)
        case .dictionary(let inner): return dictionary(of: inner, position)
        case .object(let fields), .open(let fields, _): return object(fields, position)
        case .variants(let cases): return variant(of: cases, position)
        case .alternatives(let shapes):
            let shape = chosenIndex(shapes, position).map { shapes[$0] }
            return value(shape ?? .any, position.inner)
        case .model(let name):
            var inner = position.inner
            inner.outerModels.insert(name)
            return value(shapes[name] ?? .any, inner)
        }
    }

    /// Counts a value that has no parts.
    private mutating func single(_ value: JSONValue) -> JSONValue {
        count += 1
        return value
    }

    /// Whether a value is left out if that is possible.
    private func omits(_ shape: Shape, _ position: Position) -> Bool {
        isSmall(position) || recurs(shape, position) || height(shape) == nil
    }

    /// Whether a value has only the parts that it needs.
    private func isSmall(_ position: Position) -> Bool { count >= position.limit || position.depth >= Self.maxDepth }

    /// Whether the values of a shape, or the elements of a list, are of a model that is around the position.
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
        if omits(element, position) { return [] }
        return [value(element, position.inner)]
    }

    /// Returns a dictionary with one member, or an empty one if the member is left out.
    private mutating func dictionary(of inner: Shape, _ position: Position) -> JSONValue {
        count += 1
        if omits(inner, position) { return [:] }
        return ["key": value(inner, position.inner)]
    }

    /// Returns an object with its members in the order of the fields.
    ///
    /// Members that are texts, numbers or booleans are made first, so that a large object inside does not leave them
    /// out. The other members share what is left of the limit.
    private mutating func object(_ fields: [Shape.Field], _ position: Position) -> JSONValue {
        count += 1
        var members: [Int: JSONValue] = [:]
        let containers = fields.indices.filter { Self.hasParts(fields[$0].shape) }
        for index in fields.indices where !Self.hasParts(fields[index].shape) {
            members[index] = member(fields[index], position.inner)
        }
        for (number, index) in containers.enumerated() {
            var inner = position.inner
            let share = (position.limit - count) / (containers.count - number)
            inner.limit = count + max(share, 0)
            members[index] = member(fields[index], inner)
        }
        return JSONValue(fields.indices.compactMap { index in members[index].map { (fields[index].key, $0) } })
    }

    /// Returns the value of a member; nil if it is left out.
    private mutating func member(_ field: Shape.Field, _ position: Position) -> JSONValue? {
        if field.isOptional, omitsMember(field.shape, position) { return nil }
        return value(field.shape, position)
    }

    /// Whether a member that may be absent is left out. A list of the model around it is there, but empty.
    private func omitsMember(_ shape: Shape, _ position: Position) -> Bool {
        switch shape {
        case .array, .dictionary, .nullable: isSmall(position)
        default: omits(shape, position)
        }
    }

    /// Whether a value of the shape is no single text, number or boolean.
    private static func hasParts(_ shape: Shape) -> Bool {
        switch shape {
        case .scalar, .values, .null, .any: false
        case .nullable(let inner): hasParts(inner)
        case .array, .dictionary, .object, .open, .model, .variants, .alternatives: true
        }
    }

    /// Returns an object with the first case that has a value.
    private mutating func variant(of cases: [Shape.Field], _ position: Position) -> JSONValue {
        count += 1
        guard let index = chosenIndex(cases.map(\.shape), position) else { return [:] }
        return JSONValue([(cases[index].key, value(cases[index].shape, position.inner))])
    }

    /// Returns the index of the first alternative that is not a model around the position. If values are to be small,
    /// or there is no such alternative, it is that of the alternative with the smallest value.
    ///
    /// Among texts and numbers alone, an enum goes first, because it is what an open enum lists: `open or any text`.
    private func chosenIndex(_ shapes: [Shape], _ position: Position) -> Int? {
        if !shapes.contains(where: Self.hasParts), let index = shapes.firstIndex(where: Self.isEnum) { return index }
        if !isSmall(position), let first = shapes.firstIndex(where: { !omits($0, position) }) { return first }
        let heights = shapes.map { height($0) ?? .max }
        return heights.min().flatMap(heights.firstIndex)
    }

    /// Whether a shape is an enum that lists a value.
    private static func isEnum(_ shape: Shape) -> Bool {
        if case .values(let values) = shape { !values.isEmpty } else { false }
    }

    // MARK: Smallest values

    /// Returns the height of the smallest value of a shape; nil if the shape has no value.
    private func height(_ shape: Shape) -> Int? { Self.height(shape, heights) }

    /// Returns the heights of the models that have a value.
    ///
    /// The first round finds the models that need no other one, and each further round those that need only models
    /// found before. A model that is not found within ``maxRequiredDepth`` rounds would be too deep.
    private static func heights(of shapes: [String: Shape]) -> [String: Int] {
        var heights: [String: Int] = [:]
        for _ in 0..<maxRequiredDepth {
            var newHeights: [String: Int] = [:]
            for (name, shape) in shapes where heights[name] == nil { newHeights[name] = height(shape, heights) }
            if newHeights.isEmpty { break }
            heights.merge(newHeights) { known, _ in known }
        }
        return heights
    }

    /// Returns how many models and objects the smallest value of a shape is nested in; nil if it has no value.
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
        case .model(let name): return heights[name].map { $0 + 1 }
        case .alternatives(let shapes): return shapes.compactMap { height($0, heights) }.min()
        case .variants(let cases): return cases.compactMap { height($0.shape, heights) }.min().map { $0 + 1 }
        case .object(let fields), .open(let fields, _):
            var height = 0
            for field in fields where !field.isOptional {
                guard let inner = Self.height(field.shape, heights) else { return nil }
                height = max(height, inner)
            }
            return height + 1
        }
    }

    // MARK: Scalars

    /// Returns a sample of a text, number or boolean.
    private static func value(_ scalar: Shape.Scalar) -> JSONValue {
        switch scalar {
        case .boolean: true
        case .integer(let bounds): JSONValue(bounds.map { nearestToZero($0) } ?? 0)
        case .number(let bounds): number(bounds.map { nearestToZero($0) } ?? 0)
        case .string: "string"
        case .url: "https://example.com"
        case .uuid: "3fa85f64-5717-4562-b3fc-2c963f66afa6"
        case .date: "2026-01-01T00:00:00Z"
        // The text "sample".
        case .data: "c2FtcGxl"
        }
    }

    /// Returns the smallest number within bounds that is not negative, or else the upper bound.
    private static func nearestToZero<Number: Comparable & Numeric>(_ bounds: ClosedRange<Number>) -> Number {
        min(max(0, bounds.lowerBound), bounds.upperBound)
    }

    /// Returns a number, as an integer if it is one.
    private static func number(_ number: Double) -> JSONValue {
        Int(exactly: number).map { JSONValue($0) } ?? JSONValue(number)
    }
}
