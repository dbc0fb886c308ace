import JSONText

/// The result of following a schema's `$ref`.
package enum SchemaTarget {
    /// The schema that the `$ref` names. A schema without `$ref` is its own target.
    case schema(JSONValue)
    /// The `$ref` can't be resolved.
    case nowhere(reason: String)
}

// Access to single schemas, for callers that turn schemas into something else than shapes, such as Swift types.
extension OpenAPIDocument {
    /// Follows the `$ref` of a schema.
    ///
    /// A schema with a `$ref` and further keywords that narrow the values is its own target. ``keywords(ofAll:)``
    /// merges the keywords of both schemas.
    package func target(of schema: JSONValue) -> SchemaTarget {
        guard schemas.isReference(schema) else { return .schema(schema) }
        do throws(PartFailure) {
            return .schema(try references.resolve(schema))
        } catch {
            return .nowhere(reason: "expected \(error.expected), found \(error.found)")
        }
    }

    /// Returns the merged keywords of some schemas and of the schemas in their `allOf`.
    ///
    /// - Parameter schemas: The schemas. A value has to match all of them.
    package func keywords(ofAll schemas: [JSONValue]) -> SchemaKeywords { self.schemas.keywords(ofAll: schemas) }

    /// Returns the keywords of schemas as ``keywords(ofAll:)`` does, with notes about the parts that can't be read.
    package func keywordsWithNotes(ofAll schemas: [JSONValue]) -> (keywords: SchemaKeywords, notes: [SchemaNote]) {
        let (keywords, notes) = self.schemas.keywordsWithNotes(ofAll: schemas)
        return (keywords, notes.filter { !$0.isIgnoredKeyword })
    }

    /// Whether a member is left out: a `readOnly` member of a request, or a `writeOnly` member of a response.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the member's value.
    ///   - direction: Whether the values are sent or received.
    package func leavesOut(_ schemas: [JSONValue], _ direction: SchemaDirection) -> Bool {
        self.schemas.leavesOut(schemas, in: direction)
    }

    /// The names of the schemas in `components` (or in `definitions` of Swagger 2.0), in the order of the document.
    package var schemaNames: [String] {
        let schemas = references.root["components"]?["schemas"] ?? references.root["definitions"]
        return schemas?.members?.map(\.key) ?? []
    }

    /// Returns the JSON pointer to a value of the document, such as `#/paths/~1pets/get`.
    package func pointer(to value: JSONValue) -> String { JSONPointer.text(of: value) }
}
