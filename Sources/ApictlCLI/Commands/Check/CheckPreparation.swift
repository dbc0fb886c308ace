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

    /// The call that `plan` gets from the resolver of that endpoint and those parameters; `captured` knows the secrets that may be among
    /// them. Throws what `plan` does, except for `MissingCredential`, for which the call is skipped.
    func prepare(
        _ declaration: EndpointDeclaration, _ parameters: [ParameterWord] = [], captured: Redactor? = nil,
        _ plan: (PlanResolver) throws -> CallPlan
    ) throws -> Prepared {
        let endpoint = declaration.endpoint
        let isSample = options.call.sample
        if isSample, endpoint.sample == nil { return Prepared(action: .skip(nil)) }
        if !isSample, !options.includesUnsafe, !endpoint.method.isSafe {
            return Prepared(action: .skip(.unsafe(endpoint.method)))
        }
        let arguments = CallArguments(declaration: declaration, parameters: parameters, options: options.call)
        do {
            let plan = try plan(
                PlanResolver(arguments: arguments, purpose: isSample ? .sample : .send, context: context))
            let secrets = context.environment.proxySecrets + plan.connection.secrets
            let redactor = Redactor(plan.request, others: secrets)
            func redact(_ text: String) -> String { captured?.redact(redactor.redact(text)) ?? redactor.redact(text) }
            let check = EndpointCheck(
                call: plan.call, endpoint: plan.endpoint, request: plan.request, redactor: redactor,
                maxLatency: options.maxLatency)
            // Before it is quoted, which may tear a secret apart.
            let curl = ShellText.command(CurlInvocation(plan, context).redacted(redact))
            return Prepared(
                action: .send(check, client(plan, redactor)),
                request: RequestText(
                    url: redact(plan.request.redactedURL).safeToShow, curl: curl.safeToShow))
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
