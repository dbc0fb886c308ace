import EndpointKit
import JSONText

extension EnumCatalogue {
    /// Returns a shape for each endpoint: an object with the endpoint's parameters as its fields, such as
    /// `{"id": integer}`.
    ///
    /// The fields have the keys, dates and numbers that the API writes.
    ///
    /// - Throws: The error of encoding the values of an example.
    func parameterShapes(of declarations: [EndpointDeclaration]) throws -> [ModelShape] {
        // The shapes of the signatures have the keys and dates of the Swift models, and were learned from the examples.
        // For an endpoint without examples, more can be learned from its first call.
        let allHaveExamples = declarations.allSatisfy { !$0.examples.isEmpty }
        let canReuseSignatures = A.api.coding.writesAsModels && allHaveExamples
        let shapes = canReuseSignatures ? declarations.map(\.signature.shape) : try learnShapes(of: declarations)
        return zip(declarations, shapes).map { declaration, shape in declaration.boundedParameters(shape) }
    }

    /// Learns the shapes of the endpoints' parameters with the keys, dates and numbers that the API writes.
    ///
    /// The shapes in the signatures have the keys of the Swift models, such as `firstName` where the API writes
    /// `first_name`. So the shapes are learned again: the API's enum is decoded from calls that are written as JSON,
    /// with the coding of the API, and a recorder notes which keys and types the enum asks for.
    ///
    /// - Returns: The shape of each endpoint's case, in the order of `declarations`.
    /// - Throws: The error of encoding the values of an example.
    private func learnShapes(of declarations: [EndpointDeclaration]) throws -> [ModelShape] {
        var calls: [JSONValue] = []
        for declaration in declarations {
            // From a call without parameters, the enum asks for all parameters. The decoder makes up their values.
            let callWithoutParameters: JSONValue = [declaration.signature.caseName: [:]]
            calls.append(callWithoutParameters)
            // With the values of an example, it may ask for further fields.
            let examples = declaration.examples.isEmpty ? [declaration.firstCall] : declaration.examples
            calls += try examples.map { [declaration.signature.caseName: try $0.values().shown] }
        }
        // `keepingNames` converts the keys inside of parameters, but not the Swift names of cases and parameters.
        let learnedEnum = LearnedEnum(A.self, from: calls, coding: A.api.coding.keepingNames)
        return learnedEnum.shape.cases(declarations.map(\.signature.caseName))
    }
}

extension EndpointDeclaration {
    /// The shape of an object with the parameters as the signature has them: with the keys and dates of the models.
    package var declaredParameterShape: ModelShape { boundedParameters(signature.shape) }

    /// Returns the parameters in the shape of the endpoint's case, within the bounds of the endpoint's rules.
    fileprivate func boundedParameters(_ shape: ModelShape) -> ModelShape {
        let cases = shape.directFields(of: shape.root)
        let parameters = cases.flatMap { shape.directFields(of: $0.shape) }
        return shape.part(bounded(.object(parameters), in: shape, keepsKeys: api.coding.keepsKeys))
    }

    /// Returns an object of the parameters in which numbers are within the bounds of the endpoint's rules.
    ///
    /// For example, a rule may say that `page` is within 1...500. Then the shape of the field `page` becomes an integer
    /// within these bounds.
    ///
    /// - Parameters:
    ///   - root: An object of the parameters.
    ///   - shape: The shape that has the models of `root`.
    ///   - keepsKeys: Whether fields in `root` have their Swift names. Otherwise the rules of fields are ignored,
    ///     because it is not known how the API calls these.
    func bounded(_ root: Shape, in shape: ModelShape, keepsKeys: Bool = true) -> Shape {
        var boundedRoot = root
        for rule in endpoint.rules {
            guard case .range(let name, let range) = rule.kind else { continue }
            guard let path = signature.parameter(named: name)?.path else { continue }
            let isParameter = path.count == 1
            guard isParameter || keepsKeys else { continue }
            boundedRoot = shape.bounding(boundedRoot, to: range, at: path[...])
        }
        return boundedRoot
    }
}

extension Coding {
    /// Whether keys in JSON are the models' own.
    fileprivate var keepsKeys: Bool { if case .useDefaultKeys = keys { true } else { false } }

    /// Whether JSON has the keys, dates and numbers that signatures are learned with.
    fileprivate var writesAsModels: Bool {
        switch (keys, dates, floats) {
        case (.useDefaultKeys, .iso8601, .throw): true
        default: false
        }
    }
}

extension ModelShape {
    /// The most shapes within each other in which a rule's numbers are looked for. A model can hold itself in a union,
    /// so that there may be no end.
    private static let maxDepthOfBounds = 32

