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

    /// Sends the request and judges the response.
    ///
    /// - Parameter archive: Records the exchange; nil if it is not recorded.
    /// - Throws: `CancellationError`.
    func run(_ archive: HARLog?) async throws -> CheckOutcome {
        guard let recording = archive?.recording(client) else { return try await check.run(client) }
        // Recorded texts must not show the secrets that cases have captured.
        defer { recording.end([check.redactor] + [check.otherSecrets?()].compactMap(\.self)) }
        return try await check.run(recording.client)
    }
}

extension CheckOutcome {
    /// The outcome of a check with `--sample` of an endpoint that has none.
    static let withoutSample = skipped("there is no sample")
}
