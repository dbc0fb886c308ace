/// Stops decoding a response once the call's time limit has passed or its task is cancelled.
package struct DecodingLimit: Sendable {
    private let maxTime: Duration?
    private let deadline: ContinuousClock.Instant?
    private let server: TransportError.Peer

    /// The limit of a call that starts now; nil is no limit.
    init(maxTime: Duration?, server: BaseURL) {
        self.init(maxTime: maxTime, deadline: maxTime.map { .now + $0 }, server: server)
    }

    /// A limit of `maxTime` that ends at `deadline`; nil is no limit.
    package init(maxTime: Duration?, deadline: ContinuousClock.Instant?, server: BaseURL) {
        self.maxTime = maxTime
        self.deadline = deadline
        self.server = TransportError.Peer(server)
    }

    /// A function to call regularly while decoding, which starts now. It throws ``TransportError`` after the deadline, and
    /// `CancellationError`.
    ///
    /// Decoding always gets at least a tenth of the limit, even if the transfer used it up.
    package func check() -> () throws -> Void {
        let deadline = deadline.map { deadline in max(deadline, .now + (maxTime ?? .zero) / 10) }
        return {
            try Task.checkCancellation()
            guard let deadline, ContinuousClock.now > deadline else { return }
            throw TransportError(.timedOut(.whole(maxTime)), phase: .decoding, server: server)
        }
    }
}
