import JSONText

extension OpenAPIDocument {
    /// The most alternatives that are searched for files, and in how many schemas inside each other. A file has at most
    /// null as an alternative.
    private static var maxAlternatives: Int { 16 }
    private static var maxDepth: Int { 2 }

    /// Whether the values of a schema are the bytes of files, so that a member of a form is a file.
    ///
    /// These schemas are: a string with `format: binary`, one with a `contentMediaType` that is neither JSON nor text and
    /// without `contentEncoding`, and `type: file` of Swagger 2.0. A schema with alternatives is one if all of them are,
    /// apart from null.
    package func isFile(_ schema: JSONValue) -> Bool { isFile(schema, depth: 0) }

    /// Whether a schema allows nothing but strings.
    func isString(_ schema: BodySchema?) -> Bool {
        guard case .schema(let schema)? = schema else { return false }
        return schemas.facts(ofAll: [schema]).types == ["string"]
    }

    /// Whether the values of a schema are lists of files.
    package func isListOfFiles(_ schema: JSONValue) -> Bool {
        let facts = schemas.facts(ofAll: [schema])
        guard facts.types == nil || facts.types == ["array"], let items = facts.items else { return false }
        return isFile(items)
    }

    private func isFile(_ schema: JSONValue, depth: Int) -> Bool {
        let facts = schemas.facts(ofAll: [schema])
        if facts.isFile { return facts.types == nil || facts.types == ["string"] }
        guard let alternatives = facts.alternatives, alternatives.count <= Self.maxAlternatives else { return false }
        guard depth < Self.maxDepth else { return false }
        let others = alternatives.filter { schemas.facts(ofAll: [$0]).types != ["null"] }
        return !others.isEmpty && others.allSatisfy { isFile($0, depth: depth + 1) }
    }
}
