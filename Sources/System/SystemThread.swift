import Dispatch
import Synchronization

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

/// What a thread runs, on its way through the C interface.
private final class ThreadBody: Sendable {
    private let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }

    /// `argument` is the value that was retained for this thread alone.
    static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}

/// Threads that can be waited for together.
package final class ThreadGroup: Sendable {
    private let running = Mutex<[pthread_t]>([])
    /// Signalled when a thread ends.
    private let ended = DispatchSemaphore(value: 0)

    package init() {}

    /// How many threads are running.
    package var count: Int { running.withLock(\.count) }

    /// Runs `body` on a new thread. Throws ``SystemError``.
    package func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        // The lock is held until the new thread is listed, so that it cannot end unlisted.
        try running.withLock { running throws(SystemError) in
            running.append(
                try SystemThread.start {
                    body()
                    self.running.withLock { $0.removeAll(where: Self.isCurrent) }
                    self.ended.signal()
                })
        }
    }

    /// Waits until no thread of the group runs except, perhaps, the calling one.
    package func waitForOthers() {
        // Another waiter may have taken the signal.
        while running.withLock({ !$0.allSatisfy(Self.isCurrent) }) { _ = ended.wait(timeout: .now() + 0.05) }
    }

    private static func isCurrent(_ thread: pthread_t) -> Bool { pthread_equal(thread, pthread_self()) != 0 }
}

/// Signals that one thread waits for instead of having them end the process.
package struct Signals: Sendable {
    private var set: sigset_t

    /// The signals of `numbers` that the parent process has not set to be ignored, as `nohup` does.
    package init(_ numbers: [Int32]) {
        set = sigset_t()
        sigemptyset(&set)
        for number in numbers where !Self.isIgnored(number) { sigaddset(&set, number) }
    }

    /// Blocks the signals on the calling thread and on those that it starts.
    package func block() {
        var set = set
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    package func unblock() {
        var set = set
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Waits for one of the signals, which must be blocked and not be ignored by then; nil if the system can't.
    package func wait() -> Int32? {
        var set = set
        var number: Int32 = 0
        repeat {
            guard sigwait(&set, &number) == 0 else { return nil }
        } while Self.isIgnored(number)
        return number
    }

    /// Whether the signal is set to be ignored.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
        #else
        let handler = action.__sigaction_handler.sa_handler
        #endif
        // SIG_IGN is the address 1, not a function.
        return unsafeBitCast(handler, to: Int.self) == 1
    }
}
