import EndpointKit
import EndpointTools
import JSONText

/// Writes shapes as JSON Schema, draft 2020-12 (json-schema.org/draft/2020-12), in the part of it that OpenAPI shares.
///
/// Formats of strings are annotations: validators need not know them.
package struct SchemaWriter {
    /// The values that a schema describes.
    package enum Use: Sendable {
        /// Values that a server sends. As the decoder does, the schema allows unknown keys, and null in place of what
        /// may be absent.
        case response
        /// Values that are sent to a server. The schema refuses unknown keys, and null in place of what may be absent.
        case request
    }

    /// The members of a JSON object in their order.
    package typealias Members = [(String, JSONValue)]

    private let use: Use
    /// Returns the members of a model's schema.
    private let model: (_ name: String) -> Members

    /// Creates a writer that refers to the schemas of models.
    ///
    /// - Parameters:
    ///   - use: The values that the schemas describe.
    ///   - reference: Returns the URI of a model's schema.
    package init(_ use: Use, reference: @escaping (_ model: String) -> String) {
        self.init(use, model: { [("$ref", JSONValue(reference($0)))] })
    }

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - use: The values that the schemas describe.
    ///   - model: Returns the members of a model's schema.
    package init(_ use: Use, model: @escaping (_ name: String) -> Members) {
        self.use = use
        self.model = model
    }

    /// Returns the schema of a shape.
    package func schema(_ shape: Shape) -> JSONValue { JSONValue(members(shape)) }

    /// Returns the members of the schema of a whole document, such as the body of a request.
    package func members(_ shape: ModelShape) -> Members {
        if shape.isOfParameters, case .object(let fields) = shape.root {
            // An endpoint ignores unknown keys in its parameters, and null counts as absent.
            return members(fields, allowsNull: true)
        }
        return members(shape.root)
    }

    /// Returns the members of the schema of a shape.
    ///
    /// An array of strings becomes `"type": "array", "items": {"type": "string"}`.
    ///
    /// - Returns: The members; none for a shape that any JSON has, because the schema `{}` allows everything.
    package func members(_ shape: Shape) -> Members {
        switch shape {
        case .any: []
        case .null: [("type", "null")]
        case .scalar(let scalar): members(scalar)
        case .values(let values): members(values)
        case .array(let element): [("type", "array"), ("items", schema(element))]
        case .dictionary(let element): [("type", "object"), ("additionalProperties", schema(element))]
        case .model(let name): model(name)
        case .nullable(let shape): members(nullable: shape)
        case .variants, .alternatives: members(anyOf: Self.alternatives(shape))
        case .open(let fields, let others):
            members(fields, allowsNull: use == .response) + [("additionalProperties", schema(others))]
        case .object(let fields):
            members(fields, allowsNull: use == .response) + (use == .request ? [("additionalProperties", false)] : [])
        }
    }

    // MARK: Single values

    /// Returns the members for an enum of texts or numbers, of which one may be null.
    ///
    ///     "cat"               "const": "cat"
    ///     "cat", null         "type": ["string", "null"], "enum": ["cat", null]
    ///     1, 2                "type": "integer", "enum": [1, 2]
    private func members(_ values: [JSONValue]) -> Members {
        if values.count == 1 { return [("const", values[0])] }
        // The type of the enum is that of its values other than null.
        let known = values.filter { !$0.isNull }
        let type: JSONValue
        if known.allSatisfy({ $0.string != nil }) {
            type = "string"
        } else if known.allSatisfy({ $0.integer(Int.self) != nil }) {
            type = "integer"
        } else {
            type = "number"
        }
        return [("type", values.contains(.null) ? [type, "null"] : type), ("enum", JSONValue(values))]
    }

    /// Returns the members for a single value that is not null.
    private func members(_ scalar: Shape.Scalar) -> Members {
        switch scalar {
        case .integer(let bounds): members(integer: bounds)
        case .number(let bounds): members(number: bounds)
        case .boolean, .string: [("type", JSONValue(scalar.name))]
        // A URL may be relative, which the format `uri` would refuse.
        case .url: [("type", "string"), ("format", "uri-reference")]
        case .uuid: [("type", "string"), ("format", "uuid")]
        case .date: [("type", "string"), ("format", "date-time")]
        case .data: [("type", "string"), ("contentEncoding", "base64")]
        }
    }

    /// Returns the members for integers.
    ///
    /// - Parameter bounds: The least and the greatest integer; nil if all are allowed. `Int.min` and `Int.max` mean
    ///   unbounded.
    private func members(integer bounds: ClosedRange<Int>?) -> Members {
        let lower = bounds?.lowerBound ?? .min
        let upper = bounds?.upperBound ?? .max
        var members: Members = [("type", "integer")]
        // Without the format, generators of code may take 32 bits.
        if upper == .max { members.append(("format", "int64")) }
        if lower != .min { members.append(("minimum", JSONValue(lower))) }
        if upper != .max { members.append(("maximum", JSONValue(upper))) }
        return members
    }

    /// Returns the members for numbers. A bound that is infinite is left out, and a whole number is written without a
    /// fraction.
    private func members(number bounds: ClosedRange<Double>?) -> Members {
        var members: Members = [("type", "number")]
        for (name, bound) in [("minimum", bounds?.lowerBound), ("maximum", bounds?.upperBound)] {
            guard let bound, bound.isFinite else { continue }
            members.append((name, Int(exactly: bound).map { JSONValue($0) } ?? JSONValue(bound)))
        }
        return members
    }

    // MARK: Objects and alternatives

    /// Returns the members for an object.
    ///
    /// - Parameters:
    ///   - fields: The fields of the object.
    ///   - allowsNull: Whether a field that may be absent may also be null.
    private func members(_ fields: [Shape.Field], allowsNull: Bool) -> Members {
        var members: Members = [("type", "object")]
        if !fields.isEmpty {
            let properties = fields.map { field in
                let mayBeNull = field.isOptional && allowsNull
                return (field.key, schema(mayBeNull ? field.shape.orNull : field.shape))
            }
            members.append(("properties", JSONValue(properties)))
        }
        let required = fields.filter { !$0.isOptional }
        if !required.isEmpty { members.append(("required", JSONValue(required.map { JSONValue($0.key) }))) }
        return members
    }

    /// Returns the members for null and the values of a shape: a list of two types if the shape has one type, else two
    /// alternatives.
    private func members(nullable shape: Shape) -> Members {
        switch shape {
        case .scalar(let scalar) where !needsFormat(scalar):
            // The type is the first member.
            var members = members(scalar)
            members[0].1 = [members[0].1, "null"]
            return members
        case .values(let values):
            return members(values + [.null])
        default:
            return members(anyOf: Self.alternatives(shape) + [.null])
        }
    }

    /// Whether a string must have a format to be accepted, as URLs, UUIDs and dates must when they are sent.
    ///
    /// Such a string is not written with a list of types, because generators of values know a format only beside a
    /// single type.
    private func needsFormat(_ scalar: Shape.Scalar) -> Bool {
        use == .request && [.url, .uuid, .date].contains(scalar)
    }

    /// Returns the members for values of one of several shapes: `oneOf` if no value can have two of them, else `anyOf`.
    ///
    /// A validator refuses a value that matches two schemas of `oneOf`, so `oneOf` is used only where kinds can't
    /// overlap.
    private func members(anyOf shapes: [Shape]) -> Members {
        let kinds = shapes.map(\.kind)
        let hasRepetition = Set(kinds).count < kinds.count
        // A kind overlaps with each kind that begins with it, and the empty kind overlaps with all.
        let overlaps = kinds.contains { kind in
            kinds.contains { $0 != kind && ($0.isEmpty || $0.hasPrefix(kind + ".")) }
        }
        return [(hasRepetition || overlaps ? "anyOf" : "oneOf", JSONValue(shapes.map(schema)))]
    }

    /// Returns the shapes that have schemas of their own in a list of alternatives.
    ///
    /// Nested alternatives become one list. Each variant of a Swift enum becomes an object with one member, whose key
    /// is the name of the case: `{"created": …}`.
    private static func alternatives(_ shape: Shape) -> [Shape] {
        switch shape {
        case .alternatives(let shapes): shapes.flatMap(alternatives)
        case .variants(let fields):
            fields.map { .object([Shape.Field(key: $0.key, shape: $0.shape, isOptional: false)]) }
        default: [shape]
        }
    }
}

