import JSONText

extension EndpointDeclaration {
    /// The parameters as the fields of an object under their Swift names, with values as the API writes them.
    package func parameterShape() throws -> ModelShape {
        let shape = try EndpointCase(
            api: api, caseName: signature.caseName, examples: examples.isEmpty ? [firstCall] : examples
        ).writtenShape()
        let fields = shape.directFields(of: shape.root).filter { $0.key == signature.caseName }
        return shape.part(.object(fields.flatMap { shape.directFields(of: $0.shape) }))
    }

    /// What JSON the body is; nil if it is not JSON. What is not a parameter, or a member made of one, may be any JSON.
    package func bodyShape(_ places: ParameterPlaces) throws -> ModelShape? {
        guard case .json? = places.endpoint.body,
            let body = try places.endpoint.body?.encoded(api.coding, boundary: "").body.bytes
        else { return nil }
        let call = try CallValue(places.call, signature.caseName)
        let shape = try parameterShape()
        let fields = shape.directFields(of: shape.root).filter { places.places[$0.key]?.contains(.body) == true }
        let document = try JSONValue(text: body)
        if let whole = fields.first(where: { call[$0.key]?.shown == document }) {
            return shape.part(whole.shape)
        }
        guard let members = document.members else { return ModelShape(root: .any, models: []) }
        var keys = members.map(\.key)
        for field in fields { keys += (places.bodyKeys[field.key] ?? []).filter { !keys.contains($0) }.sorted() }
        let properties = keys.map { key in
            let owners = fields.filter { places.bodyKeys[$0.key]?.contains(key) == true }
            // A parameter that changes several members is none of them.
            let owner = owners.count == 1 && places.bodyKeys[owners[0].key]?.count == 1 ? owners[0] : nil
            return Shape.Field(
                key: key, shape: owner?.shape ?? .any, isOptional: owners.contains(where: \.isOptional))
        }
        return shape.part(.object(properties))
    }
}

extension ModelShape {
    /// The shape of a part, with the models that it needs in the order of this shape.
    package func part(_ root: Shape) -> ModelShape {
        var names: Set<String> = []
        var open = [root]
        while let shape = open.popLast() {
            switch shape {
            case .array(let inner), .dictionary(let inner): open.append(inner)
            case .object(let fields): open += fields.map(\.shape)
            case .union(let shapes): open += shapes
            case .model(let name): if names.insert(name).inserted, let model = model(name) { open.append(model.shape) }
            case .scalar, .values, .null, .any: break
            }
        }
        return ModelShape(root: root, models: models.filter { names.contains($0.name) })
    }
}
