import JSONText

/// A schema of any version with the keywords of OpenAPI 3.1, whose schemas are those of JSON Schema 2020-12.
///
///     OpenAPI 3.0 and Swagger 2.0                    OpenAPI 3.1
///     type: string, nullable: true                   type: [string, null]
///     minimum: 0, exclusiveMinimum: true             exclusiveMinimum: 0
///     type: file                                     type: string, format: binary
///     discriminator: kind                            discriminator: {propertyName: kind}
struct SchemaTranslation {
    /// The value of a keyword.
    enum Value {
        /// A value without schemas.
        case plain(JSONValue)
        case schema(JSONValue)
        case schemas([JSONValue])
        case namedSchemas([(key: String, value: JSONValue)])
        /// The text of a `$ref`.
        case reference(String)
        /// The name of the member that tells alternatives apart, and the references of the alternatives by the texts of
        /// that member.
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
    /// The keywords that are left out. Named schemas become components, so they are not defined inside of others. An
    /// identifier would change what references are relative to.
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

    /// Prepares to translate a schema.
    ///
    /// - Parameters:
    ///   - schema: An object with keywords.
    ///   - version: The version of the document that holds the schema.
    init(_ schema: JSONValue, _ version: any DocumentVersion) {
        self.schema = schema
        self.version = version
    }

    /// The keywords with their values, in the order of the schema.
    ///
    /// Keywords beside a `$ref` are left out if the version ignores them, as OpenAPI 3.0 does. Otherwise they would
    /// begin to count in OpenAPI 3.1.
    var keywords: [(key: String, value: Value)] {
        let isReference = schema["$ref"]?.string != nil
        var keywords: [(key: String, value: Value)] = []
        for (key, value) in schema.members ?? [] where !Self.omittedKeywords.contains(key) {
            if isParameter, Self.parameterMembers.contains(key) { continue }
            let isKeyword = SchemaKeyword(key, version.dialect) != nil
            if isReference, isKeyword, key != "$ref", !version.dialect.hasReferenceSiblings { continue }
            keywords += translated(key, value)
        }
        return keywords
    }

    /// Whether the schema is a parameter of Swagger 2.0, which is its own schema.
    private var isParameter: Bool { version is Swagger2 && schema["in"]?.string != nil && schema["name"] != nil }

    /// Returns the keywords that a keyword becomes in OpenAPI 3.1.
    ///
    /// - Returns: Usually one keyword. Two for a list of schemas in `items` and for `type: file`. None if the value
    ///   can't be used, or if another keyword expresses it.
    private func translated(_ key: String, _ value: JSONValue) -> [(key: String, value: Value)] {
        if Self.schemaKeywords.contains(key) { return subschema(key, value) }
        if Self.schemaListKeywords.contains(key) {
            let schemas = value.elements ?? []
            return schemas.isEmpty ? [] : [(key, .schemas(schemas))]
        }
        if Self.schemaMapKeywords.contains(key) { return value.members.map { [(key, .namedSchemas($0))] } ?? [] }
        if version.dialect.nullableKeys.contains(key) { return nullable(value) }
        switch key {
        case "$ref": return value.string.map { [(key, .reference($0))] } ?? []
        case "type": return type(value)
        case "required": return required(value)
        case "enum": return value.kind == .array ? [(key, .plain(value))] : []
        case "examples": return value.kind == .array ? [(key, .plain(value.withoutSecrets))] : []
        case "discriminator": return discriminator(value)
        case "minimum": return bound(key, value, exclusiveKey: "exclusiveMinimum")
        case "maximum": return bound(key, value, exclusiveKey: "exclusiveMaximum")
        // A boolean is left out, because it turns the bound beside it into an exclusive one. `bound` does that.
        case "exclusiveMinimum", "exclusiveMaximum": return value.kind == .number ? [(key, .plain(value))] : []
        // People paste real responses as examples, and these may hold credentials.
        case "example", "default", "x-example": return [(key, .plain(value.withoutSecrets))]
        // Any other keyword, such as `maxLength` or `title`, means the same in all versions.
        default: return [(key, .plain(value))]
        }
    }

