import EndpointKit
import EndpointTools

/// Carries out the checks of a command.
///
/// Checks end in any order, but are reported in the order of the selection. So a result waits until all results before
/// it have been reported.
struct CheckRun {
    let selection: CheckSelection
    let options: CheckOptions
    let context: CommandContext
    /// Records the exchanges; nil without `--report-har`.
    let archive: HARLog?

    /// The most results for each job that may wait for an earlier one. Otherwise the results behind one slow check
    /// could fill the memory.
    private static let maxWaitingPerJob = 16

    /// The tasks of the checks that are running.
    private typealias CheckTasks = ThrowingTaskGroup<EndedCheck, any Error>

    /// A check that has ended.
    private struct EndedCheck: Sendable {
        /// The index of the check in the selection.
        let index: Int
        /// The result; nil if the check was cancelled.
        let result: CheckResult?
    }

    /// The state of a run between two checks.
    private struct Progress {
        /// The checks that have not started.
        var queue: CheckQueue
        /// The results that can't be reported yet because an earlier check is still running, by the indices of their
        /// checks.
        var waitingResults: [Int: CheckResult] = [:]
        /// The names of the APIs whose data a check that has ended may have changed.
        var changedAPIs: Set<String> = []
        /// Whether a check that has ended failed by itself. Its result may not be reported yet.
        var hasFailure = false
        /// The reason why no more checks start, except for those that clean up. Nil while checks may start.
        var stopReason: StopReason?
    }

    /// The reason why a run stops before all checks have started, in the words of the checks that are not run.
    private enum StopReason: String {
        case failure = "an earlier check failed"
        case interruption = "interrupted"
    }

    /// Waits for the servers (`--wait`), runs all checks, adds their results to a report and prints them.
    ///
    /// If the task is cancelled, or a failure ends the run (`--bail`), no more checks are started, except for the
    /// cleanup of files whose cases have begun. The report then says that the rest was not run.
    ///
    /// With `--save-responses`, responses are also written into a directory, which is made if it does not exist.
    ///
    /// - Parameters:
    ///   - report: Gets all results, in the order of the selection, and is finished.
    ///   - terminal: Prints each result when it is added to the report.
    /// - Throws: ``FileError`` if a response can't be saved, and the errors of printing.
    func runAll(reportingTo report: inout CheckReport, printingTo terminal: TerminalReport) async throws {
        if let directory = options.reports.responses { try context.environment.files.makeDirectory(directory) }
        let start = ContinuousClock.now
        let silentServers = await ServerWait(checks: selection.checks, options: options).waitForServers()
        let progress = try await runChecks(reportingTo: &report, printingTo: terminal)
        try reportRemainingChecks(of: progress, to: &report, printingTo: terminal)
        report.finish(
            CheckReport.Ending(
                time: ContinuousClock.now - start, isInterrupted: Task.isCancelled,
                countInAllShards: selection.countInAllShards, silentServers: silentServers, seed: selection.seed))
    }

    // MARK: Running

    /// Runs the checks until all have ended, or no more may start. Reports each result as soon as all results before
    /// it have been reported.
    ///
    /// - Returns: The state at the end. If the run was stopped, some checks have no result. The results of later checks
    ///   are then still in the state, and not in the report.
    private func runChecks(
        reportingTo report: inout CheckReport, printingTo terminal: TerminalReport
    ) async throws -> Progress {
        var progress = Progress(queue: CheckQueue(selection.chains))
        try await withThrowingTaskGroup(of: EndedCheck.self) { tasks in
            while true {
                stopIfNeeded(&progress, report: report, cancelling: tasks)
                startChecks(&progress, in: &tasks)
                // Without a task, nothing is running and nothing more may start.
                guard let endedCheck = try await tasks.next() else { break }
                try record(endedCheck, in: &progress)
                try reportWaitingResults(of: &progress, to: &report, printingTo: terminal)
            }
        }
        return progress
    }

