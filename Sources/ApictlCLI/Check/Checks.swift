import EndpointKit
import EndpointTools

/// The check of one call.
struct PlannedCheck: Sendable {
    let call: CheckedCall
    /// What is sent; nil if nothing is.
    var sent: (check: EndpointCheck, client: Client)?
    /// The outcome if nothing is sent.
    var skipped = CheckOutcome.skipped("there is no sample")
    /// Nil for an example.
    var step: CaseStep?

    /// Carries out the check.
    ///
    /// - Parameter archive: Where its exchange is recorded.
    /// - Throws: `CancellationError`.
    func result(_ archive: HARLog?) async throws -> CheckResult {
        if let step { try await step.run(self, archive) } else { try await send(archive) }
    }

    /// Carries out the check without regard to other cases.
    ///
    /// - Parameter archive: Where its exchange is recorded.
    /// - Throws: `CancellationError`.
    func send(_ archive: HARLog?) async throws -> CheckResult {
        guard let (check, client) = sent else { return CheckResult(call, skipped) }
        let recording = archive?.recording(client)
        defer { recording?.end([check.redactor] + [check.otherSecrets?()].compactMap(\.self)) }
        return CheckResult(call, try await check.run(recording?.client ?? client))
    }
}

/// Chooses what to check, and resolves it in the way that `call` does.
struct CheckPreparation: Sendable {
    let options: CheckOptions
    let resolver: CallResolver
    var context: CommandContext { resolver.context }

    /// The endpoints that `patterns` match, in the order of the catalogue. Throws ``UsageError`` for a pattern that matches nothing.
    func declarations(_ patterns: [SourcedText]) throws -> [EndpointDeclaration] {
        let registry = context.registry
        guard !patterns.isEmpty else { return try registry.endpoints() }
        let names = Set(try registry.description(matching: patterns).endpoints.map(\.name))
        return try registry.endpoints().filter { names.contains($0.name) }
    }

    /// A check of each of their examples, if it is in the part that is run. With `--unsafe`, those of an API run one after the other in the
    /// order of its examples. Throws as ``declarations(_:)`` does, and what resolving throws.
    func checks(_ patterns: [SourcedText]) async throws -> CheckSelection {
        var selection = CheckSelection()
        for (_, own) in try declarations(patterns).grouped(by: { $0.api.name }) {
            var checks: [PlannedCheck] = []
            for declaration in own {
                for index in 0..<max(declaration.examples.count, 1) {
                    selection.count += 1
                    guard options.running.shard?.includes(selection.count - 1) ?? true else { continue }
                    checks.append(try await check(declaration, example: index))
                }
            }
            if options.running.includesUnsafe {
                try selection.append(checks, order: Self.order(of: checks, in: own[0].api))
            } else {
                for check in checks { selection.append([check]) }
            }
        }
        return selection
    }

    /// The places of `checks` in the order of the API's examples; last come those without one.
    private static func order(of checks: [PlannedCheck], in api: CatalogueAPI) throws -> [Int] {
        let examples = try api.exampleOrder()
        let places = Dictionary(uniqueKeysWithValues: zip(examples, examples.indices))
        let ownPlaces = checks.map { check in
            let declaration = check.call.declaration
            let example = ExampleNumber(endpointName: declaration.endpointName, number: check.call.example)
            return places[example] ?? .max
        }
        return checks.indices.sorted { ownPlaces[$0] < ownPlaces[$1] }
    }

    private func check(_ declaration: EndpointDeclaration, example index: Int) async throws -> PlannedCheck {
        // A sample is compared whatever the values of the call are, for nothing is sent.
        let isSample = options.call.purpose == .sample && declaration.endpoint.sample != nil
        let madeUp = isSample ? declaration.firstCall : nil
        let example = declaration.examples.isEmpty ? madeUp : declaration.examples[index]
        let endpoint = example?.endpoint ?? declaration.endpoint
        let call = CheckedCall(declaration, endpoint, example: index + 1)
        guard let example else { return PlannedCheck(call: call, skipped: .withoutExample) }
        var request = CallRequest(declaration)
        request.options = options.call
        // As of a command, the configuration has the values of parameters that the example does not give.
        if resolver.settings.configuration?.settings(of: declaration.api).parameters.isEmpty ?? true {
            request.call = example
        } else {
            for (name, value) in try example.values().parameters { try request.take(value, for: name, from: .preset) }
        }
        return try await check(request, call)
    }

    /// The check of `call`, which sends `request`; `captured` knows what else is not to be shown.
    ///
    /// Throws what resolving does, except for a credential that is missing, for which the call is skipped.
    func check(
        _ request: CallRequest, _ call: CheckedCall, _ captured: Redactor? = nil
    ) async throws -> PlannedCheck {
        let endpoint = request.call?.endpoint ?? request.declaration.endpoint
        let isSample = options.call.purpose == .sample
        if isSample, endpoint.sample == nil { return PlannedCheck(call: call) }
        if !isSample, !options.running.includesUnsafe, !endpoint.method.isSafe {
            return PlannedCheck(call: call, skipped: .skipped(.unsafe(endpoint.method, hint: "To send it: --unsafe")))
        }
        do {
            let plan = try await plan(request)
            let exchange = Exchange(plan, context)
            var typed = Redactor()
            typed.add(plan.bodySecrets)
            func redact(_ text: String) -> String {
                let text = typed.redact(exchange.redactor.redact(text))
                return captured?.redact(text) ?? text
            }
            // Before it is quoted, which may tear a secret apart.
            let curl = ShellText.command(CurlCommandText(plan, context).redacted(redact))
            let call = CheckedCall(
                call.declaration, plan.endpoint, example: call.example, caseName: call.caseName,
                url: redact(plan.request.redactedURL).safeToShow, curl: curl.safeToShow)
            var sent = EndpointCheck(
                plan.declaration, call: plan.call, endpoint: plan.endpoint, request: plan.request,
                redactor: exchange.redactor,
                maxLatency: options.judging.maxLatency)
            sent.keepsResponse = options.reports.responses != nil
            return PlannedCheck(call: call, sent: (sent, exchange.client))
        } catch let error as MissingCredential {
            return PlannedCheck(call: call, skipped: .skipped(.missing(error)))
        } catch let error as CredentialSourceFailure {
            let found = "not set: \(error.source.sentence): \(error.reason)"
            let problem = CheckProblem(.credential, expected: error.variable, found: found)
            return PlannedCheck(call: call, skipped: .skipped(problem))
        }
    }

    /// Resolves the call of a check.
    private func plan(_ request: CallRequest) async throws -> CallPlan {
        var request = try context.completed(request)
        request.isReadWhole = true
        return try await resolver.plan(request, until: request.options.transfer.deadline(from: .now))
    }
}