    /// Returns the keywords for a keyword whose value is a schema.
    ///
    /// Before JSON Schema 2020-12, a list of schemas in `items` described the first elements of an array, after which
    /// there could be any others: `items: [A, B]` becomes `prefixItems: [A, B], items: {}`.
    private func subschema(_ key: String, _ value: JSONValue) -> [(key: String, value: Value)] {
        guard key == "items", let schemas = value.elements else { return [(key, .schema(value))] }
        let others: (key: String, value: Value) = (key, .schema([:]))
        return schemas.isEmpty ? [others] : [("prefixItems", .schemas(schemas)), others]
    }

    // MARK: Types

    /// The names of the types that are allowed, each once. Unknown types are left out, and `file` is `string`.
    private var types: [String] {
        guard let type = schema["type"] else { return [] }
        let names = (type.elements ?? [type]).compactMap(\.string).map { $0 == "file" ? "string" : $0 }
        return names.filter(Self.typeNames.contains).grouped { $0 }.map(\.key)
    }

    /// Whether a keyword of older versions allows null.
    private var isNullable: Bool { version.dialect.nullableKeys.contains { schema[$0]?.bool == true } }

    /// Returns `type` with all types, to which null is added if `nullable` allows it, and `format: binary` for a file.
    ///
    /// - Returns: The keywords; none if all types are unknown.
    private func type(_ value: JSONValue) -> [(key: String, value: Value)] {
        var names = types
        if names.isEmpty { return [] }
        if isNullable, !names.contains("null") { names.append("null") }
        let texts = names.map { JSONValue($0) }
        let type: (key: String, value: Value) = ("type", .plain(names.count == 1 ? texts[0] : JSONValue(texts)))
        let isFile = value.string == "file" && schema["format"] == nil
        return isFile ? [type, ("format", .plain("binary"))] : [type]
    }

    /// Returns `nullable` for a schema without types, in which it says nothing to a validator (OpenAPI 3.0.3, section
    /// 4.7.24.1). Otherwise null is one of the types.
    private func nullable(_ value: JSONValue) -> [(key: String, value: Value)] {
        value.bool == true && types.isEmpty ? [("nullable", .plain(true))] : []
    }

    /// Returns a bound, which has the keyword of an exclusive bound if a boolean beside it says so.
    ///
    /// In `minimum: 0, exclusiveMinimum: true` the bound becomes `exclusiveMinimum: 0`.
    ///
    /// - Parameters:
    ///   - key: The keyword of the bound.
    ///   - value: The value of the keyword. A bound that is no number is left out.
    ///   - exclusiveKey: The keyword of the exclusive bound.
    private func bound(_ key: String, _ value: JSONValue, exclusiveKey: String) -> [(key: String, value: Value)] {
        guard value.kind == .number else { return [] }
        let isExclusive = schema[exclusiveKey]?.bool == true
        return [(isExclusive ? exclusiveKey : key, .plain(value))]
    }

    // MARK: Objects

    /// Returns the names of required members, each once, because JSON Schema does not allow repeated names.
    private func required(_ value: JSONValue) -> [(key: String, value: Value)] {
        guard let names = value.elements?.compactMap(\.string) else { return [] }
        return [("required", .plain(JSONValue(names.grouped { $0 }.map { JSONValue($0.key) })))]
    }

    /// Returns a Discriminator Object with its mapping.
    ///
    /// Swagger 2.0 has the name of the member alone, so that `discriminator: kind` becomes
    /// `discriminator: {propertyName: kind}`.
    ///
    /// - Returns: The keyword; none if the value names no member. A mapping to something that is no text is left out.
    private func discriminator(_ value: JSONValue) -> [(key: String, value: Value)] {
        guard let member = value["propertyName"]?.string ?? value.string else { return [] }
        let mapping = value["mapping"]?.members?.filter { $0.value.string != nil } ?? []
        return [("discriminator", .discriminator(member: member, mapping: mapping))]
    }
}
