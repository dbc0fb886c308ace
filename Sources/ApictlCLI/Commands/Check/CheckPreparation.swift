import EndpointKit

/// Resolves calls to check in the way that `call` does.
struct CheckPreparation: Sendable {
    let options: CheckOptions
    let context: RunContext

    /// A call and what is done about it.
    struct Prepared: Sendable {
        var action: CheckCase.Action
        var request: RequestText?
    }

    /// The call that `plan` gets from the resolver of that endpoint and those parameters. Throws what `plan` does, except for
    /// `MissingCredential`, for which the call is skipped.
    func prepare(
        _ declaration: EndpointDeclaration, _ parameters: [ParameterWord] = [],
        _ plan: (PlanResolver) throws -> CallPlan
    ) throws -> Prepared {
        let endpoint = declaration.endpoint
        let isSample = options.call.sample
        if isSample, endpoint.sample == nil { return Prepared(action: .skip(nil)) }
        if !isSample, !options.includesUnsafe, !endpoint.method.isSafe {
            return Prepared(action: .skip(.unsafe(endpoint.method)))
        }
        func resolver(_ purpose: CallPlan.Purpose) -> PlanResolver {
            let arguments = CallArguments(declaration: declaration, parameters: parameters, options: options.call)
            return PlanResolver(arguments: arguments, purpose: purpose, context: context)
        }
        do {
            let sent = try plan(resolver(isSample ? .sample : .send))
            let shown = try plan(resolver(.print))
            let secrets = context.environment.proxySecrets + sent.connection.secrets
            let redactor = Redactor(sent.request, others: secrets)
            let check = EndpointCheck(
                call: sent.call, endpoint: sent.endpoint, request: sent.request, redactor: redactor,
                maxLatency: options.maxLatency)
            let curl = ShellText.command(CurlInvocation(shown, context))
            return Prepared(
                action: .send(check, client(sent, redactor)),
                request: RequestText(
                    url: redactor.redact(sent.request.redactedURL).safeToShow, curl: redactor.redact(curl).safeToShow))
        } catch let error as MissingCredential {
            return Prepared(action: .skip(.missing(error)))
        }
    }

    private func client(_ plan: CallPlan, _ redactor: Redactor) -> Client {
        var client = plan.client(context.environment.transport)
        client.maxBodySize = options.call.maxBytes ?? ResponseLimit.decoded
        client.retry = RetryLog(subject: "", output: nil, redactor: redactor).policy(options.call)
        return client
    }
}
