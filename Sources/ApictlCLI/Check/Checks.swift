import EndpointKit

/// One call, to be checked as often as needed.
struct Check: Sendable {
    /// What one run of it gives.
    struct Output: Sendable {
        var result: CheckResult
        /// The survey of a body that was compared, and the redactor of its request.
        var compared: (survey: Survey, redactor: Redactor)?
        /// The response to a check that did not pass, if it is needed, without the secrets of its request.
        var response: Response?

        init(_ result: CheckResult) { self.result = result }
    }

    let call: CheckedCall
    /// What is sent; nil if nothing is.
    var sent: (check: EndpointCheck, client: Client)?
    /// Why nothing is sent; nil if there is no sample.
    var problem: CheckProblem?
    /// The same if no problem says it.
    var reason = "there is no sample"
    /// Nil for an example.
    var step: CaseStep?
    /// Whether the response is needed if the check does not pass.
    var keepsResponse = false

    /// Carries it out for the time `run`, from 1; `isFirst` is the first one of a chain. Throws `CancellationError`.
    func output(_ run: Int, isFirst: Bool) async throws -> Output {
        if let step { try await step.run(self, run, isFirst: isFirst) } else { try await send(run) }
    }

    /// Carries it out without regard to other cases.
    func send(_ run: Int) async throws -> Output {
        guard let sent else {
            return Output(CheckResult(call, run: run, .skipped(problem), notRun: problem == nil ? reason : nil))
        }
        let (outcome, survey, response) = try await sent.check.run(sent.client)
        var output = Output(CheckResult(call, run: run, outcome))
        output.compared = survey.map { ($0, sent.check.redactor) }
        if keepsResponse, outcome.verdict != .passed { output.response = response?.redacted(by: sent.check.redactor) }
        return output
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

    /// A check of each of their examples, if it is in the part that is run. With `--unsafe`, those of an API run one after the other in the
    /// order of its examples. Throws as ``declarations(_:)`` does, and what resolving throws.
    func checks(_ patterns: [Word]) throws -> CheckSelection {
        var selection = CheckSelection(repeats: options.repeats)
        for declaration in try declarations(patterns) {
            let examples: [(any API)?] = declaration.examples.isEmpty ? [nil] : declaration.examples
            for (index, example) in examples.enumerated() {
                selection.count += 1
                guard options.shard?.includes(selection.count - 1) ?? true else { continue }
                let endpoint = example?.resolvedEndpoint ?? declaration.endpoint
                let call = CheckedCall(declaration, endpoint, example: index + 1)
                var words = CallWords(declaration)
                (words.call, words.options) = (example, options.call)
                let check =
                    try example == nil
                    ? Check(call: call, reason: "the API's examples do not show it") : self.check(words, call)
                selection.append(check)
            }
        }
        if options.includesUnsafe { try selection.chainExamples() }
        return selection
    }

    /// The check of `call`, which is that of `words`; `captured` knows what else is not to be shown.
    ///
    /// Throws what resolving does, except for `MissingCredential`, for which the call is skipped.
    func check(_ words: CallWords, _ call: CheckedCall, _ captured: Redactor? = nil) throws -> Check {
        let endpoint = words.call?.resolvedEndpoint ?? words.declaration.endpoint
        if options.call.sample, endpoint.sample == nil { return Check(call: call) }
        if !options.call.sample, !options.includesUnsafe, !endpoint.method.isSafe {
            return Check(call: call, problem: .unsafe(endpoint.method))
        }
        do {
            var words = words
            words.table = CallOptions.sendingTable
            let exchange = Exchange(try resolver.plan(words), context)
            let plan = exchange.plan
            func redact(_ text: String) -> String {
                let text = exchange.redactor.redact(text)
                return captured?.redact(text) ?? text
            }
            // Before it is quoted, which may tear a secret apart.
            let curl = ShellText.command(CurlInvocation(plan, context).redacted(redact))
            let call = CheckedCall(
                call.declaration, plan.endpoint, example: call.example, caseName: call.caseName,
                url: redact(plan.request.redactedURL).safeToShow, curl: curl.safeToShow)
            let sent = EndpointCheck(
                call: plan.call, endpoint: plan.endpoint, request: plan.request, redactor: exchange.redactor,
                maxLatency: options.maxLatency)
            return Check(call: call, sent: (sent, exchange.client), keepsResponse: options.responses != nil)
        } catch let error as MissingCredential {
            return Check(call: call, problem: .missing(error))
        }
    }
}
