/// Threads for work that blocks, which Swift's own threads must not do.
package enum SystemThread {
    /// Signals that a crash raises in the thread that crashes: blocked, they would end the process without a backtrace.
    private static let crashSignals = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]

    /// Runs `body` on a new detached thread. Throws ``SystemError`` if the system can't start one.
    ///
    /// The thread blocks all signals but those of a crash: they go to the program's own threads, and a connection that breaks while
    /// TLS writes to it is an error there and not the end of the program (SIGPIPE).
    @discardableResult
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) -> pthread_t {
        var blocked = sigset_t()
        sigfillset(&blocked)
        for signal in crashSignals { sigdelset(&blocked, signal) }
        var former = sigset_t()
        // A new thread inherits the signal mask of the thread that creates it.
        pthread_sigmask(SIG_SETMASK, &blocked, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        let thread = try SystemCall.makeThread(ThreadBody(body))
        pthread_detach(thread)
        return thread
    }
}

/// What a thread runs, on its way through the C interface.
package final class ThreadBody: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// `argument` is the value that was retained for this thread alone.
    static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body()
        return nil
    }
}
