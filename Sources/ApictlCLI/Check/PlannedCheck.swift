import EndpointKit
import EndpointTools

/// The check of one call, which has been resolved but not sent.
struct PlannedCheck: Sendable {
    let call: CheckedCall
    /// The request to send; nil if nothing is sent.
    var exchange: PlannedExchange?
    /// A request with stand-ins for captured values, which is never sent. It has the server and the method of the
    /// request that is sent once the values are known.
    var preview: PlannedExchange?
    /// The outcome of a check without ``exchange``, which says why nothing is sent.
    var skipped = CheckOutcome.withoutSample
    /// The case that is checked; nil if the check is of an example.
    var step: CaseStep?

    /// Carries out the check. A case first gets the values that earlier cases have captured.
    ///
    /// - Parameter archive: Records the exchange; nil if it is not recorded.
    /// - Throws: `CancellationError`.
    func result(_ archive: HARLog?) async throws -> CheckResult {
        if let step { return try await step.run(self, archive) }
        return try await send(archive)
    }

    /// Carries out the check as it is, without regard to other cases.
    ///
    /// - Parameter archive: Records the exchange; nil if it is not recorded.
    /// - Throws: `CancellationError`.
    func send(_ archive: HARLog?) async throws -> CheckResult {
        guard let exchange else { return CheckResult(call, skipped) }
        let outcome = try await exchange.run(archive)
        // The command that repeats a check takes long to make. After a check that passed, nobody needs it.
        let needsCommand = outcome.verdict != .passed && call.curl == nil
        return CheckResult(needsCommand ? callWithCommand(exchange) : call, outcome)
    }

    /// Returns the call with the curl command that sends the same request.
    private func callWithCommand(_ exchange: PlannedExchange) -> CheckedCall {
        call.with(exchange.check.endpoint, url: call.url, curl: exchange.curlCommand())
    }
}

/// The request of a check with the requirements for its response, and the client that sends it.
struct PlannedExchange: Sendable {
    var check: EndpointCheck
    let client: Client
    /// Returns the curl command that sends the same request, without secrets. It takes long to make.
    let curlCommand: @Sendable () -> String
    /// The plan of the request.
    let plan: CallPlan
    /// The URL of the request, without secrets.
    let url: String
    /// Returns the exchange of another plan for the same call, which has the value of a refreshed login.
    let exchangeOfPlan: @Sendable (CallPlan) -> PlannedExchange
    /// Adds the requirements of a case to the check.
    private var addition: @Sendable (EndpointCheck) throws -> EndpointCheck = { $0 }

    /// Plans the exchange of a check without requirements of a case.
    init(
        check: EndpointCheck, client: Client, plan: CallPlan, url: String,
        curlCommand: @escaping @Sendable () -> String,
        exchangeOfPlan: @escaping @Sendable (CallPlan) -> PlannedExchange
    ) {
        self.check = check
        self.client = client
        self.plan = plan
        self.url = url
        self.curlCommand = curlCommand
        self.exchangeOfPlan = exchangeOfPlan
    }

    /// Adds the requirements of a case to the check, now and whenever a login has been refreshed.
    ///
    /// - Throws: The errors of `addition`.
    mutating func add(_ addition: @escaping @Sendable (EndpointCheck) throws -> EndpointCheck) throws {
        check = try addition(check)
        self.addition = addition
    }

    /// Sends the request and judges the response. If the server does not accept the value of a login, the login is
    /// refreshed and the request is sent again.
    ///
    /// - Parameter archive: Records the exchange; nil if it is not recorded.
    /// - Returns: The outcome of the last request. If the login can't be refreshed, the outcome says why.
    /// - Throws: `CancellationError`.
    func run(_ archive: HARLog?) async throws -> CheckOutcome {
        var rejection: CheckOutcome?
        do {
            return try await plan.sendRefreshingLogin(limit: .request) { plan, reportsRejectedLogin in
                let outcome = try await exchange(of: plan).send(archive)
                // A case may expect the 401.
                if reportsRejectedLogin, outcome.status == 401, !check.expected.status.contains(401) {
                    rejection = outcome
                    throw RejectedLogin()
                }
                return outcome
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            guard var rejection else { return CheckOutcome.skipped(withoutCredential: error) ?? .failed(error) }
            rejection.explain(error)
            return rejection
        }
    }

    /// Returns the exchange of a plan: this one, or that of the plan with a refreshed login.
    ///
    /// - Throws: The errors of adding the requirements of a case.
    private func exchange(of plan: CallPlan) throws -> PlannedExchange {
        if plan === self.plan { return self }
        var exchange = exchangeOfPlan(plan)
        try exchange.add(addition)
        return exchange
    }

    /// Sends the request and judges the response.
    ///
    /// - Parameter archive: Records the exchange; nil if it is not recorded.
    /// - Throws: `CancellationError`.
    private func send(_ archive: HARLog?) async throws -> CheckOutcome {
        guard let recording = archive?.recording(client) else { return try await check.run(client) }
        // Recorded texts must not show the secrets that cases have captured.
        defer { recording.end([check.redactor] + [check.otherSecrets?()].compactMap(\.self)) }
        return try await check.run(recording.client)
    }
}

extension CheckOutcome {
    /// The outcome of a check with `--sample` of an endpoint that has none.
    static let withoutSample = skipped("there is no sample")

    /// Returns the outcome of a check that is skipped because a credential has no value.
    ///
    /// - Parameter error: The reason why there is no value.
    /// - Returns: The outcome; nil for an error that has nothing to do with credentials.
    static func skipped(withoutCredential error: any Error) -> CheckOutcome? {
        switch error {
        case let error as MissingCredential: return .skipped(.missing(error))
        case let error as MissingLogin:
            var problem = CheckProblem.missing(error.missing)
            problem.hint = error.hint.text
            return .skipped(problem)
        case let error as CredentialSourceFailure:
            let found = "not set: \(error.source.sentence): \(error.reason)"
            return .skipped(CheckProblem(.credential, expected: error.variable, found: found))
        case let error as LoginFailure:
            return .skipped(CheckProblem(.credential, expected: "a token", found: "missing: \(error.sentence)"))
        default: return nil
        }
    }

    /// Returns the outcome of a check whose request could not be made.
    static func failed(_ error: any Error) -> CheckOutcome {
        CheckOutcome(verdict: .failed, problems: [CheckProblem(.credential, found: Failure(error).message)])
    }

    /// Says in the hint of an unexpected 401 why the login could not be refreshed.
    mutating func explain(_ error: any Error) {
        guard let index = problems.firstIndex(where: { $0.kind == .status }) else { return }
        let login = error as? MissingLogin
        problems[index].hint = login?.hint.text ?? Failure(error).message
    }
}
