import EndpointKit

/// The checks of a run in the order of reports, and which of them run one after the other.
struct CheckSelection: Sendable {
    /// Checks that follow each other in reports, and run one after the other.
    private struct Chain: Sendable {
        let checks: [Check]
        /// The order in which they run.
        let order: [Int]
        /// How many checks are before them.
        let start: Int
    }

    /// Runs that follow each other.
    struct Lane {
        let number: Int
        var done = 0
        var isRunning = false
    }

    /// A run of a check.
    struct Step: Sendable {
        let check: Check
        let lane: Int
        /// Its place in the order of reports.
        let number: Int
        /// The how many-th time it is, from 1.
        let time: Int
        /// Whether its chain begins anew with it.
        let isFirst: Bool
    }

    private var chains: [Chain] = []
    private let repeats: Int
    /// How many lanes a chain has: one for all its repetitions, or one for each.
    private let lanes: Int
    /// How many checks there are in all parts of `--shard`.
    var count = 0

    init(repeats: Int, isInOrder: Bool) { (self.repeats, lanes) = (repeats, isInOrder ? 1 : repeats) }

    /// Adds checks that run one after the other, in that order if it is not their own.
    mutating func append(_ checks: [Check], order: [Int]? = nil) {
        if checks.isEmpty { return }
        let start = chains.last.map { $0.start + $0.checks.count } ?? 0
        chains.append(Chain(checks: checks, order: order ?? Array(checks.indices), start: start))
    }

    var checks: [Check] { chains.flatMap(\.checks) }

    /// How many runs of checks there are.
    var total: Int { checks.count * repeats }

    /// The runs in the order of reports.
    var runs: some Sequence<(check: Check, time: Int)> {
        chains.lazy.flatMap { [repeats] chain in
            (1...repeats).lazy.flatMap { time in chain.checks.lazy.map { ($0, time) } }
        }
    }

    /// The next run in a lane; nil after the last, and after the last lane.
    func step(_ lane: Lane) -> Step? {
        guard lane.number < chains.count * lanes else { return nil }
        let chain = chains[lane.number / lanes]
        let (round, index) = lane.done.quotientAndRemainder(dividingBy: chain.order.count)
        let (time, place) = (lane.number % lanes + round, chain.order[index])
        guard round * lanes < repeats else { return nil }
        return Step(
            check: chain.checks[place], lane: lane.number,
            number: chain.start * repeats + time * chain.order.count + place, time: time + 1, isFirst: index == 0)
    }
}

/// Carries out the checks of a command.
struct CheckRun {
    let selection: CheckSelection
    let options: CheckOptions
    let context: RunContext

    /// Results that wait for an earlier one, at most, for each job: a slow check must not let the others fill the memory.
    private static let maxWaitingPerJob = 16

