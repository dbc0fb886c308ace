import Synchronization
import SystemCalls

/// Ends a run that a signal asks to end: first by cancelling, so that temporary files go away, then whatever it is doing.
final class Interruption: Sendable {
    /// How long a cancelled run may take to tidy up, in microseconds.
    private static let patience: UInt32 = 200_000

    private let received = Mutex<Int32?>(nil)
    private let tidyUp: @Sendable () -> Void

    /// `tidyUp` is called where the run does not end by itself, right before the process does.
    init(tidyUp: @escaping @Sendable () -> Void) { self.tidyUp = tidyUp }

    /// 128 + the number of the signal that came, as shells report it; nil where none did.
    var exitCode: Int32? { received.withLock { $0.map { 128 + $0 } } }

    /// Calls `cancel` once one of the signals comes; the process ends soon after. To be called before there are other threads:
    /// those must not take the signals either.
    func watch(_ numbers: [Int32], cancel: @escaping @Sendable () -> Void) {
        let signals = Signals(numbers)
        signals.block()
        let thread = try? SystemThread.start { [self] in
            guard let number = signals.wait() else { return }
            received.withLock { $0 = number }
            cancel()
            usleep(Self.patience)
            tidyUp()
            SystemCall.endProcess(128 + number)
        }
        // Without a thread to spare, a signal ends the process as it would any other.
        if thread == nil { signals.unblock() }
    }
}
