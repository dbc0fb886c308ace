import Synchronization

/// The operations of a document with the names of their endpoints.
///
/// The name of an endpoint depends on all operations, so they are read together.
final class OperationIndex: Sendable {
    /// An operation with the name of its endpoint.
    struct NamedOperation: Sendable {
        let name: String
        let summary: OperationSummary
    }

    private let document: OpenAPIDocument
    /// The operations; nil until ``operations`` is used for the first time.
    private let knownOperations = Mutex<[NamedOperation]?>(nil)

    /// Creates the index of a document. The operations are read when ``operations`` is used for the first time.
    init(_ document: OpenAPIDocument) { self.document = document }

    /// The operations in the order of the document. Operations that can't be read are left out.
    var operations: [NamedOperation] {
        // Another thread waits for the lock while the operations are read, so they are read once.
        knownOperations.withLock { storedOperations in
            if let storedOperations { return storedOperations }
            let summaries = document.operations().parts
            let names = EndpointNames.names(summaries)
            let namedOperations = zip(names, summaries).map { NamedOperation(name: $0, summary: $1) }
            storedOperations = namedOperations
            return namedOperations
        }
    }
}
