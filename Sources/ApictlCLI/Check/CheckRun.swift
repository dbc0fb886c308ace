import EndpointKit
import EndpointTools

/// Carries out the checks of a command.
struct CheckRun {
    let selection: CheckSelection
    let options: CheckOptions
    let context: CommandContext
    /// Records the exchanges; nil without `--report-har`.
    let archive: HARLog?

    /// The most results for each job that may wait for an earlier one. Otherwise the results behind one slow check
    /// could fill the memory.
    private static let maxWaitingPerJob = 16

    /// A check that has ended.
    private struct EndedCheck: Sendable {
        /// The index of the check in the selection.
        let index: Int
        /// The result; nil if the check was cancelled.
        let result: CheckResult?
    }

    /// The state of a run between two checks.
    private struct Progress {
        var queue: CheckQueue
        /// The results that can't be reported yet because an earlier check is still running, by the indices of their
        /// checks.
        var waiting: [Int: CheckResult] = [:]
        /// The names of the APIs whose data a check that has ended may have changed.
        var changedAPIs: Set<String> = []
        /// Whether a check that has ended failed by itself. Its result may not be reported yet.
        var hasFailure = false
        /// The reason why no more checks are started, except for those that clean up; nil as long as they are.
        var ending: Ending?
    }

    /// The reason why a run ends before all checks were started.
    private enum Ending: String {
        case failure = "an earlier check failed"
        case interruption = "interrupted"
    }

    /// Runs all checks. Adds their results to a report and prints them, both in the order of reports and not in the
    /// order in which they end.
    ///
    /// If the task is cancelled, or a failure ends the run (`--bail`), no more checks are started, except for the
    /// cleanup of files whose cases have begun. The report then says that the rest was not run.
    ///
    /// - Parameters:
    ///   - terminal: Prints each result.
    ///   - report: Gets all results.
    /// - Throws: ``FileError`` if a response can't be saved, and the errors of printing.
    func carryOut(_ terminal: TerminalReport, _ report: inout CheckReport) async throws {
        if let directory = options.reports.responses { try context.environment.files.makeDirectory(directory) }
        let start = ContinuousClock.now
        let servers = ServerWait(checks: selection.checks, options: options)
        let silentServers = await servers.silentServers()
        let progress = try await runChecks(terminal, &report)
        try addRemaining(progress, terminal, &report)
        report.finish(
            CheckReport.Ending(
                time: ContinuousClock.now - start, isInterrupted: Task.isCancelled, total: selection.count,
                silentServers: silentServers, seed: selection.seed))
    }

    // MARK: Running

    /// Runs the checks until all have ended, or no more may start.
    ///
    /// - Returns: The state at the end. Results still wait in it if an earlier check has none.
    private func runChecks(_ terminal: TerminalReport, _ report: inout CheckReport) async throws -> Progress {
        var progress = Progress(queue: CheckQueue(selection.chains))
        try await withThrowingTaskGroup(of: EndedCheck.self) { group in
            while true {
                endIfNeeded(&progress, report, in: &group)
                startChecks(&progress, report, in: &group)
                guard let ended = try await group.next() else { break }
                try take(ended, &progress)
                // The number of reported results is the index of the check whose result comes next.
                while let result = progress.waiting.removeValue(forKey: report.results.count) {
                    try terminal.show(report.add(result))
                }
            }
        }
        return progress
    }

    /// Ends the run if a failure (`--bail`) or a signal asks for it: cancels the checks that are running, and leaves
    /// only cleanup to be started.
    private func endIfNeeded(
        _ progress: inout Progress, _ report: CheckReport, in group: inout ThrowingTaskGroup<EndedCheck, any Error>
    ) {
        if progress.ending != nil { return }
        // A failure counts as soon as the check has ended, although the results before it may still be missing.
        if report.isBailing || options.running.bail && progress.hasFailure {
            progress.ending = .failure
        } else if Task.isCancelled {
            progress.ending = .interruption
        } else {
            return
        }
        progress.queue.skipToCleanup()
        group.cancelAll()
    }

    /// Starts as many checks as may run side by side now.
    private func startChecks(
        _ progress: inout Progress, _ report: CheckReport, in group: inout ThrowingTaskGroup<EndedCheck, any Error>
    ) {
        while mayStart(progress, report), let index = progress.queue.start() {
            let check = selection.checks[index]
            let followsChange = progress.changedAPIs.contains(check.call.declaration.api.name)
            let isCleanup = progress.queue.isCleanup(index)
            // The run itself has a single thread. The checks use all processors.
            group.addTask(executorPreference: globalConcurrentExecutor) { [archive] in
                let work = { @Sendable in try await Self.result(of: check, archive, followsChange: followsChange) }
                // Cleanup is a task of its own, because those of the group are cancelled when the run ends.
                let result = isCleanup ? try await Task { try await work() }.value : try await work()
                return EndedCheck(index: index, result: result)
            }
        }
    }

