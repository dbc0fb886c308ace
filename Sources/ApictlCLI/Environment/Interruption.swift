import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Ends a run that a signal asks to end: first by cancelling, so that temporary files go away, then whatever it is doing.
final class Interruption: Sendable {
    /// How long a cancelled run may take to tidy up.
    private static let patience = DispatchTimeInterval.milliseconds(200)

    private let received = Mutex<Int32?>(nil)
    private let tidyUp: @Sendable () -> Void

    /// `tidyUp` is called where the run does not end by itself, right before the process does.
    init(tidyUp: @escaping @Sendable () -> Void) { self.tidyUp = tidyUp }

    /// 128 + the number of the signal that came, as shells report it; nil where none did.
    var exitCode: Int32? { received.withLock { $0.map { 128 + $0 } } }

    /// Calls `cancel` once signal `number` comes; the process ends soon after. Nil where whoever started the process has it ignore
    /// that signal, as `nohup` does.
    func source(for number: Int32, cancel: @escaping @Sendable () -> Void) -> (any DispatchSourceSignal)? {
        // The default action would end the process before anything could be tidied up.
        let inherited = signal(number, SIG_IGN)
        // SIG_IGN is the address 1, not a function.
        guard unsafeBitCast(inherited, to: Int.self) != 1 else { return nil }
        let queue = DispatchQueue.global(qos: .userInteractive)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler {
            self.received.withLock { $0 = number }
            cancel()
            queue.asyncAfter(deadline: .now() + Self.patience) {
                self.tidyUp()
                SystemCall.endProcess(128 + number)
            }
        }
        source.resume()
        return source
    }
}
