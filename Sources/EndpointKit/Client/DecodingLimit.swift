/// Stops the decoding of a response once the time of the call has run out or its task is cancelled.
package struct DecodingLimit: Sendable {
    private let maxTime: Duration?
    private let deadline: ContinuousClock.Instant?
    private let server: TransportError.Peer

    /// The limit of a call that starts now; `maxTime` nil is none.
    package init(maxTime: Duration?, server: BaseURL) {
        self.maxTime = maxTime
        deadline = maxTime.map { ContinuousClock.now + $0 }
        self.server = TransportError.Peer(server)
    }

    /// What to call every so often while a response is decoded, from now on. It throws ``TransportError`` after the deadline, and
    /// `CancellationError`.
    ///
    /// A response that arrived in time has at least a tenth of the limit left: on a busy machine it may have waited to be decoded.
    package func check() -> () throws -> Void {
        let deadline = deadline.map { deadline in max(deadline, .now + (maxTime ?? .zero) / 10) }
        return {
            try Task.checkCancellation()
            guard let deadline, ContinuousClock.now > deadline else { return }
            throw TransportError(.timedOut(.whole(maxTime)), phase: .decoding, server: server)
        }
    }
}
