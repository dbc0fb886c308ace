import Dispatch

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Ends a run that a signal asks to end: first by cancelling, so that temporary files go away, then whatever it is doing.
enum Interruption {
    /// How long a cancelled run may take to tidy up.
    private static let patience = DispatchTimeInterval.milliseconds(200)

    /// Calls `cancel` once signal `number` comes; the process ends soon after with 128 + `number`, as shells report it.
    static func source(for number: Int32, cancel: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        // The default action would end the process before anything could be tidied up.
        signal(number, SIG_IGN)
        let queue = DispatchQueue.global(qos: .userInteractive)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler {
            cancel()
            queue.asyncAfter(deadline: .now() + patience) { exit(128 + number) }
        }
        source.resume()
        return source
    }
}
