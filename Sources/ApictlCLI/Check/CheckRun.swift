import EndpointKit
import EndpointTools

/// The checks of a run, and which of them run one after the other.
struct CheckSelection: Sendable {
    /// All checks, in the order of reports.
    private(set) var checks: [PlannedCheck] = []
    /// The places in ``checks`` of those that run one after the other. Different chains run side by side.
    private(set) var chains: [[Int]] = []
    /// How many checks there are in all parts of `--shard`.
    var count = 0

    /// Adds checks that run one after the other.
    ///
    /// - Parameters:
    ///   - newChecks: The checks, in the order of reports.
    ///   - order: The places in `newChecks` in the order in which the checks run. By default, it is that of reports.
    mutating func append(_ newChecks: [PlannedCheck], order: [Int]? = nil) {
        if newChecks.isEmpty { return }
        let start = checks.count
        let places = order ?? Array(newChecks.indices)
        chains.append(places.map { start + $0 })
        checks += newChecks
    }
}

/// Decides which check of a selection starts next.
private struct CheckQueue {
    private let chains: [[Int]]
    /// The place of the check that follows the one at a place in its chain.
    private let followers: [Int: Int]
    /// The checks whose predecessors in their chains have ended.
    private var ready: Set<Int> = []
    /// The first chain that has not begun.
    private var nextChain = 0
    /// How many checks have started and not ended.
    private(set) var running = 0

    init(_ chains: [[Int]]) {
        self.chains = chains
        let pairs = chains.flatMap { zip($0, $0.dropFirst()) }
        followers = Dictionary(uniqueKeysWithValues: pairs.map { ($0, $1) })
    }

    /// Starts a check.
    ///
    /// Chains that have begun go on before others begin, the first of them first, because reports wait for it.
    ///
    /// - Returns: The place of the check, or nil if there is none to start.
    mutating func start() -> Int? {
        let place: Int
        if let first = ready.min() {
            ready.remove(first)
            place = first
        } else if nextChain < chains.count {
            place = chains[nextChain][0]
            nextChain += 1
        } else {
            return nil
        }
        running += 1
        return place
    }

    /// Marks a check as ended, so that the next one of its chain can start.
    mutating func end(_ place: Int) {
        running -= 1
        if let follower = followers[place] { ready.insert(follower) }
    }
}

/// Carries out the checks of a command.
struct CheckRun {
    let selection: CheckSelection
    let options: CheckOptions
    let context: CommandContext
    /// Records the exchanges; nil without `--report-har`.
    let archive: HARLog?

    /// How many results for each job may wait for an earlier one. A slow check must not let the others fill the memory.
    private static let maxWaitingPerJob = 16

    /// Runs all checks, adds their results to `report` and prints them on `terminal`, both in the order of reports.
    ///
    /// If the task is cancelled, or a failure ends the run, nothing more is started. The report then says that the
    /// rest was not run.
    ///
    /// - Throws: ``FileError`` if a response can't be saved, and what printing throws.
    func carryOut(_ terminal: TerminalReport, _ report: inout CheckReport) async throws {
        if let directory = options.reports.responses { try context.environment.files.makeDirectory(directory) }
        let start = ContinuousClock.now
        let silentServers = await waitForServers()
        var queue = CheckQueue(selection.chains)
        /// Results that wait for an earlier one, by their places.
        var waiting: [Int: CheckResult] = [:]
        /// The names of APIs of which a check that may change data has ended.
        var changedAPIs: Set<String> = []
        try await withThrowingTaskGroup(of: (place: Int, result: CheckResult?).self) { group in
            while true {
                while mayStart(queue, waiting.count, report), let place = queue.start() {
                    let check = selection.checks[place]
                    let followsChange = changedAPIs.contains(check.call.declaration.api.name)
                    // On all processors: the run itself has a single thread.
                    group.addTask(executorPreference: globalConcurrentExecutor) { [archive] in
                        (place, try await Self.result(of: check, archive, followsChange: followsChange))
                    }
                }
                guard let (place, result) = try await group.next() else { break }
                queue.end(place)
                if var result {
                    if !result.call.method.isSafe, result.outcome.attempts > 0 {
                        changedAPIs.insert(result.call.declaration.api.name)
                    }
                    try saveResponse(of: &result, at: place)
                    waiting[place] = result
                }
                while let result = waiting.removeValue(forKey: report.results.count) {
                    try terminal.show(report.add(result))
                }
                if report.isBailing { group.cancelAll() }
            }
        }
        let reason = report.isBailing ? "an earlier check failed" : "interrupted"
        for place in report.results.count..<selection.checks.count {
            let notRun = CheckResult(selection.checks[place].call, .skipped("not run: " + reason))
            try terminal.show(report.add(waiting[place] ?? notRun, wasReached: waiting[place] != nil))
        }
        report.finish(
            CheckReport.Ending(
                time: ContinuousClock.now - start, isInterrupted: Task.isCancelled, total: selection.count,
                silentServers: silentServers))
    }

