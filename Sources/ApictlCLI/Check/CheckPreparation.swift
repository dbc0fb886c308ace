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
    func declarations(_ patterns: [SourcedText]) throws -> [EndpointDeclaration] {
        let registry = context.registry
        if patterns.isEmpty { return try registry.endpointsWithoutNames() }
        return try registry.description(matching: patterns).apis.flatMap { described in
            let names = Set(described.endpoints.map(\.name))
            return try described.api.declarations().filter { names.contains($0.name) }
        }
    }

    // MARK: Examples

    /// Returns the checks of the examples of endpoints, one for each example, as far as `--shard` includes them.
    ///
    /// With `--unsafe`, the checks of an API run one after the other in the order of the API's examples, because an
    /// example may need data that an earlier one has created. Otherwise all checks run side by side.
    ///
    /// - Parameter patterns: Names of endpoints, which may have wildcards. If there are none, all endpoints are
    ///   checked.
    /// - Throws: ``UsageError`` for a pattern that matches nothing, and the errors of resolving a call.
    func checks(_ patterns: [SourcedText]) async throws -> CheckSelection {
        var selection = CheckSelection()
        for (_, declarations) in try declarations(patterns).grouped(by: { $0.api.name }) {
            var checks: [PlannedCheck] = []
            for declaration in declarations {
                // An endpoint without examples gets a check too. It is skipped, so that the report names the
                // endpoint.
                for index in 0..<max(declaration.examples.count, 1) {
                    let isIncluded = options.running.shard?.includes(selection.count) ?? true
                    selection.count += 1
                    if isIncluded { checks.append(try await check(declaration, exampleIndex: index)) }
                }
            }
            if options.running.includesUnsafe {
                selection.append(checks, order: try Self.exampleOrder(of: checks, in: declarations[0].api))
            } else {
                for check in checks { selection.append([check]) }
            }
        }
        return selection
    }

    /// Returns the order in which checks run: that of the API's examples, which may mix endpoints. Checks without an
    /// example come last.
    ///
    /// - Returns: The indices of `checks` in the order in which they run.
    private static func exampleOrder(of checks: [PlannedCheck], in api: CatalogueAPI) throws -> [Int] {
        let examples = try api.exampleOrder()
        let ranks = Dictionary(uniqueKeysWithValues: zip(examples, examples.indices))
        let ranksOfChecks = checks.map { check in
            let endpointName = check.call.declaration.endpointName
            return ranks[ExampleNumber(endpointName: endpointName, number: check.call.example)] ?? .max
        }
        return checks.indices.sorted { ranksOfChecks[$0] < ranksOfChecks[$1] }
    }

    /// Returns the check of an example. If the endpoint has no examples, the check is skipped.
    ///
    /// - Parameter exampleIndex: The index of the example among those of the endpoint.
    private func check(_ declaration: EndpointDeclaration, exampleIndex: Int) async throws -> PlannedCheck {
        let example = example(of: declaration, at: exampleIndex)
        let endpoint = example?.endpoint ?? declaration.endpoint
        let call = CheckedCall(declaration, endpoint, example: exampleIndex + 1)
        guard let example else { return PlannedCheck(call: call, skipped: .withoutExample) }
        return try await check(try request(of: example, declaration), call)
    }

    /// Returns the example at an index; nil if the endpoint has no examples.
    ///
    /// With `--sample`, nothing is sent. So an endpoint without examples can be checked with a call whose values are
    /// made up.
    private func example(of declaration: EndpointDeclaration, at index: Int) -> EndpointCall? {
        if !declaration.examples.isEmpty { return declaration.examples[index] }
        return isSample && declaration.endpoint.sample != nil ? declaration.firstCall : nil
    }

    /// Returns the request of an example.
    ///
    /// The configuration may have values for parameters that the example leaves out. Then the values of the example
    /// are given like those of a command line, so that the configuration completes them.
    private func request(of example: EndpointCall, _ declaration: EndpointDeclaration) throws -> CallRequest {
        var request = CallRequest(declaration)
        request.options = options.call
        let configuredParameters = resolver.settings.configuration?.settings(of: declaration.api).parameters ?? []
        if configuredParameters.isEmpty {
            request.call = example
            return request
        }
        for (name, value) in try example.values().parameters {
            try request.take(value, for: name, from: .preset)
        }
        return request
    }

    // MARK: Resolving

    /// The result of resolving the call of a check.
    enum Resolution {
        case plan(CallPlan)
        /// The check is skipped, because the call can't or must not be sent. The outcome says why.
        case skipped(CheckOutcome)
    }

    /// Returns the check of a call.
    ///
    /// - Parameters:
    ///   - request: The request of the call.
    ///   - call: The call as reports name it.
    ///   - capturedSecrets: Removes secrets that are not the request's; nil if there are none.
    /// - Throws: Any error of resolving the call, except for a credential without a value. The check is then skipped.
    func check(
        _ request: CallRequest, _ call: CheckedCall, _ capturedSecrets: Redactor? = nil
    ) async throws -> PlannedCheck {
        switch try await resolution(of: request) {
        case .skipped(let outcome): PlannedCheck(call: call, skipped: outcome)
        case .plan(let plan): check(plan, call, capturedSecrets)
        }
    }

    /// Resolves the call of a check.
    ///
    /// The check is skipped if the endpoint has no sample, if the method may change data and `--unsafe` is not given,
    /// or if a credential is missing.
    ///
    /// - Throws: All other errors of resolving the call.
    func resolution(of request: CallRequest) async throws -> Resolution {
        let endpoint = request.endpoint ?? request.call?.endpoint ?? request.declaration.endpoint
        if isSample, endpoint.sample == nil { return .skipped(.withoutSample) }
        if !isSample, !options.running.includesUnsafe, !endpoint.method.isSafe {
            return .skipped(.skipped(.unsafe(endpoint.method, hint: "To send it: --unsafe")))
        }
        do {
            return .plan(try await plan(request))
        } catch {
            guard let outcome = CheckOutcome.skipped(withoutCredential: error) else { throw error }
            return .skipped(outcome)
        }
    }

    /// Resolves a call into a plan. A check compares whole bodies, so it has the time limit of a decoded response.
    private func plan(_ request: CallRequest) async throws -> CallPlan {
        var request = try context.completed(request)
        request.isReadWhole = true
        return try await resolver.plan(request, until: request.options.transfer.deadline(from: .now))
    }

    /// Returns the check of a resolved call.
    ///
    /// - Parameters:
    ///   - call: The call as reports name it.
    ///   - capturedSecrets: Removes secrets that are not the request's; nil if there are none.
    private func check(_ plan: CallPlan, _ call: CheckedCall, _ capturedSecrets: Redactor?) -> PlannedCheck {
        let exchange = plannedExchange(plan, capturedSecrets)
        // The command takes long to make. Of a check that passes, only the JSON report shows it.
        let needsCommand = options.reports.files[.json] != nil
        let sentCall = call.with(
            plan.endpoint, url: exchange.url, curl: needsCommand ? exchange.curlCommand() : nil)
        return PlannedCheck(call: sentCall, exchange: exchange)
    }

    /// Returns the exchange of a resolved call.
    ///
    /// - Parameter capturedSecrets: Removes secrets that are not the request's; nil if there are none.
    private func plannedExchange(_ plan: CallPlan, _ capturedSecrets: Redactor?) -> PlannedExchange {
        let exchange = Exchange(plan, context)
        var bodySecrets = Redactor()
        bodySecrets.add(plan.bodySecrets)
        let redactors = [exchange.redactor, bodySecrets] + [capturedSecrets].compactMap(\.self)
        let curlCommand: @Sendable () -> String = { [context] in
            // Secrets are removed before the words are quoted for a shell, because quotes may divide a secret.
            let command = CurlCommandText(plan, context).redacted { redactors.redact($0) }
            return ShellText.command(command).safeToShow
        }
        var check = EndpointCheck(
            plan.declaration, call: plan.call, endpoint: plan.endpoint, request: plan.request,
            redactor: exchange.redactor, maxLatency: options.judging.maxLatency)
        check.keepsResponse = options.reports.responses != nil
        return PlannedExchange(
            check: check, client: exchange.client, plan: plan,
            url: redactors.redact(plan.request.redactedURL).safeToShow, curlCommand: curlCommand,
            exchangeOfPlan: { plannedExchange($0, capturedSecrets) })
    }
}

extension [Redactor] {
    /// Returns a text with `(redacted)` in place of the secrets that any of the redactors knows.
    fileprivate func redact(_ text: String) -> String { reduce(text) { $1.redact($0) } }
}