    /// Stops the run after a failure, if `--bail` is given, and after a signal.
    ///
    /// The checks that are running are cancelled, and only cleanup is started from now on. If the run has stopped
    /// already, this does nothing.
    private func stopIfNeeded(_ progress: inout Progress, report: CheckReport, cancelling tasks: CheckTasks) {
        guard progress.stopReason == nil, let reason = reasonToStop(progress, report: report) else { return }
        progress.stopReason = reason
        progress.queue.skipToCleanup()
        tasks.cancelAll()
    }

    /// Returns the reason why the run must stop now; nil if there is none.
    private func reasonToStop(_ progress: Progress, report: CheckReport) -> StopReason? {
        // The report also counts failures that its options have caused, such as `--strict`. Progress knows a failure
        // before the report does, because results before it may still be missing there.
        let hasFailure = progress.hasFailure || report.hasFailure
        if options.running.bail, hasFailure { return .failure }
        return Task.isCancelled ? .interruption : nil
    }

    /// Starts as many checks as may run side by side now, each in a task of its own, and marks them in the queue as
    /// running.
    private func startChecks(_ progress: inout Progress, in tasks: inout CheckTasks) {
        while mayStartCheck(progress), let index = progress.queue.startNext() {
            let check = selection.checks[index]
            let followsChange = progress.changedAPIs.contains(check.call.declaration.api.name)
            let isCleanup = progress.queue.isCleanup(index)
            // The run itself has a single thread. The checks use all processors.
            tasks.addTask(executorPreference: globalConcurrentExecutor) { [archive] in
                let runCheck = { @Sendable in
                    try await Self.run(check, recordingIn: archive, followsChange: followsChange)
                }
                // The tasks of the group are cancelled when the run stops. Cleanup must run nevertheless, so it runs in
                // a task outside the group.
                let result = isCleanup ? try await Task { try await runCheck() }.value : try await runCheck()
                return EndedCheck(index: index, result: result)
            }
        }
    }

    /// Whether another check may start beside those that are running.
    ///
    /// The number of running checks is limited by `--jobs`. Too many waiting results also stop the start, until the
    /// check that they wait for has ended.
    private func mayStartCheck(_ progress: Progress) -> Bool {
        let runningCount = progress.queue.runningCount
        if runningCount >= options.running.jobs { return false }
        // If nothing is running, the check that the results wait for has not started yet.
        if runningCount == 0 { return true }
        return progress.waitingResults.count < options.running.jobs * Self.maxWaitingPerJob
    }

    /// Carries out one check.
    ///
    /// - Parameters:
    ///   - check: The check to carry out.
    ///   - archive: Records the exchange; nil if it is not recorded.
    ///   - followsChange: Whether an earlier check may have changed the API's data. If so, a 404 gets a hint that says
    ///     so.
    /// - Returns: The result; nil if the check was cancelled.
    private static func run(
        _ check: PlannedCheck, recordingIn archive: HARLog?, followsChange: Bool
    ) async throws -> CheckResult? {
        do {
            var result = try await check.run(recordingIn: archive)
            if followsChange { result.outcome.explainNotFoundByEarlierChange() }
            return result
        } catch is CancellationError {
            return nil
        }
    }

    // MARK: Results

    /// Records that a check has ended, so that the next check of its chain may start. Its result waits in `progress`
    /// until it can be reported. A check that was cancelled has no result.
    ///
    /// If the check belongs to the setup of a file of cases and did not pass, the cases that depend on it are skipped.
    /// With `--save-responses`, the response is written into a file.
    ///
    /// - Throws: ``FileError`` if the response can't be saved.
    private func record(_ endedCheck: EndedCheck, in progress: inout Progress) throws {
        let index = endedCheck.index
        if var result = endedCheck.result {
            if result.outcome.verdict == .failed { progress.hasFailure = true }
            if !result.outcome.verdict.isSuccess, progress.queue.isSetup(index) {
                skipChecks(dependingOn: index, in: &progress)
            }
            // A 404 of a later check may be due to what this check has changed.
            let mayHaveChangedData = result.outcome.attempts > 0 && !result.call.method.isSafe
            if mayHaveChangedData { progress.changedAPIs.insert(result.call.declaration.api.name) }
            try saveResponse(of: &result, at: index)
            progress.waitingResults[index] = result
        }
        progress.queue.recordEnd(of: index)
    }

