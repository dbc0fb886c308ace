import Synchronization
import SystemCalls

/// Runs the work of the process, which signals cancel.
///
/// The work then removes its temporary files, before the process ends.
final class InterruptibleRun: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        /// The exit code of a received signal; nil if none was received.
        var signalExitCode: Int32?
    }

    private let state = Mutex(State())

    /// The exit code if a signal was received: 128 and the signal's number, as shells report it. Otherwise nil.
    var signalExitCode: Int32? { state.withLock(\.signalExitCode) }

    /// Runs work and ends the process.
    ///
    /// - Parameter work: Returns the exit code of the process, unless a signal was received.
    func carryOut(_ work: @escaping @Sendable () async -> Int32) -> Never {
        let code = WaitingThread.run(work) { task in state.withLock { $0.task = task } }
        CommandOutput.endAll()
        SystemCall.endProcess(signalExitCode ?? code)
    }

    /// Makes signals cancel the work instead of killing the process.
    ///
    /// Must be called before other threads are started, because they inherit the blocked signals.
    ///
    /// - Parameter cleanUpTime: The time after which the process ends, even if the work has not ended. A second signal
    ///   ends it at once.
    func watchSignals(_ cleanUpTime: Duration) {
        let signals = Signals([SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGALRM])
        signals.block()
        let thread = try? SystemThread.start { [self] in
            guard let number = signals.wait() else { return }
            cancel(signal: number)
            Self.startTimer(cleanUpTime)
            // The timer's signal counts as a second one.
            Self.waitForSecondSignal(signals, first: number)
            SystemCall.endProcess(128 + number)
        }
        // If no thread can be started, signals kill the process as usual.
        if thread == nil { signals.unblock() }
    }

    /// Cancels the work because of a signal.
    private func cancel(signal number: Int32) {
        state.withLock { $0.signalExitCode = 128 + number }
        // Programs must be ended before the work, which waits for them, can end the process.
        CommandOutput.endAll()
        state.withLock { $0.task?.cancel() }
    }

    /// Makes the system send SIGALRM after a time.
    private static func startTimer(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        if seconds > 0 {
            alarm(UInt32(seconds))
        } else {
            let microseconds = attoseconds / 1_000_000_000_000
            ualarm(useconds_t(microseconds), 0)
        }
    }

    /// Waits for a second signal after the first one.
    ///
    /// A program that signals this one and its group, as `timeout` does, sends the first signal twice. So the same
    /// signal within 50 ms is no second one.
    private static func waitForSecondSignal(_ signals: Signals, first number: Int32) {
        let start = ContinuousClock.now
        while let next = signals.wait() {
            let isRepeated = next == number && .now - start < .milliseconds(50)
            if !isRepeated { return }
        }
    }
}
