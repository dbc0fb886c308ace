import EndpointKit

/// One call, to be checked as often as needed.
struct Check: Sendable {
    /// What one run of it gives: the result, and the survey of a body that was compared, with the redactor of its request.
    typealias Output = (result: CheckResult, survey: Survey?, redactor: Redactor?)

    let call: CheckedCall
    /// What is sent; nil if nothing is.
    var sent: (check: EndpointCheck, client: Client)?
    /// Why nothing is sent; nil if there is no sample.
    var problem: CheckProblem?
    /// The same if no problem says it.
    var reason = "there is no sample"
    /// Nil for an example.
    var step: CaseStep?

    /// Carries it out for the time `run`, from 1, without regard to other cases.
    func send(_ run: Int) async throws -> Output {
        guard let sent else {
            return (CheckResult(call, run: run, .skipped(problem), notRun: problem == nil ? reason : nil), nil, nil)
        }
        let (outcome, survey) = try await sent.check.run(sent.client)
        return (CheckResult(call, run: run, outcome), survey, sent.check.redactor)
    }
}

/// Chooses what to check, and resolves it in the way that `call` does.
struct CheckPreparation: Sendable {
    let options: CheckOptions
    let resolver: Resolver
    var context: RunContext { resolver.context }

    /// The endpoints that `patterns` match, in the order of the catalogue. Throws ``UsageError`` for a pattern that matches nothing.
    func declarations(_ patterns: [Word]) throws -> [EndpointDeclaration] {
        let registry = context.registry
        guard !patterns.isEmpty else { return try registry.endpoints() }
        let names = Set(try registry.summaries(matching: patterns).map(\.name))
        return try registry.endpoints().filter { names.contains($0.name) }
    }

    /// A check of each of their examples, if it is in the part that is run. Throws as ``declarations(_:)`` does, and what resolving throws.
    func checks(_ patterns: [Word]) throws -> [Check] {
        try declarations(patterns).flatMap { declaration -> [(EndpointDeclaration, Int, (any API)?)] in
            if declaration.examples.isEmpty { return [(declaration, 1, nil)] }
            return declaration.examples.enumerated().map { (declaration, $0 + 1, $1) }
        }
        .enumerated().filter { place, _ in options.shard?.includes(place) ?? true }
        .map { _, item in
            guard let example = item.2 else {
                return Check(
                    call: CheckedCall(item.0, item.0.endpoint, example: 1), reason: "the API's examples do not show it")
            }
            var words = CallWords(item.0)
            words.call = example
            return try check(words, item.1)
        }
    }

    /// The check of the example or case with that number.
    ///
    /// Throws what resolving does, except for `MissingCredential`, for which the call is skipped.
    func check(_ words: CallWords, _ number: Int, _ step: CaseStep? = nil) throws -> Check {
        let endpoint = words.call?.resolvedEndpoint ?? words.declaration.endpoint
        func called(url: String? = nil, curl: String? = nil) -> CheckedCall {
            CheckedCall(words.declaration, endpoint, example: number, isCase: step != nil, url: url, curl: curl)
        }
        if options.call.sample, endpoint.sample == nil { return Check(call: called(), step: step) }
        if !options.call.sample, !options.includesUnsafe, !endpoint.method.isSafe {
            return Check(call: called(), problem: .unsafe(endpoint.method), step: step)
        }
        do {
            var words = words
            (words.options, words.table) = (options.call, CallOptions.sendingTable)
            let exchange = Exchange(try resolver.plan(words), context)
            let plan = exchange.plan
            var sent = EndpointCheck(
                call: plan.call, endpoint: plan.endpoint, request: plan.request, redactor: exchange.redactor,
                maxLatency: options.maxLatency)
            step?.addExpectations(to: &sent)
            let captured = step?.captures.redactor
            func redact(_ text: String) -> String {
                let text = exchange.redactor.redact(text)
                return captured?.redact(text) ?? text
            }
            // Before it is quoted, which may tear a secret apart.
            let curl = ShellText.command(CurlInvocation(plan, context).redacted(redact))
            let call = called(url: redact(plan.request.redactedURL).safeToShow, curl: curl.safeToShow)
            return Check(call: call, sent: (sent, exchange.client), step: step)
        } catch let error as MissingCredential {
            return Check(call: called(), problem: .missing(error), step: step)
        }
    }
}

