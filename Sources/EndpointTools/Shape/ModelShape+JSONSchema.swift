import EndpointKit
import JSONText

extension ModelShape {
    /// The shape as JSON Schema, draft 2020-12 (json-schema.org/draft/2020-12).
    package func jsonSchema(_ use: SchemaWriter.Use) -> JSONValue {
        let names = Dictionary(
            zip(models.map(\.name), models.map { Self.writtenName($0.name) }.numbered("_"))
        ) { first, _ in first }
        let writer = SchemaWriter(use) { "#/$defs/" + (names[$0] ?? $0) }
        var members: [(String, JSONValue)] = [("$schema", "https://json-schema.org/draft/2020-12/schema")]
        members += writer.members(self)
        let definitions = models.map { (names[$0.name] ?? $0.name, writer.schema($0.shape)) }
        if !models.isEmpty { members.append(("$defs", JSONValue(definitions))) }
        return JSONValue(members)
    }
}

extension ModelShape {
    /// A model's name with generic arguments written out, which is safe in a JSON pointer and in a URL: `PageOfMovie`.
    package static func writtenName(_ name: String) -> String {
        let words = [
            ("[String: ", "DictionaryOf"), ("[", "ListOf"), ("]", ""), ("<", "Of"), (", ", "And"), (">", ""),
            ("?", "OrNull"), (" ", ""),
        ]
        let name = words.reduce(name) { $0.replacingBytes(of: $1.0, with: $1.1) }
        return String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    }
}

