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
    private let makeExchange: @Sendable (CallPlan) -> PlannedExchange
    /// The requirements that ``addRequirements(_:)`` has added; by default none.
    private var addRequirementsOfCase: AddRequirements = { $0 }

    /// Makes the exchange of a plan. If a case is checked, ``addRequirements(_:)`` adds the requirements of the case.
    ///
    /// - Parameters:
    ///   - check: The request, and the requirements for its response.
    ///   - client: The client that sends the request.
    ///   - plan: The plan of the request.
    ///   - url: The URL of the request, without secrets.
    ///   - curlCommand: Returns the curl command that sends the same request, without secrets.
    ///   - makeExchange: Returns the exchange of the plan with a refreshed login.
    init(
        check: EndpointCheck, client: Client, plan: CallPlan, url: String,
        curlCommand: @escaping @Sendable () -> String,
        makeExchange: @escaping @Sendable (CallPlan) -> PlannedExchange
    ) {
        self.check = check
        self.client = client
        self.plan = plan
        self.url = url
        self.curlCommand = curlCommand
        self.makeExchange = makeExchange
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
        // The outcome with the status 401. It is reported if the login can't be refreshed afterwards.
        var rejectedOutcome: CheckOutcome?
        do {
            // The closure sends this plan. After `RejectedLogin`, it sends the plan with the refreshed login, and must
            // not throw that error again.
            return try await plan.sendRefreshingLogin(limit: .request) { currentPlan, mayRefreshLogin in
                let outcome = try await exchange(of: currentPlan).sendOnce(recordingIn: archive)
                // A case may expect the 401.
                let expectsUnauthorized = check.expected.status.contains(401)
                let isLoginRejected = outcome.status == 401 && !expectsUnauthorized
                if mayRefreshLogin, isLoginRejected {
                    rejectedOutcome = outcome
                    throw RejectedLogin()
                }
                return outcome
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            // The login could not be refreshed. Without an outcome, no request was sent.
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
        var newExchange = makeExchange(plan)
        try newExchange.addRequirements(addRequirementsOfCase)
        return newExchange
    }

    /// Sends the request and judges the response, without regard to logins.
    ///
    /// - Parameter archive: Records the exchange; nil if it is not recorded.
    /// - Throws: `CancellationError`.
    private func sendOnce(recordingIn archive: HARLog?) async throws -> CheckOutcome {
        guard let recording = archive?.recording(client) else { return try await check.run(client) }
        defer {
            // Recorded texts must show neither the request's secrets nor those that cases have captured.
            var redactors = [check.redactor]
            if let capturedSecrets = check.otherSecrets?() { redactors.append(capturedSecrets) }
            recording.end(redactors)
        }
        return try await check.run(recording.client)
    }
}
