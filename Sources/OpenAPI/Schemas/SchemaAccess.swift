import JSONText

/// The schema that a schema leads to.
package enum SchemaTarget {
    /// The schema itself, or the one that its `$ref` names.
    case schema(JSONValue)
    /// A reference that leads nowhere, with the reason.
    case nowhere(reason: String)
}

// What a reader of schemas needs that makes something else of them than shapes, such as types of a language.
extension OpenAPIDocument {
    /// Returns the schema that a reference leads to.
    ///
    /// A reference with keywords beside it that narrow the values is a schema of its own, whose ``facts(ofAll:)`` have
    /// the keywords of both.
    package func target(of schema: JSONValue) -> SchemaTarget {
        guard schemas.isReference(schema) else { return .schema(schema) }
        do throws(PartFailure) {
            return .schema(try references.resolved(schema))
        } catch {
            return .nowhere(reason: "expected \(error.expected), found \(error.found)")
        }
    }

    /// Returns the keywords of some schemas and of those in their `allOf`, brought together.
    ///
    /// - Parameter schemas: The schemas, all of which a value has to match.
    package func facts(ofAll schemas: [JSONValue]) -> SchemaFacts { self.schemas.facts(ofAll: schemas) }

    /// Returns the keywords of some schemas as ``facts(ofAll:)`` does, with notes about the parts that can't be read.
    package func factsWithNotes(ofAll schemas: [JSONValue]) -> (facts: SchemaFacts, notes: [SchemaNote]) {
        let (facts, notes) = self.schemas.factsWithNotes(ofAll: schemas)
        return (facts, notes.filter { !$0.isIgnoredKeyword })
    }

    /// Whether a member is left out of requests because it is `readOnly`, or of responses because it is `writeOnly`.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the member's value.
    ///   - direction: Whether the member would be sent or received.
    package func leavesOut(_ schemas: [JSONValue], _ direction: SchemaDirection) -> Bool {
        self.schemas.leavesOut(schemas, direction)
    }

    /// The names of the schemas that a document keeps for all its operations, in its order.
    package var schemaNames: [String] {
        let schemas = references.root["components"]?["schemas"] ?? references.root["definitions"]
        return schemas?.members?.map(\.key) ?? []
    }

    /// Returns the place of a value as a JSON pointer in a URI fragment, such as `#/paths/~1pets/get`.
    package func pointer(to value: JSONValue) -> String { JSONPointer.text(of: value) }
}
