import EndpointKit
import JSONText

extension EndpointDeclaration {
    /// The parameters as the fields of an object under their Swift names, with values as the API writes them, within the bounds of its rules.
    package func parameterShape() throws -> ModelShape { try Self.parameterShapes(of: [self])[0] }

    /// Those of endpoints of one API.
    package static func parameterShapes(of declarations: [EndpointDeclaration]) throws -> [ModelShape] {
        guard let api = declarations.first?.api else { return [] }
        let shapes: [ModelShape]
        switch (api.coding.keys, api.coding.dates, api.coding.floats) {
        // As the models have it.
        case (.useDefaultKeys, .iso8601, .throw) where declarations.allSatisfy({ !$0.examples.isEmpty }):
            shapes = declarations.map(\.signature.shape)
        default:
            let calls = try declarations.flatMap { one -> [JSONValue] in
                let empty: JSONValue = [one.signature.caseName: [:]]
                let calls = one.examples.isEmpty ? [one.firstCall] : one.examples
                return try [empty] + calls.map { try CallValue($0).shown }
            }
            shapes = ModelShape.learned(api, from: calls, coding: api.coding.keepingNames).shape
                .cases(declarations.map(\.signature.caseName))
        }
        return zip(declarations, shapes).map { $0.bounded($1) }
    }

    /// The parameters in the shape of the endpoint's case.
    private func bounded(_ shape: ModelShape) -> ModelShape {
        let parameters = shape.directFields(of: shape.root).flatMap { shape.directFields(of: $0.shape) }
        let keepsKeys = if case .useDefaultKeys = api.coding.keys { true } else { false }
        return shape.part(bounded(.object(parameters), in: shape, keepsKeys: keepsKeys))
    }

    /// An object of the parameters, whose numbers are within the bounds of the rules; the models in it are those of `shape`.
    func bounded(_ root: Shape, in shape: ModelShape, keepsKeys: Bool = true) -> Shape {
        endpoint.rules.reduce(root) { root, rule in
            guard case .range(let name, let range) = rule.kind, let path = signature.parameter(named: name)?.path,
                // What a field with a converted key is called, is not known.
                path.count == 1 || keepsKeys
            else { return root }
            return shape.bounded(root, range, at: path[...])
        }
    }
}

extension Shape {
    /// The models that it names itself.
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
    /// The shape of a part, with the models that it needs in the order of this shape.
    package func part(_ root: Shape) -> ModelShape { parts([root])[0] }

    /// The shapes of several parts.
    func parts(_ roots: [Shape]) -> [ModelShape] {
        if models.isEmpty { return roots.map { ModelShape(root: $0, models: []) } }
        let places = Dictionary(models.enumerated().map { ($1.name, $0) }) { first, _ in first }
        return roots.map { root in
            var found: Set<Int> = []
            var open = root.modelNames
            while let name = open.popLast() {
                if let place = places[name], found.insert(place).inserted { open += models[place].shape.modelNames }
            }
            return ModelShape(root: root, models: found.sorted().map { models[$0] })
        }
    }

    /// A shape whose numbers at a path of keys, and in what lists and dictionaries there hold, are within `range`. The models on the way there
    /// are written out.
    fileprivate func bounded(
        _ shape: Shape, _ range: ClosedRange<Double>, at path: ArraySlice<String>, depth: Int = 0
    ) -> Shape {
        func inner(_ shape: Shape, _ path: ArraySlice<String>) -> Shape {
            // A model may hold itself in a union.
            depth < 32 ? bounded(shape, range, at: path, depth: depth + 1) : shape
        }
        func boundedField(of fields: [Shape.Field]) -> [Shape.Field] {
            fields.map { $0.key == path.first ? $0.with(inner($0.shape, path.dropFirst())) : $0 }
        }
        switch shape {
        case .array(let element) where path.isEmpty || path.first == Signature.anyPosition:
            return .array(inner(element, path.dropFirst()))
        case .dictionary(let element) where path.isEmpty: return .dictionary(inner(element, path))
        case .nullable(let shape): return .nullable(inner(shape, path))
        case .alternatives(let shapes): return .alternatives(shapes.map { inner($0, path) })
        case .object(let fields): return .object(boundedField(of: fields))
        case .variants(let fields): return .variants(boundedField(of: fields))
        case .model(let name) where !path.isEmpty: return model(name).map { inner($0.shape, path) } ?? shape
        case .scalar(.integer(let own)) where path.isEmpty:
            let own = own ?? Int.min...Int.max
            let lower = Int(exactly: range.lowerBound.rounded(.up)) ?? .min
            return .scalar(
                .integer(own.clamped(to: lower...max(lower, Int(exactly: range.upperBound.rounded(.down)) ?? .max)))
            )
        case .scalar(.number) where path.isEmpty: return .scalar(.number(range))
        default: return shape
        }
    }

    /// The shapes of cases of an enum, each an object with the name of the case.
    func cases(_ names: [String]) -> [ModelShape] {
        let fields = Dictionary(directFields(of: root).map { ($0.key, [$0]) }) { first, _ in first }
        return parts(names.map { .object(fields[$0] ?? []) })
    }
}