/// Carries out the checks of a command.
struct CheckRun {
    let checks: [Check]
    let options: CheckOptions
    let context: RunContext

    /// Results that wait for an earlier one, at most, for each job: a slow check must not let the others fill the memory.
    private static let maxWaitingPerJob = 16

    /// Runs all checks side by side, cases one after the other; prints each on `output` once those before it are done, and adds it to `report`.
    /// Throws what `output` does.
    ///
    /// If the task is cancelled, or a failure ends the run, nothing more is started, and the report says that the rest was not run.
    func carryOut(_ output: any ByteOutput, _ report: inout CheckReport) async throws {
        let terminal = TerminalReport(
            output, context.environment, options.common.color, width: checks.map(\.call.label.count).max() ?? 0)
        let begin = ContinuousClock.now
        await waitForServers()
        let start = ContinuousClock.now
        let jobs = options.cases == nil ? options.jobs : 1
        let total = checks.count * options.repeats
        try terminal.showProgress(0, of: total, report)
        try await withThrowingTaskGroup(of: (Int, Check.Output?).self) { group in
            var (started, received) = (0, 0)
            var waiting: [Int: Check.Output?] = [:]
            while received < total {
                let limit = min(total, received + jobs * Self.maxWaitingPerJob)
                while !report.isBailing, !Task.isCancelled, started < limit, started - received - waiting.count < jobs {
                    let number = started
                    let (check, run) = item(number)
                    let delay = options.rate.map { Duration.seconds(Double(number) / $0) }
                    // On all processors: the run itself has a single thread.
                    group.addTask(executorPreference: globalConcurrentExecutor) {
                        do {
                            if let delay { try await Task.sleep(until: start + delay, clock: .continuous) }
                            guard let step = check.step else { return (number, try await check.send(run)) }
                            return (number, try await step.run(check, run))
                        } catch is CancellationError {
                            return (number, nil)
                        }
                    }
                    started += 1
                }
                let (number, output) = try await group.next() ?? (received, nil)
                waiting[number] = .some(output)
                while let output = waiting.removeValue(forKey: received) {
                    let (check, run) = item(received)
                    received += 1
                    try terminal.show(report.add(check.call, run: run, output))
                    if received == total || item(received).check.call.name != check.call.name {
                        try terminal.show(notes: report.endEndpoint())
                    }
                    try terminal.showProgress(received, of: total, report)
                }
                if report.isBailing { group.cancelAll() }
            }
        }
        report.finish(time: ContinuousClock.now - begin, isInterrupted: Task.isCancelled)
        try terminal.summarize(report)
    }

    /// Examples are repeated one by one, a file of cases as a whole.
    private func item(_ number: Int) -> (check: Check, run: Int) {
        options.cases != nil
            ? (checks[number % checks.count], number / checks.count + 1)
            : (checks[number / options.repeats], number % options.repeats + 1)
    }

    /// `--wait`: returns once each server has sent any response or fails in a way that waiting does not change, or the time is over.
    private func waitForServers() async {
        guard let wait = options.wait, !options.call.sample else { return }
        let deadline = ContinuousClock.now + wait
        var known: Set<String> = []
        for (check, client) in checks.lazy.compactMap(\.sent)
        where known.insert(check.request.base.text).inserted {
            // Without credentials, parameters and body: whatever the status is, the server is there.
            let probe = Request(.head, check.request.base, path: "/")
            var transfer = client.transfer
            repeat {
                transfer.maxTime = max(min(deadline - .now, .seconds(5)), .milliseconds(1))
                do {
                    _ = try await client.transport.send(probe, options: transfer)
                    break
                } catch let error as TransportError where RetryPolicy.isTransient(error) {
                    try? await Task.sleep(for: .milliseconds(250))
                } catch {
                    break
                }
            } while ContinuousClock.now < deadline && !Task.isCancelled
        }
    }
}
