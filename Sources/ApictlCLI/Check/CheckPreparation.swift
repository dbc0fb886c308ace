import EndpointKit
import EndpointTools

/// Chooses the calls to check, and resolves them in the way that `call` does.
struct CheckPreparation: Sendable {
    let options: CheckOptions
    let resolver: CallResolver
    var context: CommandContext { resolver.context }

    private var isSample: Bool { options.call.purpose == .sample }

    // MARK: Endpoints

    /// Returns the endpoints that patterns match, in the order of the catalogue.
    ///
    /// - Parameter patterns: The names of endpoints, with wildcards; all endpoints without any.
    /// - Throws: ``UsageError`` for a pattern that matches nothing.
    func declarations(_ patterns: [SourcedText]) throws -> [EndpointDeclaration] {
        let registry = context.registry
        if patterns.isEmpty { return try registry.endpoints() }
        let names = Set(try registry.description(matching: patterns).endpoints.map(\.name))
        return try registry.endpoints().filter { names.contains($0.name) }
    }

    // MARK: Examples

    /// Returns a check of each example of endpoints that `--shard` includes.
    ///
    /// With `--unsafe`, the checks of an API run one after the other in the order of the API's examples, because an
    /// example may need data that an earlier one has created. Otherwise, all run side by side.
    ///
    /// - Parameter patterns: The names of endpoints, with wildcards; all endpoints without any.
    /// - Throws: ``UsageError`` for a pattern that matches nothing, and any other error of resolving a call.
    func checks(_ patterns: [SourcedText]) async throws -> CheckSelection {
        var selection = CheckSelection()
        for (_, declarations) in try declarations(patterns).grouped(by: { $0.api.name }) {
            var checks: [PlannedCheck] = []
            for declaration in declarations {
                // An endpoint without examples has one check, which is skipped.
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

    /// Returns the indices of checks in the order of the API's examples. Checks without an example come last.
    private static func exampleOrder(of checks: [PlannedCheck], in api: CatalogueAPI) throws -> [Int] {
        let examples = try api.exampleOrder()
        let ranks = Dictionary(uniqueKeysWithValues: zip(examples, examples.indices))
        let ranksOfChecks = checks.map { check in
            let endpointName = check.call.declaration.endpointName
            return ranks[ExampleNumber(endpointName: endpointName, number: check.call.example)] ?? .max
        }
        return checks.indices.sorted { ranksOfChecks[$0] < ranksOfChecks[$1] }
    }

    /// Returns the check of an example.
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
    /// A sample is compared without sending anything. So a call with made-up values is an example too.
    private func example(of declaration: EndpointDeclaration, at index: Int) -> EndpointCall? {
        if !declaration.examples.isEmpty { return declaration.examples[index] }
        return isSample && declaration.endpoint.sample != nil ? declaration.firstCall : nil
    }

    /// Returns the request of an example.
    ///
    /// If the configuration has values for parameters, they count for those that the example does not give.
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
        /// Nothing can be sent, or nothing may be.
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
    /// - Throws: Any error of resolving the call, except for a credential without a value.
    func resolution(of request: CallRequest) async throws -> Resolution {
        let endpoint = request.call?.endpoint ?? request.declaration.endpoint
        if isSample, endpoint.sample == nil { return .skipped(.withoutSample) }
        if !isSample, !options.running.includesUnsafe, !endpoint.method.isSafe {
            return .skipped(.skipped(.unsafe(endpoint.method, hint: "To send it: --unsafe")))
        }
        do {
            return .plan(try await plan(request))
        } catch let error as MissingCredential {
            return .skipped(.skipped(.missing(error)))
        } catch let error as CredentialSourceFailure {
            return .skipped(.skipped(Self.problem(error)))
        }
    }

    /// Resolves a call into a plan.
    private func plan(_ request: CallRequest) async throws -> CallPlan {
        var request = try context.completed(request)
        request.isReadWhole = true
        return try await resolver.plan(request, until: request.options.transfer.deadline(from: .now))
    }

    /// Returns the problem that the source of a credential gave no value.
    private static func problem(_ error: CredentialSourceFailure) -> CheckProblem {
        let found = "not set: \(error.source.sentence): \(error.reason)"
        return CheckProblem(.credential, expected: error.variable, found: found)
    }

    /// Returns the check of a resolved call.
    ///
    /// - Parameters:
    ///   - call: The call as reports name it.
    ///   - capturedSecrets: Removes secrets that are not the request's; nil if there are none.
    private func check(_ plan: CallPlan, _ call: CheckedCall, _ capturedSecrets: Redactor?) -> PlannedCheck {
        let exchange = Exchange(plan, context)
        var bodySecrets = Redactor()
        bodySecrets.add(plan.bodySecrets)
        let redactors = [exchange.redactor, bodySecrets] + [capturedSecrets].compactMap(\.self)
        let url = redactors.redact(plan.request.redactedURL).safeToShow
        let curlCommand: @Sendable () -> String = { [context] in
            // Redacted before it is quoted for a shell, because quotes may divide a secret.
            let command = CurlCommandText(plan, context).redacted { redactors.redact($0) }
            return ShellText.command(command).safeToShow
        }
        // Only the report in JSON shows the commands of checks that pass.
        let needsCommand = options.reports.files[.json] != nil
        let sentCall = CheckedCall(
            call.declaration, plan.endpoint, example: call.example, caseName: call.caseName, url: url,
            curl: needsCommand ? curlCommand() : nil)
        var check = EndpointCheck(
            plan.declaration, call: plan.call, endpoint: plan.endpoint, request: plan.request,
            redactor: exchange.redactor, maxLatency: options.judging.maxLatency)
        check.keepsResponse = options.reports.responses != nil
        return PlannedCheck(
            call: sentCall,
            exchange: PlannedExchange(check: check, client: exchange.client, curlCommand: curlCommand))
    }
}

extension [Redactor] {
    /// Returns a text with `(redacted)` in place of all secrets that one of the redactors knows.
    fileprivate func redact(_ text: String) -> String { reduce(text) { $1.redact($0) } }
}
