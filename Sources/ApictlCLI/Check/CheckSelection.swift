import EndpointTools

/// The checks of a run, and the order in which they may run.
struct CheckSelection: Sendable {
    /// All checks, in the order of reports.
    private(set) var checks: [PlannedCheck] = []
    /// Chains of checks, each as indices in ``checks``. The checks of one chain run one after the other. Different
    /// chains run side by side.
    private(set) var chains: [[Int]] = []
    /// The number of checks in all parts of `--shard`. It is higher than that of ``checks`` if there are several
    /// parts.
    var count = 0

    /// Adds checks that run one after the other, as a chain of their own.
    ///
    /// - Parameters:
    ///   - newChecks: The checks, in the order of reports.
    ///   - order: The order in which they run, as indices in `newChecks`. Nil is the order of reports.
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
    /// For the index of a check, the index of the check that follows it in its chain.
    private let successors: [Int: Int]
    /// The checks that may start because the ones before them in their chains have ended.
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

    /// Chooses the next check, and counts it as running.
    ///
    /// A chain that has begun goes on before another one begins. Of several such chains, the check that comes first
    /// in reports is chosen, because the results after it wait for it.
    ///
    /// - Returns: The index of the check; nil if none may start now.
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
