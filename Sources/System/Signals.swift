/// Signals that one thread waits for instead of having them end the process.
package struct Signals: Sendable {
    private var set: sigset_t

    /// Makes a set of signals, without those that the parent process has set to be ignored, as `nohup` does.
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

    /// Lets the signals act on the calling thread again.
    package func unblock() {
        var set = set
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Waits for one of the signals, which must be blocked.
    ///
    /// A signal that the process has been set to ignore meanwhile does not end the wait.
    ///
    /// - Returns: The number of the signal that has arrived, or nil if the system can't wait.
    package func wait() -> Int32? {
        var waitedSet = set
        var number: Int32 = 0
        repeat {
            guard sigwait(&waitedSet, &number) == 0 else { return nil }
        } while Self.isIgnored(number)
        return number
    }

    /// Whether this process is set to ignore a signal (`SIG_IGN`).
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // Each C library has another name for the member that holds the handler.
        #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
        #elseif canImport(Musl)
        let handler = action.__sa_handler.sa_handler
        #else
        let handler = action.__sigaction_handler.sa_handler
        #endif
        // SIG_IGN is the address 1, not a function.
        return unsafeBitCast(handler, to: Int.self) == 1
    }
}
