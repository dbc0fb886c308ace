import JSONText

extension OpenAPIDocument {
    /// The most alternatives of a file. People write at most two, a file and null. Each alternative is read, so a limit
    /// bounds the time.
    private static var maxAlternatives: Int { 16 }
    /// The most alternatives around a file. Without a limit, a schema that is its own alternative would never end.
    private static var maxDepth: Int { 2 }

    /// Whether the values of a schema are the bytes of files, so that a field of a form with this schema is a file.
    ///
    /// Three kinds of schemas are files:
    ///
    /// - strings with `format: binary`,
    /// - strings with a `contentMediaType` that is neither JSON nor text, and without `contentEncoding`,
    /// - `type: file` of Swagger 2.0.
    ///
    /// A schema with alternatives is a file if each of them is a file or null.
    package func isFile(_ schema: JSONValue) -> Bool { isFile(schema, depth: 0) }

    /// Whether a schema allows nothing but strings. The schemas of forms and of items never do.
    func isString(_ schema: BodySchema?) -> Bool {
        guard case .schema(let schema)? = schema else { return false }
        return schemas.facts(ofAll: [schema]).types == ["string"]
    }

    /// Whether the values of a schema are lists of files, so that a field of a form may have several of them.
    package func isListOfFiles(_ schema: JSONValue) -> Bool {
        let facts = schemas.facts(ofAll: [schema])
        guard facts.types == nil || facts.types == ["array"], let items = facts.items else { return false }
        return isFile(items)
    }

    /// Whether the values of a schema are the bytes of files.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - depth: The number of schemas around this one, of which it is an alternative.
    private func isFile(_ schema: JSONValue, depth: Int) -> Bool {
        let facts = schemas.facts(ofAll: [schema])
        // A file has no other type. A list of types such as string and object is no file.
        if facts.isFile { return facts.types == nil || facts.types == ["string"] }
        guard let alternatives = facts.alternatives, alternatives.count <= Self.maxAlternatives else { return false }
        guard depth < Self.maxDepth else { return false }
        let notNull = alternatives.filter { schemas.facts(ofAll: [$0]).types != ["null"] }
        return !notNull.isEmpty && notNull.allSatisfy { isFile($0, depth: depth + 1) }
    }
}
