import EndpointTools

/// Checks that run one after the other, each as an index in ``CheckSelection/checks``.
struct CheckChain: Sendable, Equatable {
    /// The checks that must pass before those of ``checks`` run.
    var setup: [Int] = []
    var checks: [Int]
    /// The checks that run last, whatever has failed or ends the run.
    var cleanup: [Int] = []
}

/// The checks of a run, and the order in which they may run.
struct CheckSelection: Sendable {
    /// All checks, in the order of reports.
    private(set) var checks: [PlannedCheck] = []
    /// The chains of the checks. Different chains run side by side.
    private(set) var chains: [CheckChain] = []
    /// The number of checks in all parts of `--shard`. It is higher than that of ``checks`` if there are several
    /// parts.
    var count = 0
    /// The number that decides the random values of cases; nil if no case has any.
    var seed: Int?

    /// Adds checks that run one after the other, as a chain of their own.
    ///
    /// - Parameters:
    ///   - newChecks: The checks, in the order of reports.
    ///   - order: The order in which they run, as indices in `newChecks`. Nil is the order of reports.
    mutating func append(_ newChecks: [PlannedCheck], order: [Int]? = nil) {
        if newChecks.isEmpty { return }
        let start = checks.count
        let indices = order ?? Array(newChecks.indices)
        chains.append(CheckChain(checks: indices.map { start + $0 }))
        checks += newChecks
    }

    /// Adds the checks of a file of cases, as a chain of their own.
    mutating func append(setup: [PlannedCheck], _ cases: [PlannedCheck], cleanup: [PlannedCheck]) {
        let newChecks = setup + cases + cleanup
        if newChecks.isEmpty { return }
        let indices = checks.count..<checks.count + newChecks.count
        chains.append(
            CheckChain(
                setup: Array(indices.prefix(setup.count)),
                checks: Array(indices.dropFirst(setup.count).dropLast(cleanup.count)),
                cleanup: Array(indices.suffix(cleanup.count))))
        checks += newChecks
    }
}

/// Decides which check of a selection starts next.
struct CheckQueue {
    /// The checks of a chain that have not become ready.
    private struct Remainder {
        var setup: ArraySlice<Int>
        var checks: ArraySlice<Int>
        var cleanup: ArraySlice<Int>

        init(_ chain: CheckChain) {
            setup = chain.setup[...]
            checks = chain.checks[...]
            cleanup = chain.cleanup[...]
        }

        /// Removes the check that comes next, and returns its index.
        mutating func popFirst() -> Int? { setup.popFirst() ?? checks.popFirst() ?? cleanup.popFirst() }
    }

    private var remainders: [Remainder]
    /// For the index of a check, the index of its chain.
    private let chainIndices: [Int: Int]
    private let setup: Set<Int>
    private let cleanup: Set<Int>
    /// The checks that may start because the ones before them in their chains have ended.
    private var ready: Set<Int> = []
    /// The index of the first chain that has not begun.
    private var nextChain = 0
    /// The number of checks that have started and not ended.
    private(set) var runningCount = 0

    /// Makes a queue of the chains of ``CheckSelection``, none of which is empty.
    init(_ chains: [CheckChain]) {
        remainders = chains.map { Remainder($0) }
        var chainIndices: [Int: Int] = [:]
        for (chainIndex, chain) in chains.enumerated() {
            for check in chain.setup + chain.checks + chain.cleanup { chainIndices[check] = chainIndex }
        }
        self.chainIndices = chainIndices
        setup = Set(chains.flatMap(\.setup))
        cleanup = Set(chains.flatMap(\.cleanup))
    }

    /// Whether the check at an index must pass before others of its chain run.
    func isSetup(_ index: Int) -> Bool { setup.contains(index) }

    /// Whether the check at an index runs whatever has failed or ends the run.
    func isCleanup(_ index: Int) -> Bool { cleanup.contains(index) }

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
        } else if nextChain < remainders.count, let first = remainders[nextChain].popFirst() {
            index = first
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
        if let chain = chainIndices[index] { makeNextReady(chain) }
    }

    /// Removes the checks of a chain that its setup must precede, because a check of the setup did not pass.
    ///
    /// - Parameter index: The index of the check that did not pass.
    /// - Returns: The indices of the checks that are not run. The cleanup of the chain is not among them.
    mutating func removeChecks(afterSetup index: Int) -> [Int] {
        guard let chain = chainIndices[index] else { return [] }
        let removed = remainders[chain].setup + remainders[chain].checks
        remainders[chain].setup = []
        remainders[chain].checks = []
        return Array(removed)
    }

    /// Removes all checks that have not started, except for the cleanup of chains that have begun.
    mutating func skipToCleanup() {
        let begunChains = 0..<nextChain
        nextChain = remainders.count
        for chain in begunChains {
            remainders[chain].setup = []
            remainders[chain].checks = []
        }
        for index in ready where !isCleanup(index) {
            ready.remove(index)
            if let chain = chainIndices[index] { makeNextReady(chain) }
        }
    }

    /// Makes the next check of a chain ready, if it has another one.
    private mutating func makeNextReady(_ chain: Int) {
        if let next = remainders[chain].popFirst() { ready.insert(next) }
    }
}
