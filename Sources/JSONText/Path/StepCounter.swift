/// Counts the work of a query, so that no query takes without end in a document that a server chose.
///
/// Each value that is visited and each byte that is compared is a step.
package final class StepCounter {
    private static let stepsBetweenChecks = 4096

    private let limit: Int
    private let check: (() throws -> Void)?
    /// The number of steps so far.
    package private(set) var steps = 0
    private var nextCheck = 0

    /// Makes a counter.
    ///
    /// - Parameters:
    ///   - limit: How many steps are allowed.
    ///   - check: Called every few thousand steps, such as to cancel the query by an error.
    package init(limit: Int, check: (() throws -> Void)? = nil) {
        self.limit = limit
        self.check = check
    }

    /// Makes a counter with the limit for the queries of a document: several times the size of the document, and enough
    /// for any useful query of a small one.
    ///
    /// - Parameters:
    ///   - document: The document that is queried.
    ///   - check: Called every few thousand steps, such as to cancel the query by an error.
    package convenience init(for document: JSONDocument, check: (() throws -> Void)? = nil) {
        // The first number lets any query of a small document finish, the second lets the limit grow with the document.
        self.init(limit: 20_000_000 + 8 * document.bytes.count, check: check)
    }

    /// Counts one step or several.
    ///
    /// - Throws: ``JSONPathLimit`` if there have been too many, and errors of the check.
    @inline(__always)
    package func count(_ count: Int = 1) throws {
        steps &+= count
        if steps >= nextCheck { try runChecks() }
    }

    /// Checks the limit, and runs the caller's check.
    @inline(never)
    private func runChecks() throws {
        if steps > limit { throw JSONPathLimit.tooManySteps(limit) }
        nextCheck = steps &+ Self.stepsBetweenChecks
        try check?()
    }
}
