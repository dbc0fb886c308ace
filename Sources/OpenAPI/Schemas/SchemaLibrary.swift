import JSONText
import Synchronization

/// Converts the schemas of a document to shapes, and stores the result for the next call.
///
/// Each named schema is read once for requests and once for responses. The library stores one model of each, so its
/// memory is in proportion to the document.
///
/// A shape is made under a lock, and files that the document refers to are loaded under the same lock. A function that
/// loads files must not ask the same document for a shape.
final class SchemaLibrary: Sendable {
    private let requests: Mutex<SchemaReader>
    private let responses: Mutex<SchemaReader>

    /// Creates the library of a document. A schema is read when its shape is needed for the first time.
    init(_ references: ReferenceResolver, dialect: SchemaDialect) {
        requests = Mutex(SchemaReader(references, dialect: dialect, direction: .request))
        responses = Mutex(SchemaReader(references, dialect: dialect, direction: .response))
    }

    /// Returns the shape of a body, with its models and notes.
    func shape(of body: BodySchema, direction: SchemaDirection) -> SchemaShape {
        switch direction {
        case .request: requests.withLock { $0.readShape(of: body) }
        case .response: responses.withLock { $0.readShape(of: body) }
        }
    }

    /// Whether a schema consists of a `$ref` alone: no other keyword in it narrows the values.
    func isReference(_ schema: JSONValue) -> Bool { responses.withLock { $0.isReference(schema) } }

    /// Whether a member is left out: a `readOnly` member of a request, or a `writeOnly` member of a response.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the member's value.
    ///   - direction: Whether the member would be sent or received.
    func leavesOut(_ schemas: [JSONValue], in direction: SchemaDirection) -> Bool {
        switch direction {
        case .request: requests.withLock { $0.leavesOut(schemas) }
        case .response: responses.withLock { $0.leavesOut(schemas) }
        }
    }

    /// Returns the merged keywords of some schemas and of the schemas in their `allOf`.
    ///
    /// Keywords do not depend on the direction, so the reader of responses reads them for both directions.
    func keywords(ofAll schemas: [JSONValue]) -> SchemaKeywords {
        responses.withLock { $0.readMergedKeywords(ofAll: schemas) }
    }

    /// Returns the keywords of some schemas as ``keywords(ofAll:)`` does, with the notes about the schemas.
    func keywordsWithNotes(ofAll schemas: [JSONValue]) -> (result: SchemaKeywords, notes: [SchemaNote]) {
        responses.withLock { $0.readKeywordsWithNotes(ofAll: schemas) }
    }
}
