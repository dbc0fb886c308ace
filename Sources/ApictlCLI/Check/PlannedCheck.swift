import EndpointKit
import EndpointTools

/// The check of one call, which has been resolved but not sent.
struct PlannedCheck: Sendable {
    /// The call as reports name it.
    let call: CheckedCall
    /// The request to send; nil if nothing is sent, or if a case needs captured values that are not known yet.
    var exchange: PlannedExchange?
    /// A request with stand-ins for captured values, which is never sent. It has the server and the method of the
    /// request that is sent once the values are known. Nil if ``exchange`` is known.
    var preview: PlannedExchange?
    /// The outcome of a check without ``exchange``, which says why nothing is sent.
    var skipped = CheckOutcome.withoutSample
    /// The case that is checked; nil if the check is of an example.
    var linkedCase: LinkedCase?

    /// The request that the check will send, at least its server and its method. Nil if nothing is known about it.
    var expectedRequest: Request? { (exchange ?? preview)?.check.request }

    /// Carries out the check. A case first gets the values that earlier cases have captured.
    ///
    /// - Parameter archive: Records the exchange; nil if it is not recorded.
    /// - Throws: `CancellationError`.
    func run(recordingIn archive: HARLog?) async throws -> CheckResult {
        if let linkedCase { return try await linkedCase.run(self, recordingIn: archive) }
        return try await send(recordingIn: archive)
    }

    /// Sends the request of the check, and judges the response. The check is that of an example or of a case.
    ///
    /// - Parameter archive: Records the exchange; nil if it is not recorded.
    /// - Returns: The result. If there is no request to send, it says why.
    /// - Throws: `CancellationError`.
    func send(recordingIn archive: HARLog?) async throws -> CheckResult {
        guard let exchange else { return CheckResult(call, skipped) }
        let outcome = try await exchange.send(recordingIn: archive)
        // The curl command that repeats a check takes long to make. After a check that passed, nobody needs it.
        let needsCommand = outcome.verdict != .passed && call.curl == nil
        return CheckResult(needsCommand ? callWithCommand(of: exchange) : call, outcome)
    }

    /// Returns the call with the curl command that sends the same request.
    private func callWithCommand(of exchange: PlannedExchange) -> CheckedCall {
        call.with(exchange.check.endpoint, url: call.url, curl: exchange.curlCommand())
    }
}

extension CheckOutcome {
    /// The outcome of a check with `--sample` of an endpoint that has none.
    static let withoutSample = skipped("there is no sample")
}
