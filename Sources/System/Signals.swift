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

    /// Waits for one of the signals, which must be blocked; nil if the system can't.
    package func wait() -> Int32? {
        var set = set
        var number: Int32 = 0
        return sigwait(&set, &number) == 0 ? number : nil
    }

    /// Reads the signal's handler and leaves it as it is.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        return sigaction(number, nil, &action) == 0 && SystemCall.isIgnored(action)
    }
}