    /// Removes the checks that must not run because a check of their chain's setup did not pass. The result of each
    /// says so.
    ///
    /// - Parameter setupIndex: The index of the check of the setup.
    private func skipChecks(dependingOn setupIndex: Int, in progress: inout Progress) {
        let setupName = selection.checks[setupIndex].call.caseName ?? "setup"
        for index in progress.queue.removeChecks(dependingOn: setupIndex) {
            let outcome = CheckOutcome.skipped("not run: \(setupName) did not pass")
            progress.waitingResults[index] = CheckResult(selection.checks[index].call, outcome)
        }
    }

    /// Reports the waiting results that come next, up to the first check that has none yet.
    private func reportWaitingResults(
        of progress: inout Progress, to report: inout CheckReport, printingTo terminal: TerminalReport
    ) throws {
        while true {
            let nextIndex = report.results.count
            guard let result = progress.waitingResults.removeValue(forKey: nextIndex) else { return }
            try terminal.show(report.add(result))
        }
    }

    /// Reports the checks that are not in the report when the run is over. A check without a result is reported as not
    /// run, because the run stopped before it.
    private func reportRemainingChecks(
        of progress: Progress, to report: inout CheckReport, printingTo terminal: TerminalReport
    ) throws {
        let reason = progress.stopReason ?? .interruption
        for index in report.results.count..<selection.checks.count {
            if let result = progress.waitingResults[index] {
                try terminal.show(report.add(result))
            } else {
                let outcome = CheckOutcome.skipped("not run: " + reason.rawValue)
                let result = CheckResult(selection.checks[index].call, outcome)
                try terminal.show(report.add(result, wasReached: false))
            }
        }
    }

    /// Writes the response to a check that did not pass into the directory of `--save-responses`, without secrets. The
    /// file has the number of the check and the name of its endpoint: `3-movies.video.http`.
    ///
    /// Removes the response from the result, because nothing else needs it and it may be large. Does nothing if the
    /// result has no response.
    ///
    /// - Throws: ``FileError``.
    private func saveResponse(of result: inout CheckResult, at index: Int) throws {
        guard let directory = options.reports.responses, let response = result.outcome.evidence.response else { return }
        result.outcome.evidence.response = nil
        var head = response.head
        head.fields = head.fields.map(SecretRules.redacted)
        let headText = head.lines.map { $0 + "\r\n" }.joined() + "\r\n"
        let body = SecretRules.redacted(response.body, contentType: head["Content-Type"])
        let path = "\(directory)/\(index + 1)-\(fileNameStem(of: selection.checks[index].call)).http"
        try context.environment.files.replace(path, with: headText.exactBytes + body)
    }

    /// Returns a name for a call in the names of files: that of its endpoint, or that of the API for a URL.
    private func fileNameStem(of call: CheckedCall) -> String {
        // The name of a call of a URL is the URL. It has slashes, which the name of a file can't have.
        let isURL = call.name != call.declaration.name
        return isURL ? call.declaration.api.name : call.name
    }
}

extension CheckOutcome {
    /// Adds a hint to the problem of a 404: an earlier check of this run may have removed the resource. Does nothing
    /// for any other status.
    fileprivate mutating func explainNotFoundByEarlierChange() {
        guard status == 404, let index = problems.firstIndex(where: { $0.kind == .status }) else { return }
        problems[index].hint = "Changed by an earlier check of this run?"
    }
}
