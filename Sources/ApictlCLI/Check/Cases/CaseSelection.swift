import EndpointKit
import EndpointTools

extension CheckPreparation {
    /// Returns the checks of the cases of files that `--case` and `--shard` choose. Each file is a chain.
    ///
    /// All cases are resolved, whichever are chosen, so that a wrong file is wrong on every machine.
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

    /// Returns the indices of the cases that patterns match, and of those that capture values for them.
    ///
    /// - Parameter patterns: The names of cases, with wildcards; all cases without any.
    /// - Returns: The indices in ascending order.
    private static func chosenIndices(of steps: [CaseStep], _ patterns: [String]) -> [Int] {
        if patterns.isEmpty { return Array(steps.indices) }
        var chosen = Set(steps.indices.filter { steps[$0].isNamed(patterns) })
        // A case only needs earlier ones, which may need still earlier ones themselves.
        for index in steps.indices.reversed() where chosen.contains(index) {
            chosen.formUnion(steps[index].needed.values.map(\.index))
        }
        return chosen.sorted()
    }
}

/// Divides the cases of files into parts, and chooses those of `--shard`.
///
/// A case is a part of its own. A file in which cases need what others capture is one part.
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

    /// Counts one more part, and returns whether it belongs to the shard.
    private mutating func includesNextPart() -> Bool {
        defer { count += 1 }
        return shard?.includes(count) ?? true
    }
}
