import Synchronization

/// Counts the attempts of an exchange and times the last one.
final class AttemptTiming: Sendable {
    private let state = Mutex((attempts: 1, start: ContinuousClock.now))

    var attempts: Int { state.withLock(\.attempts) }
    /// Since the last attempt was started.
    var elapsed: Duration { ContinuousClock.now - state.withLock(\.start) }

    /// Another attempt starts after that wait.
    func retry(after wait: Duration) {
        state.withLock { state in
            state.attempts += 1
            state.start = .now + wait
        }
    }
}

extension Duration {
    /// Rounded to whole milliseconds.
    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1000 + Int((Double(attoseconds) / 1e15).rounded())
    }
}
