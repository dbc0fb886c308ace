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
        return maker.makeSample(of: root)
    }
}

/// Makes sample values of shapes, such as `{"id": 0, "name": "string"}` for an object.
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

    /// Where a value is in the shape, and the limit for the values there.
    private struct Location {
        /// The number of steps into the shape that lead to the value.
        var depth = 0
        /// The number of values of the whole sample after which optional values are left out at this location.
        var maxValueCount = SampleMaker.maxValues
        /// The names of the models around the value.
        var outerModels: Set<String> = []

        /// The location of a value inside this one, one step deeper.
        var inner: Location {
            var location = self
            location.depth += 1
            return location
        }
    }

    /// The shapes of the models by their names.
    private let modelShapes: [String: Shape]
    /// The height of each model, as ``height(of:modelHeights:)`` defines it. A model that no value has is missing.
    private let modelHeights: [String: Int]
    /// The number of values that have been made.
    private var valueCount = 0

    /// Prepares to make samples of shapes that name the given models.
    init(_ models: [ModelShape.Model]) {
        modelShapes = Dictionary(models.map { ($0.name, $0.shape) }, uniquingKeysWith: { first, _ in first })
        modelHeights = Self.heights(ofModels: modelShapes)
    }

    /// Returns a sample of a shape.
    mutating func makeSample(of shape: Shape) -> JSONValue { makeValue(of: shape, at: Location()) }

    /// Returns a sample value of a shape, and adds the values in it to ``valueCount``.
    ///
    /// Null takes the place of a value beyond ``maxRequiredDepth`` or ``maxRequiredValues``.
    ///
    /// - Parameters:
    ///   - shape: The shape of the value, which is the whole shape or inside it.
    ///   - location: The depth of the value, the models around it, and the limit for the number of values there.
    private mutating func makeValue(of shape: Shape, at location: Location) -> JSONValue {
        guard location.depth < Self.maxRequiredDepth, valueCount < Self.maxRequiredValues else { return .null }
        switch shape {
        case .scalar(let scalar):
            valueCount += 1
            return Self.sample(of: scalar)
        case .values(let allowedValues):
            valueCount += 1
            // An enum without values has no sample.
            return allowedValues.first ?? .null
        case .null, .any:
            valueCount += 1
            return .null
        case .nullable(let wrapped): return makeNullable(wrapped, at: location)
        case .array(let element): return makeList(of: element, at: location)
        case .dictionary(let member): return makeDictionary(of: member, at: location)
        case .object(let fields), .open(let fields, _): return makeObject(with: fields, at: location)
        case .variants(let cases): return makeVariant(of: cases, at: location)
        case .alternatives(let shapes): return makeAlternative(of: shapes, at: location)
        case .model(let name): return makeModel(named: name, at: location)
        }
    }

    /// Returns a sample of a model, inside of which the model itself is left out where that is possible.
    private mutating func makeModel(named name: String, at location: Location) -> JSONValue {
        var inner = location.inner
        inner.outerModels.insert(name)
        return makeValue(of: modelShapes[name] ?? .any, at: inner)
    }

    /// Returns a sample of a value that may be null. It is null if the value should be left out.
    private mutating func makeNullable(_ wrapped: Shape, at location: Location) -> JSONValue {
        if shouldOmit(wrapped, at: location) {
            valueCount += 1
            return .null
        }
        return makeValue(of: wrapped, at: location.inner)
    }

    /// Returns a sample of the best alternative; null if there are no alternatives.
    private mutating func makeAlternative(of alternatives: [Shape], at location: Location) -> JSONValue {
        guard let index = bestIndex(among: alternatives, at: location) else {
            valueCount += 1
            return .null
        }
        return makeValue(of: alternatives[index], at: location.inner)
    }

    // MARK: Leaving out

    /// Whether a value should be left out where that is possible: because the sample is large enough, because the value
    /// is of a model that is around it already, or because no value has the shape.
    private func shouldOmit(_ shape: Shape, at location: Location) -> Bool {
        let isImpossible = height(of: shape) == nil
        return isImpossible || isLargeEnough(at: location) || recurs(shape, at: location)
    }

    /// Whether the sample is so large or so deep at a location that it should only get the values that it needs.
    private func isLargeEnough(at location: Location) -> Bool {
        valueCount >= location.maxValueCount || location.depth >= Self.maxDepth
    }

    /// Whether the values of a shape, or the elements of a list, are of a model that is around the location.
    ///
    /// For example, the children of a `Tree` are trees themselves.
    private func recurs(_ shape: Shape, at location: Location) -> Bool {
        switch shape {
        case .model(let name): location.outerModels.contains(name)
        case .nullable(let inner), .array(let inner), .dictionary(let inner): recurs(inner, at: location)
        case .alternatives(let shapes): shapes.allSatisfy { recurs($0, at: location) }
        case .scalar, .values, .object, .open, .variants, .null, .any: false
        }
    }

    // MARK: Containers

    /// Returns a list with one element, or an empty list if the element is left out.
    private mutating func makeList(of element: Shape, at location: Location) -> JSONValue {
        valueCount += 1
        if shouldOmit(element, at: location) { return [] }
        return [makeValue(of: element, at: location.inner)]
    }

    /// Returns a dictionary with one member, or an empty one if the member is left out.
    private mutating func makeDictionary(of member: Shape, at location: Location) -> JSONValue {
        valueCount += 1
        if shouldOmit(member, at: location) { return [:] }
        return ["key": makeValue(of: member, at: location.inner)]
    }

    /// Returns a sample of an object, with its members in the order of the fields: `{"id": 0, "name": "string"}`.
    ///
    /// Members that are texts, numbers or booleans are made first, so that a large object inside does not leave them
    /// out. Each of the other members then gets an equal share of the values that the object may still have.
    private mutating func makeObject(with fields: [Shape.Field], at location: Location) -> JSONValue {
        valueCount += 1
        var valuesByFieldIndex: [Int: JSONValue] = [:]
        let smallFields = fields.indices.filter { !Self.mayHoldValues(fields[$0].shape) }
        let largeFields = fields.indices.filter { Self.mayHoldValues(fields[$0].shape) }
        for index in smallFields { valuesByFieldIndex[index] = makeMember(fields[index], at: location.inner) }
        var remainingMembers = largeFields.count
        for index in largeFields {
            let remainingValues = max(location.maxValueCount - valueCount, 0)
            var inner = location.inner
            inner.maxValueCount = valueCount + remainingValues / remainingMembers
            valuesByFieldIndex[index] = makeMember(fields[index], at: inner)
            remainingMembers -= 1
        }
        var members: [(String, JSONValue)] = []
        for (index, field) in fields.enumerated() {
            if let value = valuesByFieldIndex[index] { members.append((field.key, value)) }
        }
        return JSONValue(members)
    }

    /// Returns the value of a member; nil if it is left out.
    private mutating func makeMember(_ field: Shape.Field, at location: Location) -> JSONValue? {
        if field.isOptional, shouldOmitMember(field.shape, at: location) { return nil }
        return makeValue(of: field.shape, at: location)
    }

    /// Whether an optional member should be left out.
    ///
    /// A list, a dictionary or a nullable value stays although its elements should be left out, because it can be empty
    /// or null: the `children` of a `Tree` are `[]`.
    private func shouldOmitMember(_ shape: Shape, at location: Location) -> Bool {
        switch shape {
        case .array, .dictionary, .nullable: isLargeEnough(at: location)
        default: shouldOmit(shape, at: location)
        }
    }

    /// Whether a value of the shape may be an object or a list, which has values inside it.
    private static func mayHoldValues(_ shape: Shape) -> Bool {
        switch shape {
        case .scalar, .values, .null, .any: false
        case .nullable(let inner): mayHoldValues(inner)
        case .array, .dictionary, .object, .open, .model, .variants, .alternatives: true
        }
    }

    /// Returns a sample of an enum with associated values: an object with one case as its only member. The object is
    /// empty if the enum has no cases.
    private mutating func makeVariant(of cases: [Shape.Field], at location: Location) -> JSONValue {
        valueCount += 1
        guard let index = bestIndex(among: cases.map(\.shape), at: location) else { return [:] }
        let associatedValues = makeValue(of: cases[index].shape, at: location.inner)
        return JSONValue([(cases[index].key, associatedValues)])
    }

    /// Returns the index of the alternative that a sample shows; nil if there are no alternatives.
    ///
    /// - If all of them are texts and numbers, it is the first enum. `open or any text` is how a shape says that an
    ///   enum may have further values, and `open` is a better sample than any text.
    /// - Otherwise it is the first alternative that should not be left out.
    /// - If there is none, or if the sample is large enough, it is the alternative with the smallest value.
    private func bestIndex(among alternatives: [Shape], at location: Location) -> Int? {
        let areTextsAndNumbers = !alternatives.contains(where: Self.mayHoldValues)
        if areTextsAndNumbers, let enumIndex = alternatives.firstIndex(where: Self.isEnum) { return enumIndex }
        if !isLargeEnough(at: location) {
            let firstIndex = alternatives.firstIndex { !shouldOmit($0, at: location) }
            if let firstIndex { return firstIndex }
        }
        // An alternative that no value has counts as the largest.
        let heights = alternatives.map { height(of: $0) ?? .max }
        guard let leastHeight = heights.min() else { return nil }
        return heights.firstIndex(of: leastHeight)
    }

    /// Whether a shape is an enum that lists a value.
    private static func isEnum(_ shape: Shape) -> Bool {
        if case .values(let values) = shape { !values.isEmpty } else { false }
    }

    // MARK: Smallest values

    /// Returns the levels of models and objects in the smallest value of a shape; nil if no value has the shape.
    private func height(of shape: Shape) -> Int? { Self.height(of: shape, modelHeights: modelHeights) }

    /// Returns the height of each model: the levels of models and objects in its smallest value.
    ///
    /// The first round finds the models that need no other one, and each further round those that need only models
    /// found before. A model that is not found within ``maxRequiredDepth`` rounds would be too deep.
    ///
    /// - Returns: The heights by the models' names. A model that no value has is missing, such as one that requires
    ///   itself.
    private static func heights(ofModels modelShapes: [String: Shape]) -> [String: Int] {
        var knownHeights: [String: Int] = [:]
        for _ in 0..<maxRequiredDepth {
            let unknownModels = modelShapes.filter { knownHeights[$0.key] == nil }
            let newHeights = unknownModels.compactMapValues { height(of: $0, modelHeights: knownHeights) }
            if newHeights.isEmpty { break }
            knownHeights.merge(newHeights) { old, _ in old }
        }
        return knownHeights
    }

    /// Returns the height of a shape: the levels of models and objects in its smallest value.
    ///
    ///     string                          0
    ///     {"id": integer}                 1
    ///     {"pet": {"id": integer}}        2
    ///
    /// Lists, dictionaries and nullable values have the height 0, because they may be empty or null.
    ///
    /// - Parameters:
    ///   - shape: The shape.
    ///   - modelHeights: The heights of the models that are known to have a value, by name.
    /// - Returns: The height; nil if no value has the shape, as far as models with a known height can tell.
    private static func height(of shape: Shape, modelHeights: [String: Int]) -> Int? {
        switch shape {
        case .scalar, .array, .dictionary, .nullable, .null, .any:
            return 0
        case .values(let allowedValues):
            return allowedValues.isEmpty ? nil : 0
        case .alternatives(let shapes):
            let heights = shapes.compactMap { height(of: $0, modelHeights: modelHeights) }
            return heights.min()
        case .model(let name):
            guard let modelHeight = modelHeights[name] else { return nil }
            return modelHeight + 1
        case .variants(let cases):
            let caseHeights = cases.compactMap { height(of: $0.shape, modelHeights: modelHeights) }
            guard let leastHeight = caseHeights.min() else { return nil }
            return leastHeight + 1
        case .object(let fields), .open(let fields, _):
            var greatestHeight = 0
            // An optional member can be left out, so it adds nothing to the smallest value.
            for field in fields where !field.isOptional {
                guard let fieldHeight = height(of: field.shape, modelHeights: modelHeights) else { return nil }
                greatestHeight = max(greatestHeight, fieldHeight)
            }
            return greatestHeight + 1
        }
    }

    // MARK: Scalars

    /// Returns a sample of a text, number or boolean: `2026-01-01T00:00:00Z` for a date.
    private static func sample(of scalar: Shape.Scalar) -> JSONValue {
        switch scalar {
        case .boolean: true
        case .integer(let bounds): JSONValue(nearestToZero(bounds))
        case .number(let bounds): JSONValue(shortest: nearestToZero(bounds))
        case .string: "string"
        case .url: "https://example.com"
        case .uuid: "3fa85f64-5717-4562-b3fc-2c963f66afa6"
        case .date: "2026-01-01T00:00:00Z"
        // The text "sample".
        case .data: "c2FtcGxl"
        }
    }

    /// Returns the number within bounds that is nearest to zero: 1 for `1...500`, -2 for `-9 ... -2`. Without bounds
    /// (nil), it is zero.
    private static func nearestToZero<Number: Comparable & Numeric>(_ bounds: ClosedRange<Number>?) -> Number {
        guard let bounds else { return 0 }
        return min(max(0, bounds.lowerBound), bounds.upperBound)
    }
}

extension JSONValue {
    /// Makes the JSON of a number, as an integer if it is one: `1` for 1.0, `1.5` for 1.5.
    init(shortest number: Double) {
        if let integer = Int(exactly: number) { self.init(integer) } else { self.init(number) }
    }
}
