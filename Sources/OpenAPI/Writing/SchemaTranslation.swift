import JSONText

/// Translates the keywords of a schema from any version of OpenAPI to OpenAPI 3.1 (JSON Schema 2020-12).
///
///     OpenAPI 3.0 and Swagger 2.0                    OpenAPI 3.1
///     type: string, nullable: true                   type: [string, null]
///     minimum: 0, exclusiveMinimum: true             exclusiveMinimum: 0
///     type: file                                     type: string, format: binary
///     discriminator: kind                            discriminator: {propertyName: kind}
struct SchemaTranslation {
    /// A keyword of OpenAPI 3.1 with its value.
    typealias Keyword = (key: String, value: Value)

    /// The value of a keyword. The schemas in it are not translated yet.
    enum Value {
        /// A value without schemas.
        case plain(JSONValue)
        case schema(JSONValue)
        case schemas([JSONValue])
        case namedSchemas([(key: String, value: JSONValue)])
        /// The text of a `$ref`.
        case reference(String)
        /// A Discriminator Object: the name of the member, and the references to alternatives by the member's texts.
        case discriminator(member: String, mapping: [(key: String, value: JSONValue)])
    }

    /// The keywords whose values are schemas (JSON Schema 2020-12, sections 10 and 11).
    private static let schemaKeywords: Set<String> = [
        "additionalProperties", "not", "items", "contains", "propertyNames", "if", "then", "else", "unevaluatedItems",
        "unevaluatedProperties", "contentSchema",
    ]
    /// The keywords whose values are lists of schemas.
    private static let schemaListKeywords: Set<String> = ["allOf", "anyOf", "oneOf", "prefixItems"]
    /// The keywords whose values are objects with a schema for each name.
    private static let schemaMapKeywords: Set<String> = ["properties", "patternProperties", "dependentSchemas"]
    /// The keywords that are left out. Named schemas become components, so no schema needs definitions of its own. The
    /// identifier `$id` would change the meaning of relative references.
    private static let omittedKeywords: Set<String> = ["$schema", "$id", "$defs", "definitions"]
    /// The members of a parameter of Swagger 2.0 that are not part of its schema.
    private static let parameterMembers: Set<String> = [
        "name", "in", "required", "collectionFormat", "allowEmptyValue",
    ]
    /// The types of JSON Schema (JSON Schema Validation 2020-12, section 6.1.1).
    private static let typeNames: Set<String> = [
        "array", "boolean", "integer", "null", "number", "object", "string",
    ]

    private let schema: JSONValue
    private let version: any DocumentVersion

    /// Creates the translation of a schema.
    ///
    /// - Parameters:
    ///   - schema: An object with keywords.
    ///   - version: The version of the document that holds the schema.
    init(_ schema: JSONValue, version: any DocumentVersion) {
        self.schema = schema
        self.version = version
    }

    /// The translated keywords in the order of the schema.
    ///
    /// OpenAPI 3.0 ignores keywords beside a `$ref`, and OpenAPI 3.1 does not. So they are left out.
    var keywords: [Keyword] {
        let isReference = schema["$ref"]?.string != nil
        var keywords: [Keyword] = []
        for (key, value) in schema.members ?? [] where !Self.omittedKeywords.contains(key) {
            if isParameter, Self.parameterMembers.contains(key) { continue }
            let isKeyword = SchemaKeyword(key, in: version.dialect) != nil
            if isReference, isKeyword, key != "$ref", !version.dialect.hasReferenceSiblings { continue }
            keywords += translate(key, value: value)
        }
        return keywords
    }

    /// Whether the schema is a parameter of Swagger 2.0. Parameters have the keywords of their schema themselves.
    private var isParameter: Bool { version is Swagger2 && schema["in"]?.string != nil && schema["name"] != nil }

    /// Translates one keyword.
    ///
    /// - Returns: The keywords of OpenAPI 3.1: usually one, two for `type: file`, and none for an invalid value or for
    ///   a keyword such as `nullable` that becomes a part of another one.
    private func translate(_ key: String, value: JSONValue) -> [Keyword] {
        if Self.schemaKeywords.contains(key) { return translateSubschema(key, value: value) }
        if Self.schemaListKeywords.contains(key) {
            let schemas = value.elements ?? []
            return schemas.isEmpty ? [] : [(key, .schemas(schemas))]
        }
        if Self.schemaMapKeywords.contains(key) {
            guard let namedSchemas = value.members else { return [] }
            return [(key, .namedSchemas(namedSchemas))]
        }
        if version.dialect.nullableKeys.contains(key) { return translateNullable(value) }
        switch key {
        case "$ref":
            guard let reference = value.string else { return [] }
            return [(key, .reference(reference))]
        case "type": return translateType(value)
        case "required": return translateRequired(value)
        case "enum": return value.kind == .array ? [(key, .plain(value))] : []
        case "examples": return value.kind == .array ? [(key, .plain(value.withoutSecrets))] : []
        case "discriminator": return translateDiscriminator(value)
        case "minimum": return translateBound(key, value: value, exclusiveKey: "exclusiveMinimum")
        case "maximum": return translateBound(key, value: value, exclusiveKey: "exclusiveMaximum")
        // A boolean makes the bound beside it exclusive. `translateBound` translates both.
        case "exclusiveMinimum", "exclusiveMaximum": return value.kind == .number ? [(key, .plain(value))] : []
        // An example may be a copy of a real response, which may contain credentials.
        case "example", "default", "x-example": return [(key, .plain(value.withoutSecrets))]
        // Any other keyword, such as `maxLength` or `title`, means the same in all versions.
        default: return [(key, .plain(value))]
        }
    }