    /// Returns a shape with the numbers at a path limited to `range`, also those in lists and dictionaries there.
    ///
    /// For example, at the path `["pet", "age"]` the integer in `{pet: {age: integer, name: string}}` gets the range.
    /// Models on the way are replaced by their fields, because other places may have the same models without these
    /// bounds.
    ///
    /// - Parameters:
    ///   - shape: The shape that has the numbers in it.
    ///   - range: The numbers that a rule of the endpoint allows.
    ///   - path: The keys that lead from `shape` to the numbers, with ``Signature/anyPosition`` for the elements of a
    ///     list.
    ///   - depth: The number of shapes around `shape`.
    fileprivate func bounding(
        _ shape: Shape, to range: ClosedRange<Double>, at path: ArraySlice<String>, depth: Int = 0
    ) -> Shape {
        if depth > Self.maxDepthOfBounds { return shape }
        guard let key = path.first else { return Self.boundingNumbers(of: shape, to: range, depth: depth) }
        switch shape {
        case .nullable(let wrapped):
            return .nullable(bounding(wrapped, to: range, at: path, depth: depth + 1))
        case .alternatives(let shapes):
            return .alternatives(shapes.map { bounding($0, to: range, at: path, depth: depth + 1) })
        case .model(let name):
            guard let model = self.model(name) else { return shape }
            return bounding(model.shape, to: range, at: path, depth: depth + 1)
        case .array(let element) where key == Signature.anyPosition:
            return .array(bounding(element, to: range, at: path.dropFirst(), depth: depth + 1))
        case .object(let fields):
            return .object(boundingFields(fields, to: range, at: path, depth: depth + 1))
        case .open(let fields, let others):
            let boundedFields = boundingFields(fields, to: range, at: path, depth: depth + 1)
            return .open(boundedFields, others: others)
        case .variants(let cases):
            return .variants(boundingFields(cases, to: range, at: path, depth: depth + 1))
        case .array, .dictionary, .scalar, .values, .null, .any:
            return shape
        }
    }

    /// Returns the fields of an object with the numbers at a path limited to `range`. Fields that the path does not
    /// lead through stay as they are.
    ///
    /// - Parameters:
    ///   - fields: All fields of the object.
    ///   - range: The numbers that a rule of the endpoint allows.
    ///   - path: The keys that lead from the object to the numbers. The first one is the key of a field.
    ///   - depth: The number of shapes around the fields.
    private func boundingFields(
        _ fields: [Shape.Field], to range: ClosedRange<Double>, at path: ArraySlice<String>, depth: Int
    ) -> [Shape.Field] {
        fields.map { field in
            let isOnPath = field.key == path.first
            if !isOnPath { return field }
            let boundedShape = bounding(field.shape, to: range, at: path.dropFirst(), depth: depth)
            return field.replacingShape(with: boundedShape)
        }
    }

    /// Returns a shape with its numbers limited to `range`: a number itself, or the numbers in a list or dictionary.
    ///
    /// For example, a list of integers becomes a list of integers within the range. Numbers in objects stay as they
    /// are, because the range is not a rule for the objects' fields.
    ///
    /// - Parameters:
    ///   - shape: The shape of the number, list or dictionary.
    ///   - range: The numbers that a rule of the endpoint allows.
    ///   - depth: The number of shapes around `shape`.
    private static func boundingNumbers(of shape: Shape, to range: ClosedRange<Double>, depth: Int) -> Shape {
        if depth > maxDepthOfBounds { return shape }
        switch shape {
        case .scalar(.integer(let knownTypeRange)):
            // Without a known range, the type may have all integers.
            let typeRange = knownTypeRange ?? Int.min...Int.max
            return .scalar(.integer(integers(of: typeRange, within: range)))
        case .scalar(.number):
            return .scalar(.number(range))
        case .array(let element):
            return .array(boundingNumbers(of: element, to: range, depth: depth + 1))
        case .dictionary(let value):
            return .dictionary(boundingNumbers(of: value, to: range, depth: depth + 1))
        case .nullable(let wrapped):
            return .nullable(boundingNumbers(of: wrapped, to: range, depth: depth + 1))
        case .alternatives(let shapes):
            return .alternatives(shapes.map { boundingNumbers(of: $0, to: range, depth: depth + 1) })
        case .scalar, .values, .object, .open, .variants, .model, .null, .any:
            return shape
        }
    }

    /// Returns the integers of a type that are within a rule's range, which may end in fractions or be infinite.
    ///
    ///     UInt8 (0...255), rule 0.5...12.5        1...12
    ///     Int, rule 1...infinity                  1...Int.max, which means that there is no upper limit
    private static func integers(
        of typeRange: ClosedRange<Int>, within range: ClosedRange<Double>
    ) -> ClosedRange<Int> {
        // A bound beyond 64 bits, such as infinity, limits nothing.
        let lower = Int(exactly: range.lowerBound.rounded(.up)) ?? .min
        let upper = Int(exactly: range.upperBound.rounded(.down)) ?? .max
        // A range without integers, such as 0.2...0.8, has its ends in the wrong order once they are rounded.
        let upperInOrder = max(lower, upper)
        return typeRange.clamped(to: lower...upperInOrder)
    }
}
