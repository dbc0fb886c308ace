import JSONText
import Synchronization

/// The schemas of a document that have been read, for all shapes that are asked for.
///
/// Each named schema is read once for requests and once for responses. The library keeps the facts and the model of
/// each, so that its memory is in proportion to the document.
///
/// A shape is made under a lock. Files beside the document are loaded meanwhile, so a file loader must not ask the same
/// document for a shape.
final class SchemaLibrary: Sendable {
    private let requests: Mutex<SchemaReader>
    private let responses: Mutex<SchemaReader>

    /// Makes the library of a document. No schema is read before a shape is asked for.
    init(_ references: ReferenceResolver, _ dialect: SchemaDialect) {
        requests = Mutex(SchemaReader(references, dialect, .request))
        responses = Mutex(SchemaReader(references, dialect, .response))
    }

    /// Returns the shape of a body, with its models and notes.
    func shape(of body: BodySchema, _ direction: SchemaDirection) -> SchemaShape {
        switch direction {
        case .request: requests.withLock { $0.shape(of: body) }
        case .response: responses.withLock { $0.shape(of: body) }
        }
    }

    /// Whether a schema is nothing but a reference: it has no keywords beside its `$ref` that narrow the values.
    func isReference(_ schema: JSONValue) -> Bool { responses.withLock { $0.isReference(schema) } }

    /// Whether a member is left out of requests because it is `readOnly`, or of responses because it is `writeOnly`.
    ///
    /// - Parameters:
    ///   - all: The schemas of the member's value.
    ///   - direction: Whether the member would be sent or received.
    func leavesOut(_ all: [JSONValue], _ direction: SchemaDirection) -> Bool {
        switch direction {
        case .request: requests.withLock { $0.leavesOut(all) }
        case .response: responses.withLock { $0.leavesOut(all) }
        }
    }

    /// Returns the keywords of some schemas and of those in their `allOf`, brought together.
    ///
    /// The keywords do not depend on the direction, so either reader can read them.
    func facts(ofAll schemas: [JSONValue]) -> SchemaFacts { responses.withLock { $0.facts(ofAll: schemas) } }

    /// Returns the keywords of some schemas as ``facts(ofAll:)`` does, with the notes about the schemas.
    func factsWithNotes(ofAll schemas: [JSONValue]) -> (result: SchemaFacts, notes: [SchemaNote]) {
        responses.withLock { $0.factsWithNotes(ofAll: schemas) }
    }
}
