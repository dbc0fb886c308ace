#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Threads for what blocks, which Swift's own must not do.
package enum SystemThread {
    /// Runs `body` on a thread of its own; false where the system has no thread to give.
    ///
    /// The thread takes no signals: they go to the program's own threads, and a connection that breaks while TLS writes to it
    /// is an error there and not the end of the program (SIGPIPE).
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(ThreadBody(body))
        var allSignals = sigset_t()
        var formerSignals = sigset_t()
        sigfillset(&allSignals)
        // A new thread starts with the signal mask of the one that makes it.
        pthread_sigmask(SIG_SETMASK, &allSignals, &formerSignals)
        defer { pthread_sigmask(SIG_SETMASK, &formerSignals, nil) }
        #if canImport(Darwin)
        var thread: pthread_t?
        let result = pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        if result == 0, let thread { pthread_detach(thread) }
        #else
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        if result == 0 { pthread_detach(thread) }
        #endif
        if result != 0 { box.release() }
        return result == 0
    }

    private final class ThreadBody {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
