/// The login that gave a value of a request, if it can be refreshed.
struct RefreshableLogin: Sendable {
    /// Whether the server has not accepted the value for another request of this run.
    let isRejected: @Sendable () -> Bool
    /// Refreshes the login until a deadline, and returns the plan of the call with the new value. Without a deadline,
    /// the refresh may take any time.
    let refreshedPlan: @Sendable (_ deadline: ContinuousClock.Instant?) async throws -> CallPlan
}

/// The error that a server has not accepted the value of a login (401), before anything of the response was shown.
struct RejectedLogin: Error {}

extension CallPlan {
    /// Sends this plan. If the server does not accept the value that a login gave (status 401), this refreshes the
    /// login once, and sends the plan again with the new value.
    ///
    /// If the server has already refused the same value in another request of this run, the first attempt is left out.
    /// So many requests with an old value need one refresh, and hardly more than one attempt each.
    ///
    /// - Parameters:
    ///   - scope: The work that a time limit is for. If it is each request, the refresh has the whole limit too. If it
    ///     is the whole call, the refresh takes part of its time.
    ///   - refreshFailure: Returns the error to throw in place of the one with which the refresh failed.
    ///   - send: Sends a plan. If `reportsRejectedLogin` is true, it throws ``RejectedLogin`` after a 401.
    /// - Returns: The result of `send`.
    /// - Throws: The errors of `send`, and that of `refreshFailure`.
    func sendRefreshingLogin<Outcome>(
        limit scope: Exchange.LimitScope, refreshFailure: (any Error) -> any Error = { $0 },
        _ send: (_ plan: CallPlan, _ reportsRejectedLogin: Bool) async throws -> Outcome
    ) async throws -> Outcome {
        // Without a login to refresh, a 401 is an ordinary response.
        guard let login else { return try await send(self, false) }
        if !login.isRejected() {
            do {
                return try await send(self, true)
            } catch is RejectedLogin {
                // The server has answered with 401. The login is refreshed below.
            }
        }
        let refreshDeadline = scope == .call ? self.deadline : options.transfer.deadline(from: .now)
        let refreshedPlan: CallPlan
        do {
            refreshedPlan = try await login.refreshedPlan(refreshDeadline)
        } catch {
            throw refreshFailure(error)
        }
        // A second 401 is the response of the call, like any other status.
        return try await send(refreshedPlan, false)
    }
}