    /// Whether another check may start beside those that are running.
    ///
    /// Too many waiting results also stop the start, until the check that they wait for has ended.
    private func mayStart(_ progress: Progress, _ report: CheckReport) -> Bool {
        if progress.queue.runningCount >= options.running.jobs { return false }
        // If nothing is running, the check that the reports wait for must be able to start.
        if progress.queue.runningCount == 0 { return true }
        return progress.waiting.count < options.running.jobs * Self.maxWaitingPerJob
    }

    /// Carries out one check.
    ///
    /// - Parameters:
    ///   - check: The check.
    ///   - archive: Records the exchange; nil if it is not recorded.
    ///   - followsChange: Whether an earlier check may have changed the API's data. A 404 then gets a hint about
    ///     that.
    /// - Returns: The result; nil if the check was cancelled.
    private static func result(
        of check: PlannedCheck, _ archive: HARLog?, followsChange: Bool
    ) async throws -> CheckResult? {
        do {
            var result = try await check.result(archive)
            if followsChange { result.outcome.noteEarlierChange() }
            return result
        } catch is CancellationError {
            return nil
        }
    }

    /// Takes the result of a check that has ended, and keeps it until its turn comes in the reports.
    ///
    /// - Throws: ``FileError`` if the response can't be saved.
    private func take(_ ended: EndedCheck, _ progress: inout Progress) throws {
        defer { progress.queue.end(ended.index) }
        guard var result = ended.result else { return }
        if result.outcome.verdict == .failed { progress.hasFailure = true }
        if !result.outcome.verdict.isSuccess { skipChecks(afterSetup: ended.index, &progress) }
        let wasSent = result.outcome.attempts > 0
        if wasSent, !result.call.method.isSafe {
            progress.changedAPIs.insert(result.call.declaration.api.name)
        }
        try saveResponse(of: &result, at: ended.index)
        progress.waiting[ended.index] = result
    }

    /// Skips the checks that a check of the setup must precede, because it did not pass. Does nothing for any other
    /// check.
    ///
    /// - Parameter index: The index of the check that did not pass.
    private func skipChecks(afterSetup index: Int, _ progress: inout Progress) {
        guard progress.queue.isSetup(index) else { return }
        let setupName = selection.checks[index].call.caseName ?? "setup"
        for skippedIndex in progress.queue.removeChecks(afterSetup: index) {
            let call = selection.checks[skippedIndex].call
            progress.waiting[skippedIndex] = CheckResult(call, .skipped("not run: \(setupName) did not pass"))
        }
    }

    // MARK: Results

    /// Adds the checks that are not in the report yet. A result that still waits is reported. Any other check was not
    /// run.
    private func addRemaining(
        _ progress: Progress, _ terminal: TerminalReport, _ report: inout CheckReport
    ) throws {
        let reason = (progress.ending ?? .interruption).rawValue
        for index in report.results.count..<selection.checks.count {
            if let result = progress.waiting[index] {
                try terminal.show(report.add(result))
            } else {
                let notRun = CheckResult(selection.checks[index].call, .skipped("not run: " + reason))
                try terminal.show(report.add(notRun, wasReached: false))
            }
        }
    }

    /// Writes the response to a check that did not pass into the directory of `--save-responses`:
    /// `3-movies.video.http`. Removes it from the result, which needs it no more.
    ///
    /// - Throws: ``FileError``.
    private func saveResponse(of result: inout CheckResult, at index: Int) throws {
        guard let directory = options.reports.responses, let response = result.outcome.evidence.response else { return }
        result.outcome.evidence.response = nil
        var head = response.head
        head.fields = head.fields.map(SecretRules.redacted)
        let lines = head.lines.map { $0 + "\r\n" }.joined() + "\r\n"
        let body = SecretRules.redacted(response.body, contentType: head["Content-Type"])
        let call = selection.checks[index].call
        // The name of a URL has slashes, which a file's name can't have.
        let isURL = call.name != call.declaration.name
        let name = "\(index + 1)-\(isURL ? call.declaration.api.name : call.name).http"
        try context.environment.files.replace("\(directory)/\(name)", with: lines.exactBytes + body)
    }
}

extension CheckOutcome {
    /// Adds a hint to the problem of a 404: an earlier check of this run may have removed the resource.
    fileprivate mutating func noteEarlierChange() {
        guard status == 404, let index = problems.firstIndex(where: { $0.kind == .status }) else { return }
        problems[index].hint = "Changed by an earlier check of this run?"
    }
}
