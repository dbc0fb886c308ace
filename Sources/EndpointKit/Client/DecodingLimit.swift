/// Stops decoding a response once the call's time limit has passed or its task is cancelled.
package struct DecodingLimit: Sendable {
    private let maxTime: Duration?
    private let deadline: ContinuousClock.Instant?
    private let server: TransportError.Peer

    /// Creates the limit of a call.
    ///
    /// - Parameters:
    ///   - maxTime: The longest time of the call; nil is no limit.
    ///   - deadline: The end of that time. If it is nil, the call starts now.
    ///   - server: The server that the error names.
    package init(maxTime: Duration?, deadline: ContinuousClock.Instant? = nil, server: BaseURL) {
        self.maxTime = maxTime
        self.deadline = deadline ?? maxTime.map { .now + $0.clamped }
        self.server = TransportError.Peer(server)
    }

    /// Starts the time for decoding, and returns the function to call regularly while decoding.
    ///
    /// Decoding always gets at least a tenth of the call's time limit, even if the transfer used it up.
    ///
    /// - Returns: A function that throws ``TransportError`` after the deadline, and `CancellationError` if the task is
    ///   cancelled.
    package func check() -> () throws -> Void {
        let minDecodingTime = (maxTime ?? .zero) / 10
        let decodingDeadline = deadline.map { callDeadline in max(callDeadline, .now + minDecodingTime) }
        return {
            try Task.checkCancellation()
            guard let decodingDeadline, ContinuousClock.now > decodingDeadline else { return }
            throw TransportError(.timedOut(.whole(maxTime)), phase: .decoding, server: server)
        }
    }
}
