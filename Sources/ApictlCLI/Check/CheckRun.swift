import EndpointKit

/// The checks of a run in the order of reports, and which of them run one after the other.
struct CheckSelection: Sendable {
    /// Checks that follow each other in reports, and run one after the other; with `--repeat`, all of them again and again.
    struct Chain: Sendable {
        /// Where the first one is among all checks.
        let start: Int
        /// The order in which they run, as distances from the first one.
        let order: [Int]
    }

    private(set) var checks: [Check] = []
    /// None if each run stands by itself.
    private(set) var chains: [Chain] = []
    private let repeats: Int
    /// How many checks there are in all parts of `--shard`.
    var count = 0

    init(repeats: Int) { self.repeats = repeats }

    mutating func append(_ check: Check) { checks.append(check) }

    /// Adds checks that run one after the other in their order.
    mutating func append(chain: [Check]) {
        if !chain.isEmpty { chains.append(Chain(start: checks.count, order: Array(chain.indices))) }
        checks += chain
    }

    /// Makes a chain of the checks of each API, in the order of its examples. Throws `Signature.NotACase`.
    mutating func chainExamples() throws {
        var rest = checks[...]
        while let api = rest.first?.call.declaration.api {
            let own = rest.prefix { $0.call.declaration.api == api }
            rest = rest.dropFirst(own.count)
            var places: [String: [Int]] = [:]
            for (place, example) in api.examples.enumerated() {
                places[try example.caseName, default: []].append(place)
            }
            func place(_ check: Check) -> Int {
                let own = places[check.call.declaration.signature.caseName] ?? []
                return check.call.example <= own.count ? own[check.call.example - 1] : .max
            }
            let order = own.indices.sorted { place(own[$0]) < place(own[$1]) }.map { $0 - own.startIndex }
            chains.append(Chain(start: own.startIndex, order: order))
        }
    }

    /// A run of a check in its lane.
    struct Step: Sendable {
        let lane: Int
        /// From 0.
        let index: Int
    }

    /// How many lanes run side by side: the chains, or else every single run.
    var laneCount: Int { chains.isEmpty ? total : chains.count }

    /// The lane that the run of that number is in.
    func lane(of number: Int) -> Int {
        chains.isEmpty ? number : chains.lastIndex { $0.start * repeats <= number } ?? 0
    }

    /// The number of the run, in the order of reports, and whether its chain begins anew with it; nil after the last step of the lane.
    func number(of step: Step) -> (number: Int, isFirst: Bool)? {
        if chains.isEmpty { return step.index == 0 ? (step.lane, true) : nil }
        let chain = chains[step.lane]
        let (round, place) = step.index.quotientAndRemainder(dividingBy: chain.order.count)
        if round >= repeats { return nil }
        return (chain.start * repeats + round * chain.order.count + chain.order[place], place == 0)
    }

    /// How many runs of checks there are.
    var total: Int { checks.count * repeats }

    /// The check of a run, from 0 in the order of reports, and the how many-th time it is, from 1.
    func run(_ number: Int) -> (check: Check, time: Int) {
        if chains.isEmpty { return (checks[number / repeats], number % repeats + 1) }
        let chain = chains[lane(of: number)]
        let place = number - chain.start * repeats
        return (checks[chain.start + place % chain.order.count], place / chain.order.count + 1)
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
        try await withThrowingTaskGroup(of: (CheckSelection.Step, Check.Output?).self) { group in
            var (started, running, received, nextLane) = (0, 0, 0, 0)
            /// Where lanes go on.
            var open: [CheckSelection.Step] = []
            var waiting: [Int: Check.Output?] = [:]
            /// The APIs of which a check that may change data is done.
            var changed: Set<String> = []
            func nextStep() -> CheckSelection.Step? {
                if running >= options.jobs || report.isBailing || Task.isCancelled { return nil }
                // What all others wait for always goes on.
                let isFull = waiting.count >= options.jobs * Self.maxWaitingPerJob
                let urgent = selection.lane(of: received)
                if let place = open.firstIndex(where: { !isFull || $0.lane == urgent }) {
                    return open.remove(at: place)
                }
                guard nextLane < selection.laneCount, !isFull || nextLane == urgent else { return nil }
                nextLane += 1
                return CheckSelection.Step(lane: nextLane - 1, index: 0)
            }
            while received < total {
                while let step = nextStep(), let (number, isFirst) = selection.number(of: step) {
                    let (check, time) = selection.run(number)
                    let delay = options.rate.map { Duration.seconds(Double(started) / $0) }
                    let followsChange = changed.contains(check.call.declaration.api.name)
                    // On all processors: the run itself has a single thread.
                    group.addTask(executorPreference: globalConcurrentExecutor) {
                        do {
                            if let delay { try await Task.sleep(until: start + delay, clock: .continuous) }
                            var output = try await check.output(time, isFirst: isFirst)
                            if followsChange { output.result.outcome.noteEarlierChange() }
                            return (step, output)
                        } catch is CancellationError {
                            return (step, nil)
                        }
                    }
                    started += 1
                    running += 1
                }
                if case (let step, var output)? = try await group.next(), let (number, _) = selection.number(of: step) {
                    running -= 1
                    let next = CheckSelection.Step(lane: step.lane, index: step.index + 1)
                    if selection.number(of: next) != nil { open.append(next) }
                    if let result = output?.result, !result.method.isSafe, result.outcome.attempts > 0 {
                        changed.insert(result.call.declaration.api.name)
                    }
                    if let response = output?.response {
                        try responses?.save(response, to: selection.run(number).check.call, number)
                        output?.response = nil
                    }
                    waiting[number] = .some(output)
                } else {
                    waiting[received] = .some(nil)
                }
                while let output = waiting.removeValue(forKey: received) {
                    let (check, time) = selection.run(received)
                    received += 1
                    try terminal.show(report.add(check.call, run: time, output))
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
        var known: Set<String> = []
        var silent: [String] = []
        for (check, client) in selection.checks.lazy.compactMap(\.sent)
        where known.insert(check.request.base.text).inserted {
            // Without credentials, parameters and body: whatever the status is, the server is there.
            let probe = Request(.head, check.request.base, path: "/")
            var transfer = client.transfer
            var isSilent = true
            repeat {
                transfer.maxTime = max(min(deadline - .now, .seconds(5)), .milliseconds(1))
                do {
                    _ = try await client.transport.send(probe, options: transfer)
                    isSilent = false
                } catch let error as TransportError where RetryPolicy.isTransient(error) {
                    try? await Task.sleep(for: .milliseconds(250))
                } catch {
                    isSilent = false
                }
            } while isSilent && ContinuousClock.now < deadline && !Task.isCancelled
            if isSilent { silent.append(check.request.base.text) }
        }
        return silent
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
        let fields = response.head.fields.map { field in
            SecretName.isCredential(field.name) ? ResponseHead.Field(field.name, "(redacted)") : field
        }
        let head = ResponseHead(
            version: response.head.version, status: response.head.status, reason: response.head.reason, fields: fields)
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

extension Response {
    /// This response without the secrets that `redactor` knows.
    func redacted(by redactor: Redactor) -> Response {
        Response(head: head.redacted(by: redactor), body: redactor.redact(body))
    }
}