    /// Translates a keyword whose value is a schema.
    ///
    ///     items: A           →  items: A
    ///     items: [A, B]      →  prefixItems: [A, B], items: {}
    ///
    /// Before JSON Schema 2020-12, a list in `items` described the first elements of an array. Further elements could
    /// be any JSON.
    private func translateSubschema(_ key: String, value: JSONValue) -> [Keyword] {
        guard key == "items", let firstSchemas = value.elements else { return [(key, .schema(value))] }
        let furtherItems: Keyword = (key, .schema([:]))
        return firstSchemas.isEmpty ? [furtherItems] : [("prefixItems", .schemas(firstSchemas)), furtherItems]
    }

    // MARK: Types

    /// The types that the schema allows, without repetitions. Unknown types are left out, and `file` becomes `string`.
    private var types: [String] {
        guard let type = schema["type"] else { return [] }
        let names = (type.elements ?? [type]).compactMap(\.string).map { $0 == "file" ? "string" : $0 }
        return names.filter(Self.typeNames.contains).withoutRepetitions
    }

    /// Whether a keyword of older versions allows null.
    private var isNullable: Bool { version.dialect.nullableKeys.contains { schema[$0]?.bool == true } }

    /// Translates the keyword `type`.
    ///
    ///     type: string                     →  type: string
    ///     type: string, nullable: true     →  type: [string, null]
    ///     type: file                       →  type: string, format: binary
    ///     type: unknown                    →  no keyword
    private func translateType(_ value: JSONValue) -> [Keyword] {
        var names = types
        if names.isEmpty { return [] }
        if isNullable, !names.contains("null") { names.append("null") }
        // One type is written as a name, and several as a list.
        let nameValues = names.map { JSONValue($0) }
        let typeValue = nameValues.count == 1 ? nameValues[0] : JSONValue(nameValues)
        var keywords: [Keyword] = [("type", .plain(typeValue))]
        let needsFormat = value.string == "file" && schema["format"] == nil
        if needsFormat { keywords.append(("format", .plain("binary"))) }
        return keywords
    }

    /// Translates the keyword `nullable`, if the schema has no types. Otherwise `translateType(_:)` translates it.
    ///
    /// Without types, `nullable` has no effect (OpenAPI 3.0.3, section 4.7.24.1). It is kept as it is.
    private func translateNullable(_ value: JSONValue) -> [Keyword] {
        value.bool == true && types.isEmpty ? [("nullable", .plain(true))] : []
    }

    /// Translates the keyword `minimum` or `maximum`.
    ///
    ///     minimum: 0                              →  minimum: 0
    ///     minimum: 0, exclusiveMinimum: true      →  exclusiveMinimum: 0
    ///
    /// - Parameters:
    ///   - key: The keyword.
    ///   - value: The value of the keyword. A value that is not a number is left out.
    ///   - exclusiveKey: The keyword of the exclusive bound.
    private func translateBound(_ key: String, value: JSONValue, exclusiveKey: String) -> [Keyword] {
        guard value.kind == .number else { return [] }
        let isExclusive = schema[exclusiveKey]?.bool == true
        return [(isExclusive ? exclusiveKey : key, .plain(value))]
    }

    // MARK: Objects

    /// Translates the keyword `required`. A repeated name is left out, because JSON Schema does not allow it.
    private func translateRequired(_ value: JSONValue) -> [Keyword] {
        guard let names = value.elements?.compactMap(\.string) else { return [] }
        return [("required", .plain(JSONValue(names.withoutRepetitions.map { JSONValue($0) })))]
    }

    /// Translates the keyword `discriminator`.
    ///
    ///     discriminator: kind                      →  discriminator: {propertyName: kind} (Swagger 2.0)
    ///     discriminator: {propertyName: kind}      →  discriminator: {propertyName: kind}
    ///     discriminator: {}                        →  no keyword
    private func translateDiscriminator(_ value: JSONValue) -> [Keyword] {
        guard let member = value["propertyName"]?.string ?? value.string else { return [] }
        let mapping = value["mapping"]?.members?.filter { $0.value.string != nil } ?? []
        return [("discriminator", .discriminator(member: member, mapping: mapping))]
    }
}
