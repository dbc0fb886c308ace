import EndpointTools

/// Checks that run one after the other, each as an index in ``CheckSelection/checks``.
struct CheckChain: Sendable, Equatable {
    /// The checks that must pass before those of ``checks`` run.
    var setup: [Int] = []
    var checks: [Int]
    /// The checks that run last, whatever has failed or ends the run.
    var cleanup: [Int] = []

    /// All checks in the order in which they run.
    var runOrder: [Int] { setup + checks + cleanup }
}

/// The checks of a run, and the order in which they may run.
struct CheckSelection: Sendable {
    /// All checks, in the order of reports.
    private(set) var checks: [PlannedCheck] = []
    /// The chains of the checks, none of which is empty. Different chains run side by side.
    private(set) var chains: [CheckChain] = []
    /// The number of checks that all machines together run. With `--shard`, ``checks`` has only one part of them.
    var countInAllShards = 0
    /// The number that decides the random values of cases; nil if no case has any.
    var seed: Int?

    /// Adds checks of examples as a chain: the checks run one after the other, while other chains run beside them.
    ///
    /// - Parameters:
    ///   - newChecks: The checks, in the order of reports.
    ///   - runOrder: The order in which the checks run, as indices in `newChecks`. If it is nil, they run in the order
    ///     of reports.
    mutating func appendChain(_ newChecks: [PlannedCheck], runOrder: [Int]? = nil) {
        if newChecks.isEmpty { return }
        let newIndices = appendChecks(newChecks)
        let order = runOrder ?? Array(newChecks.indices)
        chains.append(CheckChain(checks: order.map { newIndices[$0] }))
    }

    /// Adds the checks of one file of cases as a chain: the checks run one after the other, and are reported in this
    /// order. A file of which no case is chosen adds nothing.
    ///
    /// - Parameters:
    ///   - setup: The checks that must pass before those of `cases` run.
    ///   - cases: The checks of the cases themselves.
    ///   - cleanup: The checks that run last, whatever has failed.
    mutating func appendChain(setup: [PlannedCheck], cases: [PlannedCheck], cleanup: [PlannedCheck]) {
        let setupIndices = appendChecks(setup)
        let caseIndices = appendChecks(cases)
        let cleanupIndices = appendChecks(cleanup)
        let chain = CheckChain(setup: setupIndices, checks: caseIndices, cleanup: cleanupIndices)
        if !chain.runOrder.isEmpty { chains.append(chain) }
    }

    /// Adds checks to ``checks``, but to no chain.
    ///
    /// - Returns: The indices of the new checks in ``checks``.
    private mutating func appendChecks(_ newChecks: [PlannedCheck]) -> [Int] {
        let firstIndex = checks.count
        checks += newChecks
        return Array(firstIndex..<checks.count)
    }
}
