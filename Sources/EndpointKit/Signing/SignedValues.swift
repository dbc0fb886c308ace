import Locking

/// The values that signers have added to the requests of one call.
///
/// They are known only when a request is sent. So a redactor of the request looks here for them.
final class SignedValues: Sendable {
    private let lockedRedactor = Lock(Redactor())

    /// Adds values, which are removed from all texts from now on.
    func add(_ values: Set<String>) { lockedRedactor.withLock { $0.add(values) } }

    /// The redactor of the values so far.
    var redactor: Redactor { lockedRedactor.withLock { $0 } }
}
