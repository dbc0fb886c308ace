import JSONText

extension OpenAPIDocument {
    /// The most alternatives in the schema of a file. It bounds the time, because each alternative is read. People
    /// write two alternatives, a file and null.
    private static var maxAlternatives: Int { 16 }
    /// The most levels of alternatives around a file. It ends the recursion for a schema that is its own alternative.
    private static var maxDepth: Int { 2 }

    /// Whether the values of a schema are the bytes of files. A form field with this schema is a file.
    ///
    /// Three kinds of schemas are files:
    ///
    /// - strings with `format: binary`,
    /// - strings with a `contentMediaType` that is neither JSON nor text, and without `contentEncoding`,
    /// - `type: file` of Swagger 2.0.
    ///
    /// A schema with alternatives is a file if each of them is a file or null.
    package func isFile(_ schema: JSONValue) -> Bool { isFile(schema, depth: 0) }

    /// Whether the schema of a body allows nothing but strings. Forms and sequences of items are not strings.
    func isString(_ schema: BodySchema?) -> Bool {
        guard case .schema(let schema)? = schema else { return false }
        return schemas.keywords(ofAll: [schema]).types == ["string"]
    }

    /// Whether the values of a schema are lists of files. A form field with this schema may have several files.
    package func isListOfFiles(_ schema: JSONValue) -> Bool {
        let keywords = schemas.keywords(ofAll: [schema])
        guard keywords.types == nil || keywords.types == ["array"], let items = keywords.items else { return false }
        return isFile(items)
    }

    /// Whether the values of a schema are the bytes of files.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - depth: The number of levels of alternatives around the schema.
    private func isFile(_ schema: JSONValue, depth: Int) -> Bool {
        let keywords = schemas.keywords(ofAll: [schema])
        // The schema of a file has the type `string` alone, or no type.
        if keywords.isFile { return keywords.types == nil || keywords.types == ["string"] }
        guard let alternatives = keywords.alternatives, alternatives.count <= Self.maxAlternatives else { return false }
        guard depth < Self.maxDepth else { return false }
        let alternativesOtherThanNull = alternatives.filter { schemas.keywords(ofAll: [$0]).types != ["null"] }
        if alternativesOtherThanNull.isEmpty { return false }
        return alternativesOtherThanNull.allSatisfy { isFile($0, depth: depth + 1) }
    }
}
