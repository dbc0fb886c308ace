/// Decides which check of a selection starts next.
///
/// A check is named by its index in ``CheckSelection/checks``. The checks of a chain run one after the other: the end
/// of a check must be recorded with ``recordEnd(of:)`` before the next check of its chain can start.
struct CheckQueue {
    /// The index of a check in ``CheckSelection/checks``.
    typealias CheckIndex = Int

    /// The checks of a chain that have neither started nor are ready to.
    private struct PendingChecks {
        var setup: ArraySlice<CheckIndex>
        var checks: ArraySlice<CheckIndex>
        var cleanup: ArraySlice<CheckIndex>

        init(_ chain: CheckChain) {
            setup = chain.setup[...]
            checks = chain.checks[...]
            cleanup = chain.cleanup[...]
        }

        /// Removes the check that comes next in the chain and returns it; nil if all have started.
        mutating func popFirst() -> CheckIndex? { setup.popFirst() ?? checks.popFirst() ?? cleanup.popFirst() }

        /// Removes all checks except for the cleanup, and returns them.
        mutating func removeAllButCleanup() -> [CheckIndex] {
            let removedChecks = Array(setup + checks)
            setup = []
            checks = []
            return removedChecks
        }
    }

    /// The pending checks of each chain, in the order of the chains.
    private var pendingChecks: [PendingChecks]
    /// For each check, the index of its chain in ``pendingChecks``.
    private let chainIndices: [CheckIndex: Int]
    private let setupChecks: Set<CheckIndex>
    private let cleanupChecks: Set<CheckIndex>
    /// The checks that may start because the ones before them in their chains have ended.
    private var readyChecks: Set<CheckIndex> = []
    /// The index of the first chain of which no check has started.
    private var nextChainIndex = 0
    /// The number of checks that have started and not ended.
    private(set) var runningCount = 0

    /// Makes a queue of all checks of a selection.
    ///
    /// - Parameter chains: The chains of the selection. The checks of a chain run one after the other. No chain is
    ///   empty.
    init(_ chains: [CheckChain]) {
        pendingChecks = chains.map { PendingChecks($0) }
        var chainOfCheck: [CheckIndex: Int] = [:]
        for (chainIndex, chain) in chains.enumerated() {
            for check in chain.runOrder { chainOfCheck[check] = chainIndex }
        }
        chainIndices = chainOfCheck
        setupChecks = Set(chains.flatMap(\.setup))
        cleanupChecks = Set(chains.flatMap(\.cleanup))
    }

    /// Whether a check belongs to the setup of its chain, which must pass before the other checks of the chain run.
    func isSetup(_ check: CheckIndex) -> Bool { setupChecks.contains(check) }

    /// Whether a check belongs to the cleanup of its chain, which runs even if a failure or a signal ends the run.
    func isCleanup(_ check: CheckIndex) -> Bool { cleanupChecks.contains(check) }

    /// Chooses the check that starts next, and counts it as running.
    ///
    /// The checks of a chain run one after the other. A chain that has begun goes on before another one begins. If
    /// several chains could go on, the check with the lowest index is chosen, because checks are reported in the order
    /// of their indices.
    ///
    /// - Returns: The check; nil if none may start now.
    mutating func startNext() -> CheckIndex? {
        guard let check = popReadyCheck() ?? beginNextChain() else { return nil }
        runningCount += 1
        return check
    }

    /// Removes the first check, in the order of reports, that chains which have begun go on with.
    ///
    /// - Returns: The check; nil if none is ready.
    private mutating func popReadyCheck() -> CheckIndex? {
        guard let check = readyChecks.min() else { return nil }
        readyChecks.remove(check)
        return check
    }

    /// Removes the first check of the first chain that has not begun, which thereby begins.
    ///
    /// - Returns: The check; nil if all chains have begun.
    private mutating func beginNextChain() -> CheckIndex? {
        guard nextChainIndex < pendingChecks.count else { return nil }
        defer { nextChainIndex += 1 }
        return pendingChecks[nextChainIndex].popFirst()
    }

    /// Counts a check as ended, and makes the next one of its chain ready.
    mutating func recordEnd(of check: CheckIndex) {
        runningCount -= 1
        makeNextReady(after: check)
    }

    /// Removes the checks that must not run because a check of their chain's setup did not pass.
    ///
    /// - Parameter setupCheck: The check of the setup that did not pass.
    /// - Returns: The checks that are removed: the rest of the setup and those that it prepares. The cleanup of the
    ///   chain stays in the queue.
    mutating func removeChecks(dependingOn setupCheck: CheckIndex) -> [CheckIndex] {
        guard let chainIndex = chainIndices[setupCheck] else { return [] }
        return pendingChecks[chainIndex].removeAllButCleanup()
    }

    /// Removes all checks that have not started, except for the cleanup of chains that have begun.
    ///
    /// A chain that has not begun has created nothing, so that there is nothing to clean up.
    mutating func skipToCleanup() {
        for chainIndex in 0..<nextChainIndex { _ = pendingChecks[chainIndex].removeAllButCleanup() }
        nextChainIndex = pendingChecks.count
        for check in readyChecks where !isCleanup(check) {
            readyChecks.remove(check)
            makeNextReady(after: check)
        }
    }

    /// Makes the check that follows another one in its chain ready to start. Does nothing at the end of the chain.
    private mutating func makeNextReady(after check: CheckIndex) {
        guard let chainIndex = chainIndices[check] else { return }
        if let next = pendingChecks[chainIndex].popFirst() { readyChecks.insert(next) }
    }
}
