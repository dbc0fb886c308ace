import EndpointKit
import EndpointTools

extension CheckPreparation {
    /// Returns the checks of the cases in files, as far as `--case` and `--shard` choose them. The cases of each file
    /// are a chain: they run one after the other.
    ///
    /// All cases are resolved, also those that are not chosen. So a mistake in a file is found on every machine among
    /// which `--shard` divides the cases.
    ///
    /// - Parameter paths: The paths of the files; `-` is stdin.
    /// - Throws: ``FileError``, and ``UsageError`` with the place of what is wrong.
    func cases(_ paths: [SourcedText]) async throws -> CheckSelection {
        let patterns = options.running.caseNames
        var reader = CaseReader(self, fileCount: paths.count)
        var selection = CheckSelection()
        var parts = CaseParts(shard: options.running.shard)
        var matchedPatterns: Set<String> = []
        for path in paths {
            let chain = try reader.chain(ofFile: path.text)
            for pattern in patterns where chain.steps.contains(where: { $0.isNamed([pattern]) }) {
                matchedPatterns.insert(pattern)
            }
            var checks: [CaseEntry.ID: PlannedCheck] = [:]
            for step in chain.steps { checks[step.id] = try await step.plannedCheck() }
            let chosen = Self.chosenCases(of: chain, patterns)
            selection.count += chosen.steps.count
            let included = parts.included(chosen)
            selection.append(
                setup: included.setup.compactMap { checks[$0.id] }, included.cases.compactMap { checks[$0.id] },
                cleanup: included.cleanup.compactMap { checks[$0.id] })
        }
        if let pattern = patterns.first(where: { !matchedPatterns.contains($0) }) {
            throw UsageError("no case matches '\(pattern)'")
        }
        if reader.hasRandomValues { selection.seed = seed }
        return selection
    }

    /// Returns the cases that patterns match, and the cases whose captured values those need. If there are any, setup
    /// and cleanup of the file are chosen too.
    ///
    /// - Parameters:
    ///   - chain: The cases of a file.
    ///   - patterns: Names of cases, which may have wildcards. If there are none, all cases are chosen.
    private static func chosenCases(of chain: CaseChain, _ patterns: [String]) -> CaseChain {
        if patterns.isEmpty { return chain }
        var chosen = Set(chain.steps.filter { $0.isNamed(patterns) }.map(\.id))
        if chosen.isEmpty { return CaseChain() }
        // Backwards, because a case needs only earlier ones, which may themselves need still earlier ones.
        for step in chain.steps.reversed() where chosen.contains(step.id) {
            chosen.formUnion(step.needed.values.map(\.owner))
        }
        var result = chain
        result.cases = chain.cases.filter { chosen.contains($0.id) }
        return result
    }
}

/// Divides the cases of files into parts, and chooses those of `--shard`.
///
/// Each case is a part of its own. But if a case of a file needs what another one captures, or if the file has setup or
/// cleanup, the whole file is one part, so that all of it runs on the same machine.
private struct CaseParts {
    let shard: CheckShard?
    /// The number of parts so far.
    private var count = 0

    init(shard: CheckShard?) { self.shard = shard }

    /// Returns the chosen cases of a file that are in a part of the shard.
    mutating func included(_ chosen: CaseChain) -> CaseChain {
        if chosen.steps.isEmpty { return chosen }
        let hasFrame = !chosen.setup.isEmpty || !chosen.cleanup.isEmpty
        if hasFrame || chosen.cases.contains(where: { !$0.needed.isEmpty }) {
            return includesNextPart() ? chosen : CaseChain()
        }
        return CaseChain(cases: chosen.cases.filter { _ in includesNextPart() })
    }

    /// Counts the next part, and returns whether it belongs to the shard.
    private mutating func includesNextPart() -> Bool {
        defer { count += 1 }
        return shard?.includes(count) ?? true
    }
}