extension Shape {
    /// The shape of the same values, and null.
    fileprivate var orNull: Shape {
        switch self {
        case .any, .null, .nullable: self
        default: .nullable(self)
        }
    }

    /// The kind of values that have the shape; empty for any kind.
    ///
    /// No value has two shapes if their kinds differ and neither is a start of the other: `object` and
    /// `object.created` overlap.
    fileprivate var kind: String {
        switch self {
        case .scalar(.boolean): "boolean"
        case .scalar(.integer), .scalar(.number): "number"
        case .scalar: "string"
        case .values(let values): values.first?.string == nil ? "number" : "string"
        case .array: "array"
        case .object(let fields) where fields.count == 1 && !fields[0].isOptional: "object." + fields[0].key
        case .dictionary, .object, .open, .model: "object"
        case .null: "null"
        case .nullable, .variants, .alternatives, .any: ""
        }
    }
}

extension ModelShape {
    /// Returns the shape as a JSON Schema with the models under `$defs`.
    ///
    /// Generic arguments in the names of models are written out, as in `PageOfMovie`, and names that become equal are
    /// numbered.
    ///
    /// - Parameter use: Whether the values are sent or received.
    package func jsonSchema(_ use: SchemaWriter.Use) -> JSONValue {
        let safeNames = models.map { Self.writtenName($0.name) }.numbered("_")
        let names = Dictionary(zip(models.map(\.name), safeNames)) { first, _ in first }
        let writer = SchemaWriter(use) { "#/$defs/" + (names[$0] ?? $0) }
        var members: SchemaWriter.Members = [("$schema", "https://json-schema.org/draft/2020-12/schema")]
        members += writer.members(self)
        let definitions = models.map { (names[$0.name] ?? $0.name, writer.schema($0.shape)) }
        if !models.isEmpty { members.append(("$defs", JSONValue(definitions))) }
        return JSONValue(members)
    }

    /// Returns a model's name with generic arguments written out, so that it is safe in a JSON pointer and in a URL.
    ///
    /// `Page<Movie>` becomes `PageOfMovie`, and `[Movie]?` becomes `ListOfMovieOrNull`. Any other character that is not
    /// safe becomes `_`.
    package static func writtenName(_ name: String) -> String {
        let words = [
            ("[String: ", "DictionaryOf"), ("[", "ListOf"), ("]", ""), ("<", "Of"), (", ", "And"), (">", ""),
            ("?", "OrNull"), (" ", ""),
        ]
        let name = words.reduce(name) { $0.replacingBytes(of: $1.0, with: $1.1) }
        return String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    }
}
