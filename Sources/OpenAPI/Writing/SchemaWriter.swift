import EndpointKit
import EndpointTools
import JSONText

/// Writes shapes as schemas of JSON Schema 2020-12 (json-schema.org/draft/2020-12), which OpenAPI 3.1 uses too.
package struct SchemaWriter {
    /// The values that a schema describes.
    package enum Use: Sendable {
        /// Values that a server sends. Like the decoder, the schema allows unknown keys, and null for optional
        /// members.
        case response
        /// Values that are sent to a server. The schema allows neither unknown keys nor null for optional members.
        case request
    }

    /// The members of a JSON object in their order.
    package typealias Members = [(String, JSONValue)]

    private let use: Use
    /// Returns the members of the schema that stands for a model, such as a `$ref`.
    private let model: (_ name: String) -> Members

    /// Creates a writer that writes a `$ref` for each model.
    ///
    /// - Parameters:
    ///   - use: The values that the schemas describe.
    ///   - reference: Returns the text of the `$ref`, such as `#/components/schemas/Pet`.
    package init(_ use: Use, reference: @escaping (_ model: String) -> String) {
        self.init(use, model: { [("$ref", JSONValue(reference($0)))] })
    }

    /// Creates a writer that writes each model in a way of the caller.
    ///
    /// - Parameters:
    ///   - use: The values that the schemas describe.
    ///   - model: Returns the members of the schema that stands for a model.
    package init(_ use: Use, model: @escaping (_ name: String) -> Members) {
        self.use = use
        self.model = model
    }

    /// Returns the schema of a shape.
    package func schema(_ shape: Shape) -> JSONValue { JSONValue(keywords(of: shape)) }

    /// Returns the keywords of the schema of a whole value, such as the body of a request.
    package func keywords(of shape: ModelShape) -> Members {
        if shape.isOfParameters, case .object(let fields) = shape.root {
            // An endpoint ignores unknown parameters, and treats null like a missing value.
            return objectKeywords(fields, allowsNull: true)
        }
        return keywords(of: shape.root)
    }

    /// Returns the keywords of the schema of a shape.
    ///
    ///     a list of strings    →  "type": "array", "items": {"type": "string"}
    ///     any JSON             →  no keywords, because the schema `{}` allows everything
    package func keywords(of shape: Shape) -> Members {
        switch shape {
        case .any: []
        case .null: [("type", "null")]
        case .scalar(let scalar): scalarKeywords(scalar)
        case .values(let values): enumKeywords(values)
        case .array(let element): [("type", "array"), ("items", schema(element))]
        case .dictionary(let element): [("type", "object"), ("additionalProperties", schema(element))]
        case .model(let name): model(name)
        case .nullable(let shape): nullableKeywords(shape)
        case .variants, .alternatives: unionKeywords(Self.unionAlternatives(of: shape))
        case .open(let fields, let others):
            objectKeywords(fields, allowsNull: use == .response) + [("additionalProperties", schema(others))]
        case .object(let fields) where use == .request:
            objectKeywords(fields, allowsNull: false) + [("additionalProperties", false)]
        case .object(let fields):
            objectKeywords(fields, allowsNull: true)
        }
    }

    // MARK: Single values

    /// Returns the keywords of a schema that allows some texts or numbers. One of the values may be null.
    ///
    ///     "cat"           →  "const": "cat"
    ///     "cat", null     →  "type": ["string", "null"], "enum": ["cat", null]
    ///     1, 2            →  "type": "integer", "enum": [1, 2]
    private func enumKeywords(_ values: [JSONValue]) -> Members {
        if values.count == 1 { return [("const", values[0])] }
        let valuesOtherThanNull = values.filter { !$0.isNull }
        let typeName: JSONValue
        if valuesOtherThanNull.allSatisfy({ $0.string != nil }) {
            typeName = "string"
        } else if valuesOtherThanNull.allSatisfy({ $0.integer(Int.self) != nil }) {
            typeName = "integer"
        } else {
            typeName = "number"
        }
        let allowsNull = valuesOtherThanNull.count < values.count
        return [("type", allowsNull ? [typeName, "null"] : typeName), ("enum", JSONValue(values))]
    }

    /// Returns the keywords of the schema of a boolean, a number, or a kind of string.
    private func scalarKeywords(_ scalar: Shape.Scalar) -> Members {
        switch scalar {
        case .integer(let bounds): integerKeywords(bounds: bounds)
        case .number(let bounds): numberKeywords(bounds: bounds)
        case .boolean, .string: [("type", JSONValue(scalar.name))]
        // The format `uri` does not allow relative URLs.
        case .url: [("type", "string"), ("format", "uri-reference")]
        case .uuid: [("type", "string"), ("format", "uuid")]
        case .date: [("type", "string"), ("format", "date-time")]
        case .data: [("type", "string"), ("contentEncoding", "base64")]
        }
    }

    /// Returns the keywords of the schema of integers.
    ///
    ///     1...9           →  "type": "integer", "minimum": 1, "maximum": 9
    ///     1...Int.max     →  "type": "integer", "format": "int64", "minimum": 1
    ///     nil             →  "type": "integer", "format": "int64"
    ///
    /// - Parameter bounds: The least and the greatest integer. `Int.min` and `Int.max` mean unbounded.
    private func integerKeywords(bounds: ClosedRange<Int>?) -> Members {
        let lower = bounds?.lowerBound ?? .min
        let upper = bounds?.upperBound ?? .max
        var keywords: Members = [("type", "integer")]
        // Without a format, some code generators choose integers of 32 bits.
        if upper == .max { keywords.append(("format", "int64")) }
        if lower != .min { keywords.append(("minimum", JSONValue(lower))) }
        if upper != .max { keywords.append(("maximum", JSONValue(upper))) }
        return keywords
    }

    /// Returns the keywords of the schema of numbers.
    ///
    ///     0.5...2             →  "type": "number", "minimum": 0.5, "maximum": 2
    ///     0...infinity        →  "type": "number", "minimum": 0
    ///     nil                 →  "type": "number"
    private func numberKeywords(bounds: ClosedRange<Double>?) -> Members {
        var keywords: Members = [("type", "number")]
        for (keyword, bound) in [("minimum", bounds?.lowerBound), ("maximum", bounds?.upperBound)] {
            guard let bound, bound.isFinite else { continue }
            // A whole number is written without a fraction: 2 instead of 2.0.
            let wholeNumber = Int(exactly: bound).map { JSONValue($0) }
            keywords.append((keyword, wholeNumber ?? JSONValue(bound)))
        }
        return keywords
    }

    // MARK: Objects and alternatives

    /// Returns the keywords of the schema of an object: `type`, `properties` and `required`.
    ///
    /// - Parameters:
    ///   - fields: The fields of the object.
    ///   - allowsNull: Whether optional fields may be null.
    private func objectKeywords(_ fields: [Shape.Field], allowsNull: Bool) -> Members {
        var keywords: Members = [("type", "object")]
        if !fields.isEmpty {
            let properties = fields.map { field in
                let mayBeNull = field.isOptional && allowsNull
                return (field.key, schema(mayBeNull ? field.shape.orNull : field.shape))
            }
            keywords.append(("properties", JSONValue(properties)))
        }
        let requiredFields = fields.filter { !$0.isOptional }
        if !requiredFields.isEmpty {
            keywords.append(("required", JSONValue(requiredFields.map { JSONValue($0.key) })))
        }
        return keywords
    }

    /// Returns the keywords of the schema of a nullable shape.
    ///
    ///     a nullable integer    →  "type": ["integer", "null"]
    ///     a nullable model      →  "oneOf": [{"$ref": …}, {"type": "null"}]
    private func nullableKeywords(_ shape: Shape) -> Members {
        switch shape {
        case .scalar(let scalar) where !needsFormat(scalar):
            return scalarKeywords(scalar).map { key, value in (key, key == "type" ? [value, "null"] : value) }
        case .values(let values):
            return enumKeywords(values + [.null])
        default:
            return unionKeywords(Self.unionAlternatives(of: shape) + [.null])
        }
    }

    /// Whether a server refuses strings that do not have the format of the scalar.
    ///
    /// A scalar that needs its format is written with a single type, even if it is nullable. Tools that generate values
    /// only respect a format beside a single type.
    private func needsFormat(_ scalar: Shape.Scalar) -> Bool {
        use == .request && [.url, .uuid, .date].contains(scalar)
    }

    /// Returns the keyword of a schema that allows the values of several shapes: `oneOf` or `anyOf`.
    ///
    ///     string, integer     →  "oneOf": [{"type": "string"}, {"type": "integer"}]
    ///     integer, number     →  "anyOf": [{"type": "integer"}, {"type": "number"}]
    ///
    /// `oneOf` is more precise, but refuses a value that matches two of its schemas. So it is used only if no value
    /// can have two of the shapes.
    private func unionKeywords(_ shapes: [Shape]) -> Members {
        let keyword = Self.mayOverlap(shapes) ? "anyOf" : "oneOf"
        return [(keyword, JSONValue(shapes.map(schema)))]
    }

    /// Whether one value may have two of the shapes.
    private static func mayOverlap(_ shapes: [Shape]) -> Bool {
        let kinds = shapes.compactMap(\.kind)
        // A shape without a kind has values of several kinds, which may be the kinds of the other shapes.
        let hasShapeWithoutKind = kinds.count < shapes.count
        if hasShapeWithoutKind { return shapes.count > 1 }
        let hasRepetition = Set(kinds).count < kinds.count
        if hasRepetition { return true }
        // An object with any members may also be the object with a single member.
        let hasObjectWithSingleMember = kinds.contains { if case .objectWithMember = $0 { true } else { false } }
        return kinds.contains(.object) && hasObjectWithSingleMember
    }

    /// Returns the shapes that a union consists of, each of which gets a schema of its own.
    ///
    /// Each case of a Swift enum with values becomes an object with one member: `{"created": …}` for `.created(…)`.
    private static func unionAlternatives(of shape: Shape) -> [Shape] {
        switch shape {
        case .alternatives(let shapes): shapes.flatMap(unionAlternatives)
        case .variants(let fields):
            fields.map { .object([Shape.Field(key: $0.key, shape: $0.shape, isOptional: false)]) }
        default: [shape]
        }
    }
}

