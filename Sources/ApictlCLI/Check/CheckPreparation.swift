import EndpointKit
import EndpointTools

/// Chooses the calls to check, and resolves them as `call` does.
struct CheckPreparation: Sendable {
    let options: CheckOptions
    let resolver: CallResolver
    /// The number that decides the random values of cases.
    let seed: Int
    var context: CommandContext { resolver.context }

    /// Whether responses are the embedded samples, so that nothing is sent.
    private var isSample: Bool { options.call.purpose == .sample }

    // MARK: Endpoints

    /// Returns the endpoints that patterns match, in the order of the catalogue.
    ///
    /// - Parameter patterns: Names of endpoints, which may have wildcards. If there are none, all endpoints are
    ///   returned.
    /// - Throws: ``UsageError`` for a pattern that matches nothing.
    private func declarations(matching patterns: [SourcedText]) throws -> [EndpointDeclaration] {
        // Only patterns need the summaries of the endpoints, which take time to make.
        if patterns.isEmpty { return try context.registry.endpointsWithoutNames() }
        return try context.registry.description(matching: patterns).declarations()
    }

    // MARK: Examples

    /// Plans a check for each example of the endpoints, as far as `--shard` includes them. An endpoint without examples
    /// has one check, which is skipped.
    ///
    /// With `--unsafe`, the checks of an API run one after the other in the order of the API's examples, because an
    /// example may need data that an earlier one has created. Otherwise all checks run side by side.
    ///
    /// - Parameter patterns: Names of endpoints, which may have wildcards. If there are none, all endpoints are
    ///   checked.
    /// - Throws: ``UsageError`` for a pattern that matches nothing, and the errors of resolving a call.
    func planChecks(ofExamplesMatching patterns: [SourcedText]) async throws -> CheckSelection {
        var selection = CheckSelection()
        for (_, declarations) in try declarations(matching: patterns).grouped(by: { $0.api.name }) {
            let checksOfAPI = try await planChecks(ofExamplesOf: declarations, countedIn: &selection)
            if options.running.includesUnsafe {
                let runOrder = try Self.exampleOrder(of: checksOfAPI, in: declarations[0].api)
                selection.appendChain(checksOfAPI, runOrder: runOrder)
            } else {
                for check in checksOfAPI { selection.appendChain([check]) }
            }
        }
        return selection
    }

    /// Plans the checks of the examples of endpoints, as far as `--shard` includes them.
    ///
    /// - Parameters:
    ///   - declarations: The endpoints, all of one API.
    ///   - selection: The selection whose ``CheckSelection/countInAllShards`` counts the checks, also those that other
    ///     machines run. The checks are not added to it.
    private func planChecks(
        ofExamplesOf declarations: [EndpointDeclaration], countedIn selection: inout CheckSelection
    ) async throws -> [PlannedCheck] {
        var checks: [PlannedCheck] = []
        for declaration in declarations {
            // An endpoint without examples gets a check too, so that the report names it.
            let checkCount = max(declaration.examples.count, 1)
            for exampleIndex in 0..<checkCount {
                let indexInAllShards = selection.countInAllShards
                selection.countInAllShards += 1
                let isInShard = options.running.shard?.includes(indexInAllShards) ?? true
                if isInShard { checks.append(try await planCheck(ofExampleAt: exampleIndex, of: declaration)) }
            }
        }
        return checks
    }

    /// Returns the order in which the checks of an API run: the order of the API's list of examples.
    ///
    /// That list may mix endpoints (create, read, delete, read again), while reports show an endpoint's checks
    /// together. Checks without an example come last.
    ///
    /// - Returns: The indices of `checks` in the order in which they run.
    private static func exampleOrder(of checks: [PlannedCheck], in api: CatalogueAPI) throws -> [Int] {
        let examples = try api.exampleOrder()
        let positions = Dictionary(uniqueKeysWithValues: zip(examples, examples.indices))
        let positionsOfChecks = checks.map { check in
            let example = ExampleNumber(
                endpointName: check.call.declaration.endpointName, number: check.call.example)
            return positions[example] ?? .max
        }
        return checks.indices.sorted { positionsOfChecks[$0] < positionsOfChecks[$1] }
    }

