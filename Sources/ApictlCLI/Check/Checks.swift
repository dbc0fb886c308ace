import EndpointKit

/// One call, to be checked as often as needed.
struct Check: Sendable {
    /// What is done about it.
    enum Action: Sendable {
        case send(EndpointCheck, Client)
        /// Nothing is sent; without a problem, because there is no sample.
        case skip(CheckProblem?)
    }

    /// What one run of it gives: the result, and the survey of a body that was compared, with the redactor of its request.
    typealias Output = (result: CheckResult, survey: Survey?, redactor: Redactor?)

    let call: CheckedCall
    let action: Action
    /// Nil for an example.
    let step: CaseStep?

    /// Carries it out for the time `run`, from 1.
    func run(_ run: Int) async throws(CancellationError) -> Output {
        if let step { try await step.run(self, run) } else { try await send(run) }
    }

    /// The same without regard to other cases.
    func send(_ run: Int) async throws(CancellationError) -> Output {
        switch action {
        case .send(let check, let client):
            let (outcome, survey) = try await check.run(client)
            return (CheckResult(call, run: run, outcome), survey, check.redactor)
        case .skip(let problem):
            let reason = problem == nil ? "there is no sample" : nil
            return (CheckResult(call, run: run, .skipped(problem), notRun: reason), nil, nil)
        }
    }
}

/// Chooses what to check, and resolves it in the way that `call` does.
struct CheckPreparation: Sendable {
    let options: CheckOptions
    let resolver: Resolver
    var context: RunContext { resolver.context }

    /// The options that a configuration may set.
    private static let table = OptionTable<CallOptions>(command: CallOptions.sending(\.self))

    /// The endpoints that `patterns` match, in the order of the catalogue. Throws ``UsageError`` for a pattern that matches nothing.
    func declarations(_ patterns: [Word]) throws -> [EndpointDeclaration] {
        let all = try context.registry.endpoints()
        guard !patterns.isEmpty else { return all }
        let chosen = try EndpointFilter.endpoints(
            matching: patterns, in: context.registry.summaries(), apis: context.registry.apis.map { $0.name })
        let names = Set(chosen.map(\.name))
        return all.filter { names.contains($0.name) }
    }

    /// A check of each of their examples, if it is in the part that is run. Throws as ``declarations(_:)`` does, and what resolving throws.
    func checks(_ patterns: [Word]) throws -> [Check] {
        try declarations(patterns).flatMap { declaration in
            declaration.examples.enumerated().map { (declaration, $0 + 1, $1) }
        }
        .enumerated().filter { place, _ in options.shard?.includes(place) ?? true }
        .map { _, item in
            let (declaration, number, example) = item
            return try check(declaration, example.endpoint, number, call: example)
        }
    }

