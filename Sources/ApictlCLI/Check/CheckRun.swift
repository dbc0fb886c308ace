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

    /// A run of a check, in a lane of runs that follow each other.
    struct Step: Sendable {
        let check: Check
        let lane: Int
        /// How many runs of the lane are before it.
        let place: Int
        /// Its place in the order of reports.
        let number: Int
        /// The how many-th time it is, from 1.
        let time: Int
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

    /// The run at that place of a lane; nil after its last one, and after the last lane.
    func step(_ lane: Int, _ place: Int) -> Step? {
        guard lane < chains.count * lanes else { return nil }
        let chain = chains[lane / lanes]
        let (round, index) = place.quotientAndRemainder(dividingBy: chain.order.count)
        let (time, own) = (lane % lanes + round, chain.order[index])
        guard round * lanes < repeats else { return nil }
        return Step(
            check: chain.checks[own], lane: lane, place: place,
            number: chain.start * repeats + time * chain.order.count + own, time: time + 1)
    }
}

/// Carries out the checks of a command.
struct CheckRun {
    let selection: CheckSelection
    let options: CheckOptions
    let context: RunContext

    /// Results that wait for an earlier one, at most, for each job: a slow check must not let the others fill the memory.
    private static let maxWaitingPerJob = 16

    /// Runs all checks; prints each on `terminal` once those before it are done, and adds it to `report`.
    /// Throws what printing does, and ``FileError``.
    ///
    /// If the task is cancelled, or a failure ends the run, nothing more is started, and the report says that the rest was not run.
    func carryOut(_ terminal: TerminalReport, _ report: inout CheckReport) async throws {
        if let directory = options.responses { try context.environment.files.makeDirectory(directory) }
        let begin = ContinuousClock.now
        let silentServers = await waitForServers()
        let start = ContinuousClock.now
        let total = selection.total
        try await withThrowingTaskGroup(of: (CheckSelection.Step, CheckResult?).self) { group in
            var (started, running, received, nextLane) = (0, 0, 0, 0)
            /// What follows in lanes that have begun.
            var ready: [CheckSelection.Step] = []
            var waiting: [Int: CheckResult?] = [:]
            var runs = selection.runs.makeIterator()
            /// The APIs of which a check that may change data is done.
            var changed: Set<String> = []
            func nextStep() -> CheckSelection.Step? {
                if running >= options.jobs || report.isBailing || Task.isCancelled { return nil }
                // Reports wait for the first lane, which goes on alone.
                if running > 0, waiting.count >= options.jobs * Self.maxWaitingPerJob { return nil }
                if let first = ready.indices.min(by: { ready[$0].lane < ready[$1].lane }) {
                    return ready.remove(at: first)
                }
                defer { nextLane += 1 }
                return selection.step(nextLane, 0)
            }
            while received < total {
                while let step = nextStep() {
                    let delay = options.rate.map { Duration.seconds(Double(started) / $0) }
                    let followsChange = changed.contains(step.check.call.declaration.api.name)
                    // On all processors: the run itself has a single thread.
                    group.addTask(executorPreference: globalConcurrentExecutor) {
                        do {
                            if let delay { try await Task.sleep(until: start + delay, clock: .continuous) }
                            var result = try await step.check.result(step.time)
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
                    if let next = selection.step(step.lane, step.place + 1) { ready.append(next) }
                    if !step.check.call.method.isSafe, result?.outcome.attempts ?? 0 > 0 {
                        changed.insert(step.check.call.declaration.api.name)
                    }
                    if let response = result?.outcome.evidence.response {
                        try save(response, of: step)
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
                    try report.add(result ?? notRun, wasReached: result != nil).forEach(terminal.show)
                }
                if report.isBailing { group.cancelAll() }
            }
        }
        report.finish(
            time: ContinuousClock.now - begin, isInterrupted: Task.isCancelled, of: selection.count, silentServers)
    }

    /// `--save-responses`: writes head and body of a response, which no longer has secrets. Throws ``FileError``.
    private func save(_ response: Response, of step: CheckSelection.Step) throws {
        guard let directory = options.responses else { return }
        var head = response.head
        head.fields = head.fields.map(SecretRules.redacted)
        let lines = head.lines.map { $0 + "\r\n" }.joined() + "\r\n"
        let body = SecretRules.redacted(response.body, contentType: head["Content-Type"])
        let name = "\(step.number + 1)-\(step.check.call.name).http"
        try context.environment.files.replace("\(directory)/\(name)", with: lines.exactBytes + body)
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
                group.addTask {
                    var transfer = client.transfer
                    repeat {
                        transfer.maxTime = max(min(deadline - .now, .seconds(5)), .milliseconds(1))
                        do {
                            _ = try await client.transport.send(probe, options: transfer)
                            return nil
                        } catch let error as TransportError where RetryPolicy.isTransient(error) {
                            try? await Task.sleep(for: .milliseconds(250))
                        } catch {
                            return nil
                        }
                    } while ContinuousClock.now < deadline && !Task.isCancelled
                    return Task.isCancelled ? nil : server
                }
            }
            return await group.compactMap(\.self).reduce(into: []) { $0.append($1) }.sorted()
        }
    }
}

extension CheckOutcome {
    /// Says of a missing resource that an earlier check may have removed it.
    fileprivate mutating func noteEarlierChange() {
        guard status == 404, let place = problems.firstIndex(where: { $0.kind == .status }) else { return }
        problems[place].hint = "Changed by an earlier check of this run?"
    }
}
