/// A keyword of a schema that says something about values.
enum SchemaKeyword {
    case reference, allOf, alternatives, discriminator
    case type, format, contentEncoding, contentMediaType, enumeration, constant, nullable, bound
    case properties, required, additionalProperties, patternProperties, items
    /// A keyword that narrows values in a way that a shape can't express.
    case ignored

    private static let keywords: [String: SchemaKeyword] = [
        "$ref": .reference, "allOf": .allOf, "oneOf": .alternatives, "anyOf": .alternatives,
        "discriminator": .discriminator, "type": .type, "format": .format, "contentEncoding": .contentEncoding,
        "contentMediaType": .contentMediaType, "enum": .enumeration, "const": .constant, "minimum": .bound,
        "maximum": .bound, "exclusiveMinimum": .bound, "exclusiveMaximum": .bound, "properties": .properties,
        "required": .required, "additionalProperties": .additionalProperties,
        "patternProperties": .patternProperties, "items": .items,
    ]

    /// The keywords that a shape can't express (JSON Schema 2020-12, and the older drafts of OpenAPI 3.0).
    private static let ignoredKeywords: Set<String> = [
        "not", "if", "then", "else", "$dynamicRef", "$recursiveRef",
        "minLength", "maxLength", "pattern", "multipleOf", "contentSchema",
        "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "prefixItems",
        "additionalItems", "unevaluatedItems",
        "minProperties", "maxProperties", "propertyNames", "dependentRequired", "dependentSchemas", "dependencies",
        "unevaluatedProperties",
    ]

    /// Makes the keyword of a member of a schema.
    ///
    /// - Parameters:
    ///   - key: The key of the member.
    ///   - dialect: The dialect of the document, which knows the keywords that allow null.
    /// - Returns: Nil for annotations such as `title`, which say nothing about values, and for unknown members.
    init?(_ key: String, _ dialect: SchemaDialect) {
        if let keyword = Self.keywords[key] {
            self = keyword
        } else if Self.ignoredKeywords.contains(key) {
            self = .ignored
        } else if dialect.nullableKeys.contains(key) {
            self = .nullable
        } else {
            return nil
        }
    }
}
