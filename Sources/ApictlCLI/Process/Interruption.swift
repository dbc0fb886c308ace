import Synchronization
import SystemCalls

/// Ends a run on a signal: first by cancelling it, so that temporary files are removed, then by ending the process.
final class Interruption: Sendable {
    private let received = Mutex<Int32?>(nil)
    private let tidyUp: @Sendable () -> Void

    /// `tidyUp` is called right before the process ends if the run has not ended by itself.
    init(tidyUp: @escaping @Sendable () -> Void) { self.tidyUp = tidyUp }

    /// 128 + the number of the received signal, as shells report it; nil if none was received.
    var exitCode: Int32? { received.withLock { $0.map { 128 + $0 } } }

    /// Calls `cancel` when one of the signals is received; the process ends after `cleanUpTime`, or at a second signal.
    ///
    /// Must be called before other threads are started, because they inherit the blocked signals.
    func watch(_ numbers: [Int32], cleanUpTime: Duration, cancel: @escaping @Sendable () -> Void) {
        let signals = Signals(numbers)
        signals.block()
        let thread = try? SystemThread.start { [self] in
            guard let number = signals.wait() else { return }
            received.withLock { $0 = number }
            cancel()
            let end: @Sendable () -> Void = { [self] in
                tidyUp()
                SystemCall.endProcess(128 + number)
            }
            let (seconds, attoseconds) = cleanUpTime.components
            let timer: @Sendable () -> Void = {
                sleep(UInt32(seconds))
                usleep(UInt32(attoseconds / 1_000_000_000_000))
                end()
            }
            // If no thread can be started, this one waits for the time instead of for a second signal.
            if (try? SystemThread.start(timer)) == nil { timer() }
            _ = signals.wait()
            end()
        }
        // If no thread can be started, signals kill the process as usual.
        if thread == nil { signals.unblock() }
    }
}