    /// Runs all checks; prints each on `output` once those before it are done, and adds it to `report`.
    /// Throws what `output` does, and ``FileError``.
    ///
    /// If the task is cancelled, or a failure ends the run, nothing more is started, and the report says that the rest was not run.
    func carryOut(_ output: any ByteOutput, _ report: inout CheckReport) async throws {
        let width = selection.checks.map(\.call.label.count).max() ?? 0
        let terminal = TerminalReport(output, context.environment, options, width: width)
        let responses = try options.responses.map { try SavedResponses($0, context.environment.files) }
        let begin = ContinuousClock.now
        let silentServers = await waitForServers()
        let start = ContinuousClock.now
        let total = selection.total
        try terminal.showProgress(0, of: total, report)
        try await withThrowingTaskGroup(of: (CheckSelection.Step, CheckResult?).self) { group in
            var (started, running, received, nextLane) = (0, 0, 0, 0)
            /// The lanes that have begun and have not ended, in order.
            var open: [CheckSelection.Lane] = []
            var waiting: [Int: CheckResult?] = [:]
            var runs = selection.runs.makeIterator()
            /// The APIs of which a check that may change data is done.
            var changed: Set<String> = []
            func nextStep() -> CheckSelection.Step? {
                if running >= options.jobs || report.isBailing || Task.isCancelled { return nil }
                let place = open.firstIndex { !$0.isRunning } ?? open.count
                // Reports wait for the first lane, which therefore always goes on.
                if place > 0, waiting.count >= options.jobs * Self.maxWaitingPerJob { return nil }
                guard let step = selection.step(place < open.count ? open[place] : .init(number: nextLane)) else {
                    return nil
                }
                if place == open.count {
                    open.append(CheckSelection.Lane(number: nextLane))
                    nextLane += 1
                }
                open[place].isRunning = true
                return step
            }
            while received < total {
                while let step = nextStep() {
                    let delay = options.rate.map { Duration.seconds(Double(started) / $0) }
                    let followsChange = changed.contains(step.check.call.declaration.api.name)
                    // On all processors: the run itself has a single thread.
                    group.addTask(executorPreference: globalConcurrentExecutor) {
                        do {
                            if let delay { try await Task.sleep(until: start + delay, clock: .continuous) }
                            var result = try await step.check.result(step.time, isFirst: step.isFirst)
                            if followsChange { result.outcome.noteEarlierChange() }
                            return (step, result)
                        } catch is CancellationError {
                            return (step, nil)
                        }
                    }
                    started += 1
                    running += 1
                }
                if case (let step, var result)? = try await group.next() {
                    running -= 1
                    if let place = open.firstIndex(where: { $0.number == step.lane }) {
                        open[place].isRunning = false
                        open[place].done += 1
                        if selection.step(open[place]) == nil { open.remove(at: place) }
                    }
                    if !step.check.call.method.isSafe, result?.outcome.attempts ?? 0 > 0 {
                        changed.insert(step.check.call.declaration.api.name)
                    }
                    if let response = result?.outcome.evidence.response {
                        try responses?.save(response, to: step.check.call, step.number)
                        result?.outcome.evidence.response = nil
                    }
                    waiting[step.number] = .some(result)
                } else {
                    waiting[received] = .some(nil)
                }
                while let result = waiting.removeValue(forKey: received), let (check, time) = runs.next() {
                    received += 1
                    let reason = report.isBailing ? "an earlier check failed" : "interrupted"
                    let notRun = CheckResult(check.call, run: time, .skipped("not run: " + reason))
                    try terminal.show(report.add(result ?? notRun))
                    try terminal.showProgress(received, of: total, report)
                }
                if report.isBailing { group.cancelAll() }
            }
        }
        report.finish(
            time: ContinuousClock.now - begin, isInterrupted: Task.isCancelled, of: selection.count, silentServers)
        try terminal.summarize(report)
    }

    /// `--wait`: returns once each server has sent any response or fails in a way that waiting does not change, or the time is over, with the
    /// servers that did not.
    private func waitForServers() async -> [String] {
        guard let wait = options.wait, !options.call.sample else { return [] }
        let deadline = ContinuousClock.now + wait
        let sent = selection.checks.compactMap(\.sent).map { ($0.check.request.base.text, $0) }
        return await withTaskGroup(of: String?.self) { group in
            for (server, (check, client)) in Dictionary(sent, uniquingKeysWith: { first, _ in first }) {
                // Without credentials, parameters and body: whatever the status is, the server is there.
                let probe = Request(.head, check.request.base, path: "/")
                group.addTask { await Self.responds(to: probe, client, until: deadline) ? nil : server }
            }
            return await group.compactMap(\.self).reduce(into: []) { $0.append($1) }.sorted()
        }
    }

    private static func responds(
        to probe: Request, _ client: Client, until deadline: ContinuousClock.Instant
    ) async -> Bool {
        var transfer = client.transfer
        repeat {
            transfer.maxTime = max(min(deadline - .now, .seconds(5)), .milliseconds(1))
            do {
                _ = try await client.transport.send(probe, options: transfer)
                return true
            } catch let error as TransportError where RetryPolicy.isTransient(error) {
                try? await Task.sleep(for: .milliseconds(250))
            } catch {
                return true
            }
        } while ContinuousClock.now < deadline && !Task.isCancelled
        return false
    }
}

/// The directory of `--save-responses`.
struct SavedResponses: Sendable {
    private let directory: String
    private let files: any FileSystem

    /// Makes the directory if necessary. Throws ``FileError``.
    init(_ directory: String, _ files: any FileSystem) throws {
        (self.directory, self.files) = (directory, files)
        try files.makeDirectory(directory)
    }

    /// Writes head and body of a response to the run of that number, which no longer has secrets. Throws ``FileError``.
    func save(_ response: Response, to call: CheckedCall, _ number: Int) throws {
        var head = response.head
        head.fields = head.fields.map { .init($0.name, SecretName.isCredential($0.name) ? "(redacted)" : $0.value) }
        let lines = head.lines.map { $0 + "\r\n" }.joined() + "\r\n"
        try files.replace("\(directory)/\(number + 1)-\(call.name).http", with: lines.exactBytes + response.body)
    }
}

extension CheckOutcome {
    /// Says of a missing resource that an earlier check may have removed it.
    fileprivate mutating func noteEarlierChange() {
        guard status == 404, let place = problems.firstIndex(where: { $0.kind == .status }) else { return }
        problems[place].hint = "Changed by an earlier check of this run?"
    }
}
