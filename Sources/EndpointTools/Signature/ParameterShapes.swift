import EndpointKit
import JSONText

extension EndpointDeclaration {
    /// Returns an object with the parameters as its fields, under their Swift names, with values as the API writes them
    /// and within the bounds of the endpoint's rules.
    package func parameterShape() throws -> ModelShape { try Self.parameterShapes(of: [self])[0] }

    /// Returns the ``parameterShape()`` of each endpoint of one API, which are learned together if they must be
    /// learned.
    package static func parameterShapes(of declarations: [EndpointDeclaration]) throws -> [ModelShape] {
        guard let api = declarations.first?.api else { return [] }
        let shapes: [ModelShape]
        if api.coding.writesAsModels, declarations.allSatisfy({ !$0.examples.isEmpty }) {
            shapes = declarations.map(\.signature.shape)
        } else {
            shapes = try learnedShapes(of: declarations, api)
        }
        return zip(declarations, shapes).map { declaration, shape in declaration.boundedParameters(shape) }
    }

    /// Learns the shapes of the endpoints' cases again, with the API's own keys, dates and numbers.
    private static func learnedShapes(
        of declarations: [EndpointDeclaration], _ api: any API.Type
    ) throws -> [ModelShape] {
        var calls: [JSONValue] = []
        for declaration in declarations {
            let examples = declaration.examples.isEmpty ? [declaration.firstCall] : declaration.examples
            let callWithoutParameters: JSONValue = [declaration.signature.caseName: [:]]
            calls.append(callWithoutParameters)
            calls += try examples.map { try CallValue($0).shown }
        }
        let learned = ModelShape.learned(api, from: calls, coding: api.coding.keepingNames)
        return learned.shape.cases(declarations.map(\.signature.caseName))
    }

    /// Returns the parameters in the shape of the endpoint's case, within the bounds of the endpoint's rules.
    private func boundedParameters(_ shape: ModelShape) -> ModelShape {
        let cases = shape.directFields(of: shape.root)
        let parameters = cases.flatMap { shape.directFields(of: $0.shape) }
        return shape.part(bounded(.object(parameters), in: shape, keepsKeys: api.coding.keepsKeys))
    }

    /// Returns an object of the parameters in which numbers are within the bounds of the endpoint's rules.
    ///
    /// - Parameters:
    ///   - root: An object of the parameters.
    ///   - shape: The shape that has the models of `root`.
    ///   - keepsKeys: Whether fields in `root` have their Swift names. Otherwise the rules of fields are ignored,
    ///     because it is not known how the API calls these.
    func bounded(_ root: Shape, in shape: ModelShape, keepsKeys: Bool = true) -> Shape {
        var root = root
        for rule in endpoint.rules {
            guard case .range(let name, let range) = rule.kind,
                let path = signature.parameter(named: name)?.path,
                path.count == 1 || keepsKeys
            else { continue }
            root = shape.bounded(root, range, at: path[...])
        }
        return root
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

extension Shape {
    /// The names of the models that the shape mentions, but not of those that only these models mention.
    package var modelNames: [String] {
        switch self {
        case .array(let inner), .dictionary(let inner), .nullable(let inner): inner.modelNames
        case .object(let fields), .variants(let fields): fields.flatMap(\.shape.modelNames)
        case .alternatives(let shapes): shapes.flatMap(\.modelNames)
        case .model(let name): [name]
        case .scalar, .values, .null, .any: []
        }
    }
}

extension ModelShape {
    /// Returns the shape of a part, with the models that it needs, in the order of this shape.
    package func part(_ root: Shape) -> ModelShape { parts([root])[0] }

    /// Returns the ``part(_:)`` for each root.
    func parts(_ roots: [Shape]) -> [ModelShape] {
        if models.isEmpty { return roots.map { ModelShape(root: $0, models: []) } }
        let indexedNames = models.enumerated().map { ($1.name, $0) }
        let indices = Dictionary(indexedNames) { first, _ in first }
        return roots.map { root in
            var neededIndices: Set<Int> = []
            var pendingNames = root.modelNames
            while let name = pendingNames.popLast() {
                guard let index = indices[name], neededIndices.insert(index).inserted else { continue }
                pendingNames += models[index].shape.modelNames
            }
            return ModelShape(root: root, models: neededIndices.sorted().map { models[$0] })
        }
    }

    /// Returns a shape in which the numbers at a path are within `range`, also those in lists and dictionaries there.
    ///
    /// Models on the way are replaced by their fields, because other places may have the same models without these
    /// bounds.
    ///
    /// - Parameters:
    ///   - path: The keys that lead to the numbers, with ``Signature/anyPosition`` for the elements of a list.
    ///   - depth: The number of shapes around `shape`. A model can hold itself in a union, so that shapes deeper than
    ///     32 stay as they are.
    fileprivate func bounded(
        _ shape: Shape, _ range: ClosedRange<Double>, at path: ArraySlice<String>, depth: Int = 0
    ) -> Shape {
        func inner(_ shape: Shape, _ path: ArraySlice<String>) -> Shape {
            depth < 32 ? bounded(shape, range, at: path, depth: depth + 1) : shape
        }
        func boundedFields(of fields: [Shape.Field]) -> [Shape.Field] {
            fields.map { $0.key == path.first ? $0.with(inner($0.shape, path.dropFirst())) : $0 }
        }
        switch shape {
        case .array(let element) where path.isEmpty || path.first == Signature.anyPosition:
            return .array(inner(element, path.dropFirst()))
        case .dictionary(let element) where path.isEmpty: return .dictionary(inner(element, path))
        case .nullable(let shape): return .nullable(inner(shape, path))
        case .alternatives(let shapes): return .alternatives(shapes.map { inner($0, path) })
        case .object(let fields): return .object(boundedFields(of: fields))
        case .variants(let fields): return .variants(boundedFields(of: fields))
        case .model(let name) where !path.isEmpty: return model(name).map { inner($0.shape, path) } ?? shape
        case .scalar(.integer(let typeRange)) where path.isEmpty:
            return .scalar(.integer(Self.integers(of: typeRange ?? Int.min...Int.max, within: range)))
        case .scalar(.number) where path.isEmpty: return .scalar(.number(range))
        default: return shape
        }
    }

    /// Returns the integers of a type that are within a rule's range, which may end in fractions or be infinite.
    private static func integers(
        of typeRange: ClosedRange<Int>, within range: ClosedRange<Double>
    ) -> ClosedRange<Int> {
        let lower = Int(exactly: range.lowerBound.rounded(.up)) ?? .min
        let upper = Int(exactly: range.upperBound.rounded(.down)) ?? .max
        return typeRange.clamped(to: lower...max(lower, upper))
    }

    /// Returns the shapes of cases of this enum: each an object with the name of the case as its only key.
    func cases(_ names: [String]) -> [ModelShape] {
        let namedFields = directFields(of: root).map { ($0.key, $0) }
        let fields = Dictionary(namedFields) { first, _ in first }
        return parts(
            names.map { name in
                guard let field = fields[name] else { return .object([]) }
                return .object([field])
            })
    }
}