    /// The check of a call that is known, or that has these parameters; `captured` knows the secrets that earlier cases captured.
    ///
    /// Throws what resolving does, except for `MissingCredential`, for which the call is skipped.
    func check(
        _ declaration: EndpointDeclaration, _ endpoint: Endpoint, _ number: Int, step: CaseStep? = nil,
        call: (any API)? = nil, parameters: [ParameterWord] = [], captured: Redactor? = nil
    ) throws -> Check {
        func check(_ action: Check.Action, url: String? = nil, curl: String? = nil) -> Check {
            let call = CheckedCall(
                declaration, endpoint, example: number, isCase: step != nil, url: url, curl: curl)
            return Check(call: call, action: action, step: step)
        }
        let (first, isSample) = (declaration.endpoint, options.call.sample)
        if isSample, first.sample == nil { return check(.skip(nil)) }
        if !isSample, !options.includesUnsafe, !first.method.isSafe { return check(.skip(.unsafe(first.method))) }
        do {
            var words = CallWords(declaration)
            (words.call, words.parameters, words.options, words.table) = (call, parameters, options.call, Self.table)
            let exchange = Exchange(try resolver.plan(words), context)
            let (plan, redactor) = (exchange.plan, exchange.redactor)
            var sent = EndpointCheck(
                call: plan.call, endpoint: plan.endpoint, request: plan.request, redactor: redactor,
                maxLatency: options.maxLatency)
            step?.addExpectations(to: &sent)
            func redact(_ text: String) -> String { captured?.redact(redactor.redact(text)) ?? redactor.redact(text) }
            // Before it is quoted, which may tear a secret apart.
            let curl = ShellText.command(CurlInvocation(plan, context).redacted(redact))
            return check(
                .send(sent, exchange.client), url: redact(plan.request.redactedURL).safeToShow, curl: curl.safeToShow)
        } catch let error as MissingCredential {
            return check(.skip(.missing(error)))
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

    /// Runs all checks, prints each on `output` once those before it are done, and adds them to `report`. Throws what `output` does.
    func carryOut(_ output: any ByteOutput, _ report: inout CheckReport) async throws {
        let terminal = TerminalReport(
            output: output, isColored: context.environment.palette(options.common.color, for: output) != nil,
            isGitHub: GitHubReport.isRead(context.environment),
            showsProgress: output.isTerminal && context.environment.variable("TERM") != "dumb",
            width: checks.map(\.call.label.count).max() ?? 0)
        let start = ContinuousClock.now
        await waitForServers()
        let total = checks.count * options.repeats
        try terminal.showProgress(0, of: total, report)
        try await runInOrder(total) { number, output in
            let (check, run) = item(number)
            try terminal.show(report.add(check.call, run: run, output))
            if number + 1 == total || item(number + 1).check.call.name != check.call.name {
                try terminal.show(notes: report.endEndpoint())
            }
            try terminal.showProgress(number + 1, of: total, report)
            return !report.isBailing
        }
        report.finish(time: ContinuousClock.now - start, isInterrupted: Task.isCancelled)
        try terminal.summarize(report)
    }

    /// Examples are repeated one by one, a file of cases as a whole.
    private func item(_ number: Int) -> (check: Check, run: Int) {
        options.cases != nil
            ? (checks[number % checks.count], number / checks.count + 1)
            : (checks[number / options.repeats], number % options.repeats + 1)
    }

    /// Runs the checks side by side, cases one after the other, and passes each output, in order, to `receive`, which returns whether to
    /// continue.
    ///
    /// After that, and if the task is cancelled, running checks are cancelled and nothing more is started; `receive` gets nil for what did not
    /// come to an end.
    private func runInOrder(_ total: Int, receive: (Int, Check.Output?) throws -> Bool) async throws {
        let start = ContinuousClock.now
        let jobs = options.cases == nil ? options.jobs : 1
        try await withThrowingTaskGroup(of: (Int, Check.Output?).self) { group in
            var (started, received, running, continues) = (0, 0, 0, true)
            var waiting: [Int: Check.Output?] = [:]
            while received < total {
                while continues, !Task.isCancelled, running < jobs, started < total,
                    started < received + jobs * Self.maxWaitingPerJob
                {
                    let number = started
                    let (check, run) = item(number)
                    let delay = options.rate.map { Duration.seconds(Double(number) / $0) }
                    // On all processors: the run itself has a single thread.
                    group.addTask(executorPreference: globalConcurrentExecutor) {
                        do {
                            if let delay { try await Task.sleep(until: start + delay, clock: .continuous) }
                            return (number, try await check.run(run))
                        } catch is CancellationError {
                            return (number, nil)
                        }
                    }
                    started += 1
                    running += 1
                }
                let (number, output) = try await group.next() ?? (received, nil)
                running -= 1
                waiting[number] = .some(output)
                while let output = waiting.removeValue(forKey: received) {
                    let wantsMore = try receive(received, output)
                    received += 1
                    if !wantsMore, continues {
                        continues = false
                        group.cancelAll()
                    }
                }
            }
        }
    }

    /// `--wait`: returns once each server has sent any response or fails in a way that waiting does not change, or the time is over.
    private func waitForServers() async {
        guard let wait = options.wait, !options.call.sample else { return }
        let deadline = ContinuousClock.now + wait
        var known: Set<String> = []
        for case .send(let check, let client) in checks.lazy.map(\.action)
        where known.insert(check.request.base.text).inserted {
            // Without credentials, parameters and body: whatever the status is, the server is there.
            let probe = Request(.head, check.request.base, path: "/")
            var transfer = client.transfer
            repeat {
                transfer.maxTime = max(min(deadline - .now, .seconds(5)), .milliseconds(1))
                do {
                    _ = try await client.transport.send(probe, options: transfer)
                    break
                } catch let error as TransportError where error.isStartupFailure {
                    try? await Task.sleep(for: .milliseconds(250))
                } catch {
                    break
                }
            } while ContinuousClock.now < deadline && !Task.isCancelled
        }
    }
}

extension TransportError {
    /// Whether the failure may be that of a server that is still starting.
    fileprivate var isStartupFailure: Bool {
        switch cause {
        case .nameNotResolved, .notConnected, .timedOut, .cutShort: true
        default: false
        }
    }
}