    /// Plans the check of one example of an endpoint.
    ///
    /// The check is skipped if the endpoint has no example. With `--sample`, a call with made-up values is checked
    /// instead.
    ///
    /// - Parameter index: The index of the example among those of the endpoint; 0 for an endpoint without examples.
    private func planCheck(ofExampleAt index: Int, of declaration: EndpointDeclaration) async throws -> PlannedCheck {
        guard let example = example(at: index, of: declaration) else {
            // Reports count examples from 1.
            let call = CheckedCall(declaration, declaration.endpoint, example: index + 1)
            return PlannedCheck(call: call, skipped: .withoutExample)
        }
        let call = CheckedCall(declaration, example.endpoint, example: index + 1)
        let request = try request(of: example, to: declaration)
        return try await planCheck(of: request, reportedAs: call)
    }

    /// Returns the example at an index; nil if the endpoint has no call that can be checked.
    ///
    /// An endpoint without examples has a call whose values are made up. It must not be sent, because the server may
    /// not know the values. With `--sample`, nothing is sent, so that the call can be checked against the sample.
    private func example(at index: Int, of declaration: EndpointDeclaration) -> EndpointCall? {
        if !declaration.examples.isEmpty { return declaration.examples[index] }
        let hasSample = declaration.endpoint.sample != nil
        return isSample && hasSample ? declaration.firstCall : nil
    }

    /// Returns the request of an example.
    ///
    /// The configuration may have values for parameters that the example leaves out. Then the example's values are
    /// added one by one, like those of a command line, and the configuration adds the missing ones.
    private func request(of example: EndpointCall, to declaration: EndpointDeclaration) throws -> CallRequest {
        var request = CallRequest(declaration)
        request.options = options.call
        let configuredParameters = resolver.settings.configuration?.settings(of: declaration.api).parameters ?? []
        if configuredParameters.isEmpty {
            request.call = example
            return request
        }
        for (name, value) in try example.values().parameters {
            try request.addValue(value, ofParameter: name, from: .preset)
        }
        return request
    }

    // MARK: Resolving

    /// The result of resolving the call of a check.
    private enum Resolution {
        /// The call can be sent by this plan.
        case plan(CallPlan)
        /// The check is skipped, because the call can't or must not be sent. The outcome says why.
        case skipped(CheckOutcome)
    }

    /// Plans the check of a call: resolves the call, but sends nothing.
    ///
    /// - Parameters:
    ///   - request: The request of the call.
    ///   - call: The call as reports name it.
    ///   - capturedSecrets: Removes the secrets that earlier cases have captured; nil if there are none.
    /// - Throws: Any error of resolving the call, except for a credential without a value. The check is then skipped.
    func planCheck(
        of request: CallRequest, reportedAs call: CheckedCall, capturedSecrets: Redactor? = nil
    ) async throws -> PlannedCheck {
        switch try await resolve(request) {
        case .skipped(let outcome): PlannedCheck(call: call, skipped: outcome)
        case .plan(let plan): plannedCheck(of: plan, reportedAs: call, capturedSecrets: capturedSecrets)
        }
    }

    /// Resolves the call of a check.
    ///
    /// The check is skipped if a credential is missing, if the method may change data and `--unsafe` is not given, or
    /// with `--sample` if the endpoint has no sample.
    ///
    /// - Throws: All other errors of resolving the call.
    private func resolve(_ request: CallRequest) async throws -> Resolution {
        // A request of a URL has an endpoint of its own, and a request of an example has the endpoint of its call. A
        // request of a case has neither, but its declaration has the same method and sample.
        let endpoint = request.endpoint ?? request.call?.endpoint ?? request.declaration.endpoint
        if isSample {
            if endpoint.sample == nil { return .skipped(.withoutSample) }
        } else if !endpoint.method.isSafe, !options.running.includesUnsafe {
            let problem = CheckProblem.unsafe(endpoint.method, hint: "To send it: --unsafe")
            return .skipped(CheckOutcome.skipped(problem))
        }
        do {
            return .plan(try await makePlan(of: request))
        } catch {
            guard let outcome = CheckOutcome.skipped(withoutCredential: error) else { throw error }
            return .skipped(outcome)
        }
    }

