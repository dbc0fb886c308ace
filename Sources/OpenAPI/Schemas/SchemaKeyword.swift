/// A keyword of a schema that narrows the values which the schema allows.
enum SchemaKeyword {
    case reference, allOf, alternatives, discriminator
    case type, format, contentEncoding, contentMediaType, enumeration, constant, nullable, bound
    case properties, required, additionalProperties, patternProperties, items
    /// A keyword that a shape can't express, such as `pattern`.
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

    /// Creates the keyword with a key in a schema.
    ///
    /// - Parameters:
    ///   - key: The key, such as `oneOf`.
    ///   - dialect: The dialect of the document. It has keywords that allow null, such as `nullable`.
    /// - Returns: The keyword. Nil for annotations such as `title`, which do not narrow the values, and for unknown
    ///   keys.
    init?(_ key: String, in dialect: SchemaDialect) {
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
