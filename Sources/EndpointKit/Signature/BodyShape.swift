import JSONText

extension EndpointDeclaration {
    /// The parameters as the fields of an object under their Swift names, with values as the API writes them, within the bounds of its rules.
    package func parameterShape() throws -> ModelShape {
        let shape: ModelShape
        switch (api.coding.keys, api.coding.dates, api.coding.floats) {
        // As the models have it.
        case (.useDefaultKeys, .iso8601, .throw) where !examples.isEmpty: shape = signature.shape
        default:
            shape = try EndpointCase(
                api: api, caseName: signature.caseName, examples: examples.isEmpty ? [firstCall] : examples
            ).writtenShape()
        }
        let fields = shape.directFields(of: shape.root).filter { $0.key == signature.caseName }
        let whole = shape.part(.object(fields.flatMap { shape.directFields(of: $0.shape) }))
        let keepsKeys = if case .useDefaultKeys = api.coding.keys { true } else { false }
        return endpoint.rules.reduce(whole) { shape, rule in
            guard case .range(let name, let range) = rule.kind, let path = signature.field(named: name)?.path,
                // What a field with a converted key is called, is not known.
                path.count == 1 || keepsKeys
            else { return shape }
            return shape.bounded(range, at: path[...])
        }
    }

    /// What JSON the body is; nil if it is not JSON. What is made of several parameters may be any JSON.
    package func bodyShape(_ places: ParameterPlaces) throws -> ModelShape? {
        guard case .json? = places.endpoint.body,
            let body = try places.endpoint.body?.encoded(api.coding, boundary: "").body.bytes
        else { return nil }
        let call = try CallValue(places.probe.original, signature.caseName)
        let shape = try parameterShape()
        let fields = shape.directFields(of: shape.root).filter { places.places[$0.key]?.contains(.body) == true }
        let document = try JSONValue(text: body)
        if let whole = fields.first(where: { call[$0.key]?.shown == document }) {
            return shape.part(whole.shape)
        }
        guard let members = document.members else { return ModelShape(root: .any, models: []) }
        var keys = members.map(\.key)
        for field in fields { keys += (places.bodyKeys[field.key] ?? []).filter { !keys.contains($0) }.sorted() }
        let areAllKnown = signature.parameters.allSatisfy { places.places[$0.name] != nil }
        let properties = keys.map { key in
            let owners = fields.filter { places.bodyKeys[$0.key]?.contains(key) == true }
            if areAllKnown, owners.isEmpty, let value = document[key], !SecretName.isCredential(key) {
                return Shape.Field(key: key, shape: .values([value]), isOptional: false)
            }
            // A parameter that changes several members is none of them.
            let owner = owners.count == 1 && places.bodyKeys[owners[0].key]?.count == 1 ? owners[0] : nil
            return Shape.Field(
                key: key, shape: owner?.shape ?? .any, isOptional: owners.contains(where: \.isOptional))
        }
        return shape.part(.object(properties))
    }
}

extension Shape {
    /// The models that it names itself.
    package var modelNames: [String] {
        switch self {
        case .array(let inner), .dictionary(let inner): inner.modelNames
        case .object(let fields): fields.flatMap(\.shape.modelNames)
        case .union(let shapes): shapes.flatMap(\.modelNames)
        case .model(let name): [name]
        case .scalar, .values, .null, .any: []
        }
    }
}

extension ModelShape {
    /// The shape of a part, with the models that it needs in the order of this shape.
    package func part(_ root: Shape) -> ModelShape {
        var open = root.modelNames
        if open.isEmpty { return ModelShape(root: root, models: []) }
        let shapes = Dictionary(models.map { ($0.name, $0.shape) }) { first, _ in first }
        var names: Set<String> = []
        while let name = open.popLast() {
            if names.insert(name).inserted, let shape = shapes[name] { open += shape.modelNames }
        }
        return ModelShape(root: root, models: models.filter { names.contains($0.name) })
    }

    /// The shape with the numbers at a path of keys, and in what lists and dictionaries there hold, within `range`.
    fileprivate func bounded(_ range: ClosedRange<Double>, at path: ArraySlice<String>) -> ModelShape {
        var models = models
        var known: Set<String> = []
        func bounded(_ shape: Shape, _ path: ArraySlice<String>) -> Shape {
            let inner = path.first == Signature.anyPosition ? path.dropFirst() : path
            switch shape {
            case .array(let element): return .array(bounded(element, inner))
            case .dictionary(let element): return .dictionary(bounded(element, inner))
            case .union(let shapes): return .union(shapes.map { bounded($0, path) })
            case .object(let fields):
                return .object(
                    fields.map { field in
                        guard field.key == path.first else { return field }
                        let shape = bounded(field.shape, path.dropFirst())
                        return .init(
                            key: field.key, shape: shape, isOptional: field.isOptional, typeName: field.typeName)
                    })
            case .model(let name):
                guard let place = models.firstIndex(where: { $0.name == name }), known.insert(name).inserted else {
                    return shape
                }
                models[place] = Model(name: name, shape: bounded(models[place].shape, path))
                return shape
            case .scalar(.integer(let own)) where path.isEmpty:
                let own = own ?? Int.min...Int.max
                let lower = Int(exactly: range.lowerBound.rounded(.up)) ?? .min
                return .scalar(
                    .integer(own.clamped(to: lower...max(lower, Int(exactly: range.upperBound.rounded(.down)) ?? .max)))
                )
            case .scalar(.number) where path.isEmpty: return .scalar(.number(range))
            case .scalar, .values, .null, .any: return shape
            }
        }
        return ModelShape(root: bounded(root, path), models: models)
    }
}
