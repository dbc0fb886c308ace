#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Threads for what blocks, which Swift's own must not do.
package enum SystemThread {
    /// The system has no thread to give.
    package struct Shortage: Error {
        /// The system's error number.
        package let number: Int32
    }

    /// Runs `body` on a thread of its own that nobody joins. Throws ``Shortage``.
    ///
    /// The thread takes no signals: they go to the program's own threads, and a connection that breaks while TLS writes to it
    /// is an error there and not the end of the program (SIGPIPE).
    @discardableResult
    package static func start(_ body: @escaping @Sendable () -> Void) throws(Shortage) -> pthread_t {
        let box = Unmanaged.passRetained(ThreadBody(body))
        var allSignals = sigset_t()
        var formerSignals = sigset_t()
        sigfillset(&allSignals)
        // A new thread starts with the signal mask of the one that makes it.
        pthread_sigmask(SIG_SETMASK, &allSignals, &formerSignals)
        defer { pthread_sigmask(SIG_SETMASK, &formerSignals, nil) }
        #if canImport(Darwin)
        var thread: pthread_t?
        let failure = pthread_create(&thread, nil, { runThreadBody($0) }, box.toOpaque())
        #else
        var handle = pthread_t()
        let failure = pthread_create(&handle, nil, { $0.flatMap { runThreadBody($0) } }, box.toOpaque())
        let thread: pthread_t? = handle
        #endif
        guard failure == 0, let thread else {
            box.release()
            throw Shortage(number: failure)
        }
        pthread_detach(thread)
        return thread
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThreadBody(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    // The argument is the box that was retained for this thread alone.
    Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
