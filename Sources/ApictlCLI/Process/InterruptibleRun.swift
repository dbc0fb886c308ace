import Synchronization
import SystemCalls

/// Runs the work of the process. A signal cancels the work, which then has time to remove its temporary files before
/// the process ends.
final class InterruptibleRun: Sendable {
    private struct State {
        /// The task that carries out the work; nil until it has started.
        var task: Task<Void, Never>?
        /// The number of a received signal; nil if none was received.
        var signal: Int32?
    }

    private let state = Mutex(State())

    /// The exit code with which shells report that a signal has ended the process: 128 plus the number of the signal.
    ///
    /// It is nil if no signal was received.
    var signalExitCode: Int32? { state.withLock(\.signal).map { 128 + $0 } }

    /// Carries out the work on the calling thread, and ends the process.
    ///
    /// After a signal, the process ends by that signal, even if the work has ended successfully meanwhile. A shell only
    /// ends its loop if a program ends by a signal. If the program exits with 130 instead, the shell takes it that the
    /// program has handled Ctrl-C itself.
    ///
    /// - Parameter work: Returns the exit code of the process, which counts unless a signal was received.
    func carryOut(_ work: @escaping @Sendable () async -> Int32) -> Never {
        let code = WaitingThread.run(work) { task in state.withLock { $0.task = task } }
        // Programs that were started for credentials may still be running.
        CommandOutput.endAll()
        if let signal = state.withLock(\.signal) { SystemCall.endProcess(bySignal: signal) }
        SystemCall.endProcess(code)
    }

    /// Makes signals such as Ctrl-C cancel the work instead of killing the process. Starts a thread that waits for
    /// them.
    ///
    /// It must be called before other threads are started. They inherit that the signals are blocked, so that only
    /// the thread of this function receives them.
    ///
    /// - Parameter cleanUpTime: How long the work may go on after a signal, to clean up. Then the process ends, as it
    ///   does at once after a second signal.
    func watchSignals(_ cleanUpTime: Duration) {
        let signals = Signals([SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGALRM])
        signals.block()
        let thread = try? SystemThread.start { [self] in
            guard let number = signals.wait() else { return }
            cancel(signal: number)
            Self.startTimer(cleanUpTime)
            // When the time is over, the timer sends SIGALRM, which counts as the second signal.
            Self.waitForSecondSignal(signals, first: number)
            SystemCall.endProcess(bySignal: number)
        }
        // If the thread can't be started, nothing receives the signals. So they kill the process as usual.
        if thread == nil { signals.unblock() }
    }

    /// Cancels the work because of a signal, and kills the programs that it has started.
    ///
    /// - Parameter number: The number of the signal, by which the process ends.
    private func cancel(signal number: Int32) {
        state.withLock { $0.signal = number }
        // Programs are killed first. The work waits for them, and may end the process as soon as it is cancelled.
        CommandOutput.endAll()
        state.withLock { $0.task?.cancel() }
    }

    /// Makes the system send the signal SIGALRM to this process after a time.
    private static func startTimer(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        if seconds > 0 {
            alarm(UInt32(seconds))
        } else {
            // `alarm` only takes whole seconds, so a time below one second needs `ualarm`.
            let attosecondsPerMicrosecond: Int64 = 1_000_000_000_000
            let microseconds = attoseconds / attosecondsPerMicrosecond
            ualarm(useconds_t(microseconds), 0)
        }
    }

    /// Waits for a second signal after the first one.
    ///
    /// Some programs, such as `timeout`, signal both this process and its group, so that the first signal comes
    /// twice. Therefore the same signal within 50 ms does not count.
    ///
    /// - Parameters:
    ///   - signals: The signals to wait for.
    ///   - firstNumber: The number of the first signal.
    private static func waitForSecondSignal(_ signals: Signals, first firstNumber: Int32) {
        let start = ContinuousClock.now
        while let nextNumber = signals.wait() {
            let isRepeated = nextNumber == firstNumber && .now - start < .milliseconds(50)
            if !isRepeated { return }
        }
    }
}
