import JSONText

/// A member of an object, with what its schema says about it beside its shape.
package struct SchemaMember: Sendable {
    package let name: String
    package let summary: String?
    package let isRequired: Bool
    package let isReadOnly: Bool
    package let isWriteOnly: Bool
    package let isDeprecated: Bool

    /// Takes what the schemas of a member say. An earlier description goes before a later one.
    init(_ property: SchemaFacts.Property, isRequired: Bool, targets: [JSONValue]) {
        let all = property.schemas + targets
        name = property.name
        summary = all.lazy.compactMap { $0["description"]?.string }.first
        self.isRequired = isRequired
        isReadOnly = all.contains { $0["readOnly"]?.bool == true }
        isWriteOnly = all.contains { $0["writeOnly"]?.bool == true }
        isDeprecated = all.contains { $0["deprecated"]?.bool == true }
    }
}

extension OpenAPIDocument {
    /// Returns the members that a schema names, with those of its `allOf`; empty if it is no object.
    package func members(of schema: JSONValue) -> [SchemaMember] {
        let facts = schemas.facts(ofAll: [schema])
        return facts.properties.map { property in
            let targets = property.schemas.compactMap { try? references.resolved($0) }
            return SchemaMember(property, isRequired: facts.required.contains(property.name), targets: targets)
        }
    }
}
