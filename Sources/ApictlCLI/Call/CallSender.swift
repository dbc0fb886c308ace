import EndpointKit

/// Sends a call whose plan is known, once or several times.
///
/// If the server does not accept the value of a login, the login is refreshed and the call is sent once more.
struct CallSender {
    private let request: CallRequest
    /// The plan, with the newest value of its login.
    private(set) var plan: CallPlan
    /// Whether a terminal shows what a call is waiting for.
    var showsActivity = true
    /// Whether notes about the exchange are written to stderr.
    var writesNotes = true
    /// The head of the last response, without secrets; nil if there was none.
    private(set) var lastHead: ResponseHead?

    /// Prepares a call.
    ///
    /// - Parameters:
    ///   - plan: The plan of the call.
    ///   - request: The request that the plan was made from.
    init(_ plan: CallPlan, of request: CallRequest) {
        self.plan = plan
        self.request = request
    }

    /// Sends the requests of the call and prints the response. If the server rejects the token of a login, the login
    /// is refreshed, and the requests are sent once more with the new token.
    ///
    /// - Returns: The exit code of a call that did not fail.
    /// - Throws: ``Failure``, ``UsageError`` and ``OutputClosed``.
    mutating func send(_ context: CommandContext) async throws -> ExitCode {
        // The closure below gets a copy, because it can't capture `self` in a mutating function.
        let request = self.request
        // A call that is watched has no deadline. Then the refresh of a login has a time limit of its own.
        let timeLimit = plan.deadline == nil ? Exchange.LimitScope.request : .call
        let refreshFailure = { (error: any Error) in request.reportedError(for: error) }
        return try await plan.sendRefreshingLogin(limit: timeLimit, refreshFailure: refreshFailure) {
            planToSend, reportsRejectedLogin in
            try await attempt(planToSend, context, reportsRejectedLogin: reportsRejectedLogin)
        }
    }

    /// Sends the requests of a plan, and prints the response. A terminal shows meanwhile what the call is waiting for.
    /// Keeps the plan in ``plan``, so that later calls begin with the newest token of its login.
    ///
    /// - Parameter reportsRejectedLogin: Whether a 401 throws ``RejectedLogin``.
    /// - Returns: The exit code of a call that did not fail.
    private mutating func attempt(
        _ planToSend: CallPlan, _ context: CommandContext, reportsRejectedLogin: Bool
    ) async throws -> ExitCode {
        plan = planToSend
        if !showsActivity { return try await sendOnce(context, reportsRejectedLogin: reportsRejectedLogin) }
        return try await context.showingActivity(of: plan) { contextWithActivity in
            try await sendOnce(contextWithActivity, reportsRejectedLogin: reportsRejectedLogin)
        }
    }

    /// Sends the requests of ``plan`` and prints the response. Stores the cookies that servers have changed in the file
    /// of `--session`, and the head of the last response in ``lastHead``.
    ///
    /// - Parameter reportsRejectedLogin: Whether a 401 throws ``RejectedLogin``.
    /// - Returns: The exit code of a call that did not fail.
    private mutating func sendOnce(_ context: CommandContext, reportsRejectedLogin: Bool) async throws -> ExitCode {
        // The session is nil without `--session`.
        let session = try readSession(context.environment)
        var exchange = Exchange(
            plan, context, limit: .call, writesNotes: writesNotes, cookies: session?.jar ?? CookieJar())
        exchange.writesNoteOnOmittedKeys = true
        exchange.reportsRejectedLogin = reportsRejectedLogin
        defer { lastHead = exchange.log.snapshot.head }
        let code: ExitCode
        do {
            code = try await CallRun(exchange).run()
        } catch {
            // Servers may have changed cookies before the call failed.
            guard let session else { throw error }
            throw await session.saveChangesReturningError(afterFailure: error)
        }
        do {
            try await session?.saveChanges()
        } catch {
            throw exchange.reportedError(for: error)
        }
        return try reportedCode(code, of: exchange)
    }

    /// Returns the exit code of a call whose response has been printed.
    ///
    /// - Throws: ``Failure`` if `--exit-status` is given and a view, such as that of `--select`, has found nothing.
    ///   Stderr reports it only with `--json-errors`, together with the facts about the exchange, and never with
    ///   `--quiet`.
    private func reportedCode(_ code: ExitCode, of exchange: Exchange) throws(Failure) -> ExitCode {
        do throws(Failure) {
            return try code.successOrThrow("nothing was found", isSilent: plan.options.output.quiet)
        } catch {
            var failure = error
            failure.exchange = exchange.factsForReport()
            throw failure
        }
    }

    /// Reads the session of the call; nil without `--session`.
    ///
    /// - Throws: ``Failure`` for a session that can't be read.
    private func readSession(_ environment: ProcessEnvironment) throws -> CallSession? {
        guard let name = plan.options.request.session else { return nil }
        do {
            return try CallSession(name, environment: environment)
        } catch {
            throw request.reportedError(for: error)
        }
    }
}