/// Writes shapes as JSON Schema, draft 2020-12, in the part of it that OpenAPI shares.
///
/// Formats are named as annotations.
package struct SchemaWriter {
    /// Which values a schema is for.
    package enum Use: Sendable {
        /// What a server sends: keys that the model does not ask for are allowed, as they are to the decoder, and null in place of what may be absent.
        case response
        /// What is sent: unknown keys are refused, and null where a value is optional.
        case request
    }

    private let use: Use
    private let model: (String) -> [(String, JSONValue)]

    /// `reference` is the URI of a model's schema.
    package init(_ use: Use, reference: @escaping (_ model: String) -> String) {
        self.init(use, model: { [("$ref", JSONValue(reference($0)))] })
    }

    /// `model` gives the members of a model's schema.
    package init(_ use: Use, model: @escaping (_ name: String) -> [(String, JSONValue)]) {
        (self.use, self.model) = (use, model)
    }

    package func schema(_ shape: Shape) -> JSONValue { JSONValue(members(shape)) }

    /// The schema's members; none for a shape that any JSON has.
    package func members(_ shape: Shape) -> [(String, JSONValue)] {
        switch shape {
        case .any: []
        case .null: [("type", "null")]
        case .scalar(let scalar): members(scalar)
        case .values(let values): members(values)
        case .array(let element): [("type", "array"), ("items", schema(element))]
        case .dictionary(let element): [("type", "object"), ("additionalProperties", schema(element))]
        case .model(let name): model(name)
        case .nullable(let shape): members(nullable: shape)
        case .variants, .alternatives: members(alternatives: alternatives(shape))
        case .object(let fields):
            members(fields) + (use == .request ? [("additionalProperties", false)] : [])
        }
    }

    /// The members of a whole document's schema.
    package func members(_ shape: ModelShape) -> [(String, JSONValue)] {
        if shape.isOfParameters, case .object(let fields) = shape.root { return members(fields, nullable: true) }
        return members(shape.root)
    }

    private func members(_ values: [JSONValue]) -> [(String, JSONValue)] {
        if values.count == 1 { return [("const", values[0])] }
        let known = values.filter { !$0.isNull }
        let type: JSONValue =
            known.allSatisfy { $0.string != nil }
            ? "string" : known.allSatisfy { $0.integer(Int.self) != nil } ? "integer" : "number"
        return [("type", values.contains(.null) ? [type, "null"] : type), ("enum", JSONValue(values))]
    }

    private func members(_ scalar: Shape.Scalar) -> [(String, JSONValue)] {
        switch scalar {
        case .integer(let bounds):
            let (lower, upper) = (bounds?.lowerBound ?? .min, bounds?.upperBound ?? .max)
            return [("type", "integer")] + (upper == .max ? [("format", "int64")] : [])
                + (lower == .min ? [] : [("minimum", JSONValue(lower))])
                + (upper == .max ? [] : [("maximum", JSONValue(upper))])
        case .number(let bounds):
            let known = [("minimum", bounds?.lowerBound), ("maximum", bounds?.upperBound)]
            return [("type", "number")]
                + known.compactMap { name, bound in
                    guard let bound, bound.isFinite else { return nil }
                    return (name, Int(exactly: bound).map { JSONValue($0) } ?? JSONValue(bound))
                }
        case .boolean, .string: return [("type", JSONValue(scalar.name))]
        case .url: return [("type", "string"), ("format", "uri-reference")]
        case .uuid: return [("type", "string"), ("format", "uuid")]
        case .date: return [("type", "string"), ("format", "date-time")]
        case .data: return [("type", "string"), ("contentEncoding", "base64")]
        }
    }

    /// The members of an object's schema; `nullable` are fields that may be null if they may be absent.
    private func members(_ fields: [Shape.Field], nullable: Bool? = nil) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [("type", "object")]
        if !fields.isEmpty {
            let properties = fields.map { field in
                let isNullable = field.isOptional && nullable ?? (use != .request)
                return (field.key, schema(isNullable ? field.shape.orNull : field.shape))
            }
            members.append(("properties", JSONValue(properties)))
        }
        let required = fields.filter { !$0.isOptional }
        if !required.isEmpty { members.append(("required", JSONValue(required.map { JSONValue($0.key) }))) }
        return members
    }

    /// Whether a string must have a format to be accepted, which generators of values know only beside a single type.
    private func hasFormat(_ shape: Shape) -> Bool {
        use == .request && [.scalar(.url), .scalar(.uuid), .scalar(.date)].contains(shape)
    }

    private func members(nullable shape: Shape) -> [(String, JSONValue)] {
        switch shape {
        case .scalar(let scalar) where !hasFormat(shape):
            var members = members(scalar)
            members[0].1 = [members[0].1, "null"]
            return members
        case .values(let values): return members(values + [.null])
        default: return members(alternatives: alternatives(shape) + [.null])
        }
    }

    /// The shapes that each have a schema of their own in the list of alternatives.
    private func alternatives(_ shape: Shape) -> [Shape] {
        switch shape {
        case .alternatives(let shapes): shapes.flatMap(alternatives)
        case .variants(let fields):
            fields.map { .object([Shape.Field(key: $0.key, shape: $0.shape, isOptional: false)]) }
        default: [shape]
        }
    }

    private func members(alternatives shapes: [Shape]) -> [(String, JSONValue)] {
        // Schemas of which a value may fit several are no alternatives.
        let kinds = shapes.map(\.kind)
        let isExact =
            Set(kinds).count == kinds.count
            && !kinds.contains { kind in kinds.contains { $0 != kind && ($0.isEmpty || $0.hasPrefix(kind + ".")) } }
        return [(isExact ? "oneOf" : "anyOf", JSONValue(shapes.map(schema)))]
    }
}

extension Shape {
    /// The same values, and null.
    fileprivate var orNull: Shape {
        switch self {
        case .any, .null, .nullable: self
        default: .nullable(self)
        }
    }

    /// Which values have the shape: those of two shapes differ if their kinds do, and neither is the start of the other; empty for any.
    fileprivate var kind: String {
        switch self {
        case .scalar(.boolean): "boolean"
        case .scalar(.integer), .scalar(.number): "number"
        case .scalar: "string"
        case .values(let values): values.first?.string == nil ? "number" : "string"
        case .array: "array"
        case .object(let fields) where fields.count == 1 && !fields[0].isOptional: "object." + fields[0].key
        case .dictionary, .object, .model: "object"
        case .null: "null"
        case .nullable, .variants, .alternatives, .any: ""
        }
    }
}
