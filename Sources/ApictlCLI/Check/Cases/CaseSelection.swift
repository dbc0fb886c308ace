import EndpointKit
import EndpointTools

extension CheckPreparation {
    /// Plans the checks of the cases in files, as far as `--case` and `--shard` choose them. The cases of each file
    /// are a chain: they run one after the other.
    ///
    /// All cases are resolved, also those that are not chosen. So a mistake in a file is found on every machine among
    /// which `--shard` divides the cases.
    ///
    /// - Parameter paths: The paths of the files; `-` is stdin.
    /// - Throws: ``FileError``, and ``UsageError`` with the place of what is wrong.
    func planChecks(ofCaseFiles paths: [SourcedText]) async throws -> CheckSelection {
        let patterns = options.running.caseNames
        var unmatchedPatterns = patterns
        var reader = CaseReader(self, fileCount: paths.count)
        var sharding = CaseSharding(shard: options.running.shard)
        var selection = CheckSelection()
        for path in paths {
            let chain = try reader.readChain(fromFile: path.text)
            let plannedChecks = try await Self.planChecks(of: chain)
            unmatchedPatterns.removeAll { pattern in chain.allCases.contains { $0.isNamed(pattern) } }
            let chosenChain = Self.chosenCases(of: chain, matching: patterns)
            selection.countInAllShards += chosenChain.allCases.count
            let ownChain = sharding.takeOwnCases(of: chosenChain)
            selection.appendChain(
                setup: ownChain.setup.compactMap { plannedChecks[$0.id] },
                cases: ownChain.cases.compactMap { plannedChecks[$0.id] },
                cleanup: ownChain.cleanup.compactMap { plannedChecks[$0.id] })
        }
        if let pattern = unmatchedPatterns.first { throw UsageError("no case matches '\(pattern)'") }
        // Reports name the seed only if a value depends on it.
        if reader.hasRandomValues { selection.seed = seed }
        return selection
    }

    /// Resolves the calls of all cases of a file, and returns their checks by the cases.
    private static func planChecks(of chain: CaseChain) async throws -> [CaseEntry.ID: PlannedCheck] {
        var checks: [CaseEntry.ID: PlannedCheck] = [:]
        for linkedCase in chain.allCases { checks[linkedCase.id] = try await linkedCase.plan() }
        return checks
    }

    /// Returns the cases of a file that match a pattern, and the cases whose captured values they need. If any case
    /// matches, the setup and cleanup of the file are chosen too.
    ///
    /// - Parameters:
    ///   - chain: The cases of a file.
    ///   - patterns: Names of cases, which may have wildcards. If there are none, all cases are chosen.
    private static func chosenCases(of chain: CaseChain, matching patterns: [String]) -> CaseChain {
        if patterns.isEmpty { return chain }
        let matchedCases = chain.allCases.filter { linkedCase in patterns.contains { linkedCase.isNamed($0) } }
        if matchedCases.isEmpty { return CaseChain() }
        var chosenIDs = Set(matchedCases.map(\.id))
        // Backwards, because a case needs only earlier ones, which may themselves need still earlier ones.
        for linkedCase in chain.allCases.reversed() where chosenIDs.contains(linkedCase.id) {
            chosenIDs.formUnion(linkedCase.neededCaptures.values.map(\.capturingCase))
        }
        var chosenChain = chain
        chosenChain.cases = chain.cases.filter { chosenIDs.contains($0.id) }
        return chosenChain
    }
}

/// Divides the cases of files between the machines of `--shard`.
///
/// The cases are divided into portions, and the machines take turns with the portions. Each case is a portion of its
/// own. But if a case of a file needs what another one captures, or if the file has setup or cleanup, the whole file is
/// one portion, so that all of it runs on the same machine.
private struct CaseSharding {
    /// The shard of this machine; nil if it runs all cases.
    let shard: CheckShard?
    /// The number of portions so far.
    private var portionCount = 0

    init(shard: CheckShard?) { self.shard = shard }

    /// Divides the cases of a file between the machines, which take turns, and returns the cases of this machine.
    ///
    /// Each case goes to the next machine in turn. A file whose cases must run together goes to one machine as a whole.
    ///
    /// - Parameter chain: The cases of the file that `--case` chooses.
    mutating func takeOwnCases(of chain: CaseChain) -> CaseChain {
        if chain.allCases.isEmpty { return chain }
        if Self.mustRunTogether(chain) { return dealPortion() ? chain : CaseChain() }
        var ownCases: [LinkedCase] = []
        for linkedCase in chain.cases {
            let isOwn = dealPortion()
            if isOwn { ownCases.append(linkedCase) }
        }
        // A file with setup or cleanup is never divided, so there is none here.
        return CaseChain(cases: ownCases)
    }

    /// Whether all cases of a file must run on the same machine: the file has setup or cleanup, or a case needs a value
    /// that another one captures.
    private static func mustRunTogether(_ chain: CaseChain) -> Bool {
        let hasSetupOrCleanup = !chain.setup.isEmpty || !chain.cleanup.isEmpty
        return hasSetupOrCleanup || chain.cases.contains { !$0.neededCaptures.isEmpty }
    }

    /// Deals the next portion to a machine, and returns whether it is this one.
    private mutating func dealPortion() -> Bool {
        let isOwn = shard?.includes(portionCount) ?? true
        portionCount += 1
        return isOwn
    }
}
