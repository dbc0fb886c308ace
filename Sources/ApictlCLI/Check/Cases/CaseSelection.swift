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
            let steps = try reader.steps(ofFile: path.text)
            for pattern in patterns where steps.contains(where: { $0.isNamed([pattern]) }) {
                matchedPatterns.insert(pattern)
            }
            var checks: [PlannedCheck] = []
            for step in steps { checks.append(try await step.plannedCheck()) }
            let chosen = Self.chosenIndices(of: steps, patterns)
            selection.count += chosen.count
            let included = parts.included(chosen, of: steps)
            selection.append(included.map { checks[$0] })
        }
        if let pattern = patterns.first(where: { !matchedPatterns.contains($0) }) {
            throw UsageError("no case matches '\(pattern)'")
        }
        return selection
    }

    /// Returns the indices of the cases that patterns match, and of the cases whose captured values those need.
    ///
    /// - Parameters:
    ///   - steps: The cases of a file.
    ///   - patterns: Names of cases, which may have wildcards. If there are none, all cases are chosen.
    /// - Returns: The indices in ascending order.
    private static func chosenIndices(of steps: [CaseStep], _ patterns: [String]) -> [Int] {
        if patterns.isEmpty { return Array(steps.indices) }
        var chosen = Set(steps.indices.filter { steps[$0].isNamed(patterns) })
        // Backwards, because a case needs only earlier ones, which may themselves need still earlier ones.
        for index in steps.indices.reversed() where chosen.contains(index) {
            chosen.formUnion(steps[index].needed.values.map(\.index))
        }
        return chosen.sorted()
    }
}

/// Divides the cases of files into parts, and chooses those of `--shard`.
///
/// Each case is a part of its own. But if a case of a file needs what another one captures, the whole file is one
/// part, so that both run on the same machine.
private struct CaseParts {
    let shard: CheckShard?
    /// The number of parts so far.
    private var count = 0

    init(shard: CheckShard?) { self.shard = shard }

    /// Returns the cases of a file that are in a part of the shard.
    ///
    /// - Parameters:
    ///   - indices: The indices of the chosen cases.
    ///   - steps: All cases of the file.
    mutating func included(_ indices: [Int], of steps: [CaseStep]) -> [Int] {
        if indices.isEmpty { return [] }
        let isOnePart = steps.contains { !$0.needed.isEmpty }
        if isOnePart { return includesNextPart() ? indices : [] }
        return indices.filter { _ in includesNextPart() }
    }

    /// Counts the next part, and returns whether it belongs to the shard.
    private mutating func includesNextPart() -> Bool {
        defer { count += 1 }
        return shard?.includes(count) ?? true
    }
}
