import JSONText

extension ModelShape {
    /// The shape as JSON Schema, draft 2020-12 (json-schema.org/draft/2020-12). A field that may be absent may be null too.
    ///
    /// Formats are named as annotations; keys that no model asks for are allowed, as they are to the decoder.
    package var jsonSchema: JSONValue {
        let writer = SchemaWriter(models)
        var members: [(String, JSONValue)] = [("$schema", "https://json-schema.org/draft/2020-12/schema")]
        members += writer.members(root)
        if !models.isEmpty { members.append(("$defs", JSONValue(writer.definitions))) }
        return JSONValue(members)
    }
}

/// Writes shapes as schemas.
private struct SchemaWriter {
    private let models: [ModelShape.Model]
    /// By the name of the model: the name of its definition, which is safe in a JSON pointer and in a URL.
    private var names: [String: String] = [:]

    init(_ models: [ModelShape.Model]) {
        self.models = models
        let safe = models.map { model in
            let plain = String(model.name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "_" })
            return plain.hasSuffix("_") ? String(plain.dropLast()) : plain
        }
        for (model, name) in zip(models, safe.numbered("_")) { names[model.name] = name }
    }

    var definitions: [(String, JSONValue)] {
        models.map { (names[$0.name] ?? $0.name, JSONValue(members($0.shape))) }
    }

    private func schema(_ shape: Shape) -> JSONValue { shape == .any ? true : JSONValue(members(shape)) }

    /// The schema's members; none for a shape that any JSON has.
    func members(_ shape: Shape) -> [(String, JSONValue)] {
        switch shape {
        case .any: []
        case .null: [("type", "null")]
        case .scalar(let scalar): members(scalar)
        case .values(let values): [("enum", JSONValue(values))]
        case .array(let element): [("type", "array"), ("items", schema(element))]
        case .dictionary(let element): [("type", "object"), ("additionalProperties", schema(element))]
        case .model(let name): [("$ref", JSONValue("#/$defs/" + (names[name] ?? name)))]
        case .union(let shapes): [("anyOf", JSONValue(shapes.map(schema)))]
        case .object(let fields): members(fields)
        }
    }

    private func members(_ scalar: Shape.Scalar) -> [(String, JSONValue)] {
        switch scalar {
        case .integer(let bounds?):
            [("type", "integer"), ("minimum", JSONValue(bounds.lowerBound))]
                + (bounds.upperBound == .max ? [] : [("maximum", JSONValue(bounds.upperBound))])
        case .boolean, .integer, .number, .string: [("type", JSONValue(scalar.name))]
        case .url: [("type", "string"), ("format", "uri")]
        case .uuid: [("type", "string"), ("format", "uuid")]
        case .date: [("type", "string"), ("format", "date-time")]
        case .data: [("type", "string"), ("contentEncoding", "base64")]
        }
    }

    private func members(_ fields: [Shape.Field]) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [("type", "object")]
        if !fields.isEmpty {
            members.append(("properties", JSONValue(fields.map { ($0.key, property($0)) })))
        }
        let required = fields.filter { !$0.isOptional }
        if !required.isEmpty { members.append(("required", JSONValue(required.map { JSONValue($0.key) }))) }
        return members
    }

    private func property(_ field: Shape.Field) -> JSONValue {
        guard field.isOptional else { return schema(field.shape) }
        switch field.shape {
        case .any: return true
        case .scalar(let scalar):
            var members = members(scalar)
            members[0].1 = [members[0].1, "null"]
            return JSONValue(members)
        case .values(let values): return JSONValue([("enum", JSONValue(values + [.null]))])
        case .union(let shapes):
            return JSONValue(members(shapes.contains(.null) ? field.shape : .union(shapes + [.null])))
        default: return JSONValue(members(.union([field.shape, .null])))
        }
    }
}
