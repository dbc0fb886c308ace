import Synchronization

/// The operations of a document with the names of their endpoints.
///
/// Names depend on all operations, so all are read together, when they are first asked for.
final class OperationIndex: Sendable {
    /// An operation with the name of its endpoint.
    struct NamedOperation: Sendable {
        let name: String
        let summary: OperationSummary
    }

    private let document: OpenAPIDocument
    /// The operations; nil until they are first asked for.
    private let knownOperations = Mutex<[NamedOperation]?>(nil)

    /// Makes the index of a document. The operations are read when they are first asked for.
    init(_ document: OpenAPIDocument) { self.document = document }

    /// The operations in the order of the document. Those that can't be read are left out.
    var operations: [NamedOperation] {
        // The lock is held while the operations are read, so that they are read once.
        knownOperations.withLock { known in
            if let known { return known }
            let operations = document.operations().parts
            let named = zip(EndpointNames.names(operations), operations).map { NamedOperation(name: $0, summary: $1) }
            known = named
            return named
        }
    }
}
