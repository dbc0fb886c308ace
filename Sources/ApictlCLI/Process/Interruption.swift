import EndpointKit
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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
        var watched = sigset_t()
        sigemptyset(&watched)
        for number in numbers where !Self.isIgnored(number) { sigaddset(&watched, number) }
        pthread_sigmask(SIG_BLOCK, &watched, nil)
        let thread = try? SystemThread.start { [self, watched] in
            var watched = watched
            var number: Int32 = 0
            guard sigwait(&watched, &number) == 0 else { return }
            received.withLock { $0 = number }
            cancel()
            usleep(Self.patience)
            tidyUp()
            SystemCall.endProcess(128 + number)
        }
        // Without a thread to spare, a signal ends the process as it would any other.
        if thread == nil { pthread_sigmask(SIG_UNBLOCK, &watched, nil) }
    }

    /// Whether whoever started the process has it ignore that signal, as `nohup` does.
    private static func isIgnored(_ number: Int32) -> Bool {
        let inherited = signal(number, SIG_DFL)
        // SIG_IGN is the address 1, not a function.
        guard unsafeBitCast(inherited, to: Int.self) == 1 else { return false }
        signal(number, SIG_IGN)
        return true
    }
}
