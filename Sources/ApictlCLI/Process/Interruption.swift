import Synchronization
import SystemCalls

/// Ends a run on a signal: first by cancelling it, so that temporary files are removed, then by ending the process.
final class Interruption: Sendable {
    /// How long a cancelled run may take to clean up, in microseconds.
    private static let cleanUpTime: UInt32 = 200_000

    private let received = Mutex<Int32?>(nil)
    private let tidyUp: @Sendable () -> Void

    /// `tidyUp` is called right before the process ends if the run has not ended by itself.
    init(tidyUp: @escaping @Sendable () -> Void) { self.tidyUp = tidyUp }

    /// 128 + the number of the received signal, as shells report it; nil if none was received.
    var exitCode: Int32? { received.withLock { $0.map { 128 + $0 } } }

    /// Calls `cancel` when one of the signals is received; the process ends soon after.
    ///
    /// Must be called before other threads are started, because they inherit the blocked signals.
    func watch(_ numbers: [Int32], cancel: @escaping @Sendable () -> Void) {
        let signals = Signals(numbers)
        signals.block()
        let thread = try? SystemThread.start { [self] in
            guard let number = signals.wait() else { return }
            received.withLock { $0 = number }
            cancel()
            usleep(Self.cleanUpTime)
            tidyUp()
            SystemCall.endProcess(128 + number)
        }
        // If no thread can be started, signals kill the process as usual.
        if thread == nil { signals.unblock() }
    }
}
