import EndpointKit
import EndpointTools

/// The request of a check with the requirements for its response, and the client that sends it.
struct PlannedExchange: Sendable {
    /// Adds the requirements of a case to a check.
    typealias AddRequirements = @Sendable (EndpointCheck) throws -> EndpointCheck

    /// The request, and the requirements for its response.
    private(set) var check: EndpointCheck
    let client: Client
    /// Returns the curl command that sends the same request, without secrets. It takes long to make.
    let curlCommand: @Sendable () -> String
    /// The plan of the request.
    let plan: CallPlan
    /// The URL of the request, without secrets.
    let url: String
    /// Returns the exchange of another plan for the same call, without requirements of a case. The other plan has the
    /// value of a refreshed login.
    let exchangeOfPlan: @Sendable (CallPlan) -> PlannedExchange
    /// The requirements that ``addRequirements(_:)`` has added; by default none.
    private var addRequirementsOfCase: AddRequirements = { $0 }

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

    /// Adds the requirements of a case to the check, now and again whenever a login has been refreshed.
    ///
    /// - Throws: The errors of `addRequirements`.
    mutating func addRequirements(_ addRequirements: @escaping AddRequirements) throws {
        check = try addRequirements(check)
        addRequirementsOfCase = addRequirements
    }

    /// Sends the request and judges the response. If the server does not accept the value of a login, the login is
    /// refreshed and the request is sent again.
    ///
    /// - Parameter archive: Records the exchange; nil if it is not recorded.
    /// - Returns: The outcome of the last request. If the login can't be refreshed, the outcome says why.
    /// - Throws: `CancellationError`.
    func send(recordingIn archive: HARLog?) async throws -> CheckOutcome {
        var rejectedOutcome: CheckOutcome?
        do {
            return try await plan.sendRefreshingLogin(limit: .request) { plan, reportsRejectedLogin in
                let outcome = try await exchange(of: plan).sendOnce(recordingIn: archive)
                // This error has the login refreshed and the request sent again. A case may expect the 401.
                let expectsUnauthorized = check.expected.status.contains(401)
                if reportsRejectedLogin, outcome.status == 401, !expectsUnauthorized {
                    rejectedOutcome = outcome
                    throw RejectedLogin()
                }
                return outcome
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            // The login could not be refreshed. If a request was sent, its outcome is the one to report.
            if var rejectedOutcome {
                rejectedOutcome.explainUnauthorized(by: error)
                return rejectedOutcome
            }
            return CheckOutcome.skipped(withoutCredential: error) ?? .failed(withoutRequest: error)
        }
    }

    /// Returns the exchange of a plan: this exchange for its own plan, or a new one with the same requirements for the
    /// plan with a refreshed login.
    ///
    /// - Throws: The errors of adding the requirements of a case.
    private func exchange(of plan: CallPlan) throws -> PlannedExchange {
        if plan === self.plan { return self }
        var exchange = exchangeOfPlan(plan)
        try exchange.addRequirements(addRequirementsOfCase)
        return exchange
    }

    /// Sends the request and judges the response, without regard to logins.
    ///
    /// - Parameter archive: Records the exchange; nil if it is not recorded.
    /// - Throws: `CancellationError`.
    private func sendOnce(recordingIn archive: HARLog?) async throws -> CheckOutcome {
        guard let recording = archive?.recording(client) else { return try await check.run(client) }
        defer {
            // Recorded texts must show neither the request's secrets nor those that cases have captured.
            let capturedSecrets = check.otherSecrets?()
            recording.end([check.redactor] + [capturedSecrets].compactMap(\.self))
        }
        return try await check.run(recording.client)
    }
}
