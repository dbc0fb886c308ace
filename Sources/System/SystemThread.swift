/// Threads for work that blocks, which Swift's own threads must not do.
package enum SystemThread {
    /// Signals that a crash raises in the thread that crashes: blocked, they would end the process without a backtrace.
    private static let crashSignals = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP]

    /// Runs `body` on a new detached thread.
    ///
    /// The thread blocks all signals except those of a crash. So signals go to the program's own threads, and a
    /// connection that breaks while TLS writes to it is an error there instead of the end of the program (SIGPIPE).
    ///
    /// - Returns: The thread, to compare it with others.
    /// - Throws: ``SystemError`` if the system can't start a thread.
    @discardableResult
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) -> pthread_t {
        var blockedSignals = sigset_t()
        sigfillset(&blockedSignals)
        for signal in crashSignals { sigdelset(&blockedSignals, signal) }
        // A new thread inherits the signal mask of the thread that creates it, which is restored afterwards.
        var maskOfCaller = sigset_t()
        pthread_sigmask(SIG_SETMASK, &blockedSignals, &maskOfCaller)
        defer { pthread_sigmask(SIG_SETMASK, &maskOfCaller, nil) }
        // The new thread takes over this reference. If it does not start, the reference is released below.
        let box = Unmanaged.passRetained(ThreadBody(run: body))
        #if canImport(Darwin)
        var thread: pthread_t?
        let failure = pthread_create(&thread, nil, { ThreadBody.run($0) }, box.toOpaque())
        #else
        var handle = pthread_t()
        let failure = pthread_create(&handle, nil, { $0.flatMap { ThreadBody.run($0) } }, box.toOpaque())
        let thread: pthread_t? = handle
        #endif
        guard failure == 0, let thread else {
            box.release()
            throw SystemError(number: failure)
        }
        pthread_detach(thread)
        return thread
    }
}

/// An object with the closure that a thread runs, because the C interface passes only a pointer to a new thread.
private final class ThreadBody: Sendable {
    private let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }

    /// Runs the closure of an object, and releases the object.
    ///
    /// - Parameter argument: The pointer to the object, which was retained for this thread.
    static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}
