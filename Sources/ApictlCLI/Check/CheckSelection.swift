import EndpointTools

/// The checks of a run, and the order in which they may run.
struct CheckSelection: Sendable {
    /// All checks, in the order of reports.
    private(set) var checks: [PlannedCheck] = []
    /// The indices in ``checks`` of those that run one after the other. Different chains run side by side.
    private(set) var chains: [[Int]] = []
    /// The number of checks in all parts of `--shard`.
    var count = 0

    /// Adds checks that run one after the other.
    ///
    /// - Parameters:
    ///   - newChecks: The checks, in the order of reports.
    ///   - order: The indices in `newChecks` in the order in which the checks run. By default, it is that of reports.
    mutating func append(_ newChecks: [PlannedCheck], order: [Int]? = nil) {
        if newChecks.isEmpty { return }
        let start = checks.count
        let indices = order ?? Array(newChecks.indices)
        chains.append(indices.map { start + $0 })
        checks += newChecks
    }
}

/// Decides which check of a selection starts next.
struct CheckQueue {
    private let chains: [[Int]]
    /// The index of the next check of the chain, by the index of the check before it.
    private let successors: [Int: Int]
    /// The checks whose predecessors in their chains have ended.
    private var ready: Set<Int> = []
    /// The index of the first chain that has not begun.
    private var nextChain = 0
    /// The number of checks that have started and not ended.
    private(set) var runningCount = 0

    /// Makes a queue of the chains of ``CheckSelection``, none of which is empty.
    init(_ chains: [[Int]]) {
        self.chains = chains
        var successors: [Int: Int] = [:]
        for chain in chains {
            for (check, next) in zip(chain, chain.dropFirst()) { successors[check] = next }
        }
        self.successors = successors
    }

    /// Starts a check.
    ///
    /// Chains that have begun go on before others begin, the first of them first, because reports wait for it.
    ///
    /// - Returns: The index of the check; nil if there is none to start.
    mutating func start() -> Int? {
        let index: Int
        if let first = ready.min() {
            ready.remove(first)
            index = first
        } else if nextChain < chains.count {
            index = chains[nextChain][0]
            nextChain += 1
        } else {
            return nil
        }
        runningCount += 1
        return index
    }

    /// Marks a check as ended, so that the next one of its chain can start.
    mutating func end(_ index: Int) {
        runningCount -= 1
        if let successor = successors[index] { ready.insert(successor) }
    }
}