    /// Whether another check may start beside those that are running.
    private func mayStart(_ queue: CheckQueue, _ waitingCount: Int, _ report: CheckReport) -> Bool {
        if queue.running >= options.running.jobs || report.isBailing || Task.isCancelled { return false }
        // Alone, the check that the reports wait for must be able to start.
        return waitingCount < options.running.jobs * Self.maxWaitingPerJob || queue.running == 0
    }

    /// Carries out one check.
    ///
    /// - Parameter followsChange: Whether a check that may have changed the API's data has ended before.
    /// - Returns: The result, or nil if the check was cancelled.
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

    /// Writes the response to a check that did not pass into the directory of `--save-responses`, and drops it.
    ///
    /// - Throws: ``FileError``.
    private func saveResponse(of result: inout CheckResult, at place: Int) throws {
        guard let directory = options.reports.responses, let response = result.outcome.evidence.response else { return }
        result.outcome.evidence.response = nil
        var head = response.head
        head.fields = head.fields.map(SecretRules.redacted)
        let lines = head.lines.map { $0 + "\r\n" }.joined() + "\r\n"
        let body = SecretRules.redacted(response.body, contentType: head["Content-Type"])
        let name = "\(place + 1)-\(selection.checks[place].call.name).http"
        try context.environment.files.replace("\(directory)/\(name)", with: lines.exactBytes + body)
    }

    /// Waits for all servers at once for `--wait`.
    ///
    /// - Returns: The servers that were silent until the time was over.
    private func waitForServers() async -> [String] {
        guard let wait = options.running.wait, options.call.purpose == .send else { return [] }
        let deadline = ContinuousClock.now + wait
        let sent = selection.checks.compactMap(\.sent).map { ($0.check.request.base.text, $0) }
        return await withTaskGroup(of: String?.self) { group in
            for (server, (check, client)) in Dictionary(sent, uniquingKeysWith: { first, _ in first }) {
                group.addTask {
                    await Self.isSilent(check.request.base, client, until: deadline) ? server : nil
                }
            }
            return await group.compactMap(\.self).reduce(into: []) { $0.append($1) }.sorted()
        }
    }

    /// Waits until a server sends any response, or fails in a way that waiting does not change.
    ///
    /// - Returns: Whether the server did neither before the deadline.
    private static func isSilent(
        _ server: BaseURL, _ client: Client, until deadline: ContinuousClock.Instant
    ) async -> Bool {
        // Without credentials, parameters and body: whatever the status is, the server is there.
        let probe = Request(.head, server, path: "/")
        var transfer = client.transfer
        repeat {
            transfer.maxTime = max(min(deadline - .now, .seconds(5)), .milliseconds(1))
            do {
                _ = try await client.transport.send(probe, options: transfer)
                return false
            } catch let error as TransportError where RetryPolicy.isTransient(error) {
                try? await Task.sleep(for: .milliseconds(250))
            } catch {
                return false
            }
        } while ContinuousClock.now < deadline && !Task.isCancelled
        return !Task.isCancelled
    }
}

extension CheckOutcome {
    /// Says of a missing resource that an earlier check may have removed it.
    fileprivate mutating func noteEarlierChange() {
        guard status == 404, let place = problems.firstIndex(where: { $0.kind == .status }) else { return }
        problems[place].hint = "Changed by an earlier check of this run?"
    }
}
