/// The login that gave a value of a request, if it can be refreshed.
struct RefreshableLogin: Sendable {
    /// Whether the server has not accepted the value for another request of this run.
    let isRejected: @Sendable () -> Bool
    /// Refreshes the login until a deadline, and returns the plan of the call with the new value.
    let refreshedPlan: @Sendable (_ deadline: ContinuousClock.Instant?) async throws -> CallPlan
}

/// The error that a server has not accepted the value of a login (401), before anything of the response was shown.
struct RejectedLogin: Error {}

extension CallPlan {
    /// Sends this plan. If the server does not accept the value of a login (401), refreshes the login once, and sends
    /// the plan with the new value.
    ///
    /// A value that the server has not accepted for another request of this run is not sent again, so that many
    /// requests with an old value need one refresh and hardly more than one attempt each.
    ///
    /// - Parameters:
    ///   - scope: What the time limit is for. With `.request`, the refresh has the whole limit too.
    ///   - refreshFailure: Returns the error to throw if the login can't be refreshed.
    ///   - send: Sends a plan. If `reportsRejectedLogin` is true, it throws ``RejectedLogin`` after a 401.
    /// - Throws: The errors of `send`, and that of `refreshFailure`.
    func sendRefreshingLogin<Outcome>(
        limit scope: Exchange.LimitScope, refreshFailure: (any Error) -> any Error = { $0 },
        _ send: (_ plan: CallPlan, _ reportsRejectedLogin: Bool) async throws -> Outcome
    ) async throws -> Outcome {
        guard let login else { return try await send(self, false) }
        if !login.isRejected() {
            do {
                return try await send(self, true)
            } catch is RejectedLogin {
                // The login is refreshed below.
            }
        }
        let deadline = scope == .call ? self.deadline : options.transfer.deadline(from: .now)
        let plan: CallPlan
        do {
            plan = try await login.refreshedPlan(deadline)
        } catch {
            throw refreshFailure(error)
        }
        return try await send(plan, false)
    }
}