extension Shape {
    /// The nullable form of the shape.
    fileprivate var orNull: Shape {
        switch self {
        case .any, .null, .nullable: self
        default: .nullable(self)
        }
    }

    /// The kinds of values that a schema can tell apart.
    fileprivate enum Kind: Hashable {
        case boolean, number, string, array, object, null
        /// An object whose only member is required. Objects with different members can be told apart.
        case objectWithMember(String)
    }

    /// The kind of values that have the shape; nil for several kinds.
    fileprivate var kind: Kind? {
        switch self {
        case .scalar(.boolean): .boolean
        case .scalar(.integer), .scalar(.number): .number
        case .scalar: .string
        case .values(let values): values.first?.string == nil ? .number : .string
        case .array: .array
        case .object(let fields) where fields.count == 1 && !fields[0].isOptional: .objectWithMember(fields[0].key)
        case .dictionary, .object, .open, .model: .object
        case .null: .null
        case .nullable, .variants, .alternatives, .any: nil
        }
    }
}

extension ModelShape {
    /// Returns the shape as a JSON Schema, with the schemas of its models in `$defs`.
    ///
    /// The names in `$defs` are those of ``writtenName(_:)``. Equal names are numbered.
    ///
    /// - Parameter use: Whether the values are sent or received.
    package func jsonSchema(_ use: SchemaWriter.Use) -> JSONValue {
        let writtenNames = models.map { Self.writtenName($0.name) }.numbered(separator: "_")
        let namesByModel = Dictionary(zip(models.map(\.name), writtenNames), uniquingKeysWith: { first, _ in first })
        let writer = SchemaWriter(use, reference: { model in "#/$defs/" + (namesByModel[model] ?? model) })
        var members: SchemaWriter.Members = [("$schema", "https://json-schema.org/draft/2020-12/schema")]
        members += writer.keywords(of: self)
        let definitions = models.map { model in
            (namesByModel[model.name] ?? model.name, writer.schema(model.shape))
        }
        if !definitions.isEmpty { members.append(("$defs", JSONValue(definitions))) }
        return JSONValue(members)
    }

    /// Returns the name of a Swift type in characters that are safe in a JSON pointer and in a URL.
    ///
    ///     Page<Movie>    →  PageOfMovie
    ///     [Movie]?       →  ListOfMovieOrNull
    ///     Größe          →  Gr__e
    package static func writtenName(_ name: String) -> String {
        // The order matters: `[String: ` begins with the bracket of a list.
        let replacements = [
            ("[String: ", "DictionaryOf"), ("[", "ListOf"), ("]", ""), ("<", "Of"), (", ", "And"), (">", ""),
            ("?", "OrNull"), (" ", ""),
        ]
        var writtenName = name
        for (symbol, word) in replacements { writtenName = writtenName.replacingBytes(of: symbol, with: word) }
        return writtenName.componentName
    }
}