    /// Resolves a call into a plan, without regard to the reasons for which a check is skipped.
    ///
    /// A check compares whole bodies. So its request has the time limit of one whose response is read as a whole, and
    /// not that of a stream.
    private func makePlan(of request: CallRequest) async throws -> CallPlan {
        var request = try context.completed(request)
        request.isReadWhole = true
        return try await resolver.resolve(request, until: request.options.transfer.deadline(from: .now))
    }

    /// Returns the check of a resolved call.
    ///
    /// - Parameters:
    ///   - plan: The plan of the request to send.
    ///   - call: The call as reports name it. The check's call also has the URL and the curl command of the plan.
    ///   - capturedSecrets: Removes the secrets that earlier cases have captured; nil if there are none.
    private func plannedCheck(
        of plan: CallPlan, reportedAs call: CheckedCall, capturedSecrets: Redactor?
    ) -> PlannedCheck {
        let exchange = plannedExchange(of: plan, capturedSecrets: capturedSecrets)
        // The curl command takes long to make. If a check passes, only the JSON report shows its command. If a check
        // does not pass, the command is made after it.
        let needsCommand = options.reports.files[.json] != nil
        let curlCommand = needsCommand ? exchange.curlCommand() : nil
        return PlannedCheck(call: call.with(plan.endpoint, url: exchange.url, curl: curlCommand), exchange: exchange)
    }

    /// Returns the exchange of a resolved call: its request, the requirements for the response, and the client.
    ///
    /// If a login is refreshed while the check runs, there is a new plan with the new value. To make the exchange of
    /// that plan, the old exchange calls this function again.
    ///
    /// - Parameters:
    ///   - plan: The plan of the request to send.
    ///   - capturedSecrets: Removes the secrets that earlier cases have captured; nil if there are none.
    private func plannedExchange(of plan: CallPlan, capturedSecrets: Redactor?) -> PlannedExchange {
        let exchange = Exchange(plan, context)
        var check = EndpointCheck(
            plan.declaration, call: plan.call, endpoint: plan.endpoint, request: plan.request,
            redactor: exchange.redactor, maxLatency: options.judging.maxLatency)
        let savesResponses = options.reports.responses != nil
        check.keepsResponse = savesResponses
        // The redactor of the exchange does not know the secrets of a very long body. The curl command shows the body,
        // so they must be removed there.
        var bodySecrets = Redactor()
        bodySecrets.add(plan.bodySecrets)
        var redactors = [exchange.redactor, bodySecrets]
        if let capturedSecrets { redactors.append(capturedSecrets) }
        let url = redactors.redact(plan.request.redactedURL).safeToShow
        return PlannedExchange(
            check: check, client: exchange.client, plan: plan, url: url,
            curlCommand: { [redactors] in curlCommand(of: plan, redactedBy: redactors) },
            makeExchange: { newPlan in plannedExchange(of: newPlan, capturedSecrets: capturedSecrets) })
    }

    /// Returns the curl command that sends the request of a plan, without the secrets that the redactors know.
    private func curlCommand(of plan: CallPlan, redactedBy redactors: [Redactor]) -> String {
        // Secrets are removed before the words are quoted for a shell, because quotes may divide a secret.
        let command = CurlCommandText(plan, context).redacted { redactors.redact($0) }
        return ShellText.command(command).safeToShow
    }
}

extension [Redactor] {
    /// Returns a text with `(redacted)` in place of the secrets that any of the redactors knows.
    fileprivate func redact(_ text: String) -> String {
        reduce(text) { redactedText, redactor in redactor.redact(redactedText) }
    }
}
