import EndpointKit
import Locking
import SystemCalls

/// Wakes every waiting thread when the server stops.
///
/// The signal is a pipe to which one byte is written that nobody reads: each wait watches the pipe together with its
/// own socket.
final class StopSignal: Sendable {
    private let reading: Int32
    private let writing: Int32
    private let fired = Lock(false)

    /// Creates a signal that has not fired.
    ///
    /// - Throws: `SystemError` if there are no descriptors left for the pipe.
    init() throws(SystemError) { (reading, writing) = try Descriptor.makePipe() }

    deinit {
        SystemCall.close(reading)
        SystemCall.close(writing)
    }

    /// Whether the server stops.
    var isFired: Bool { fired.withLock { $0 } }

    /// Ends all waits, and all later ones at once. Calling it again does nothing.
    func fire() {
        let isFirst = fired.withLock { fired in
            defer { fired = true }
            return !fired
        }
        guard isFirst else { return }
        // The pipe is empty and open as long as this object lives, so one byte always fits.
        withUnsafeBytes(of: UInt8(1)) { try? Descriptor.write(writing, $0) }
    }

    /// Waits until a descriptor is ready, the server stops, or the time is over.
    ///
    /// - Parameters:
    ///   - event: What to wait for.
    ///   - descriptor: The socket; without one, only the signal and the deadline end the wait.
    ///   - deadline: The end of the wait; nil is no limit.
    /// - Returns: Whether the descriptor is ready, and the server has not stopped.
    func wait(
        for event: Descriptor.Event = .readable, of descriptor: Int32? = nil, until deadline: ContinuousClock.Instant?
    ) -> Bool {
        var waits = [(reading, Descriptor.Event.readable)]
        if let descriptor { waits.append((descriptor, event)) }
        // The time left is nil once the deadline has passed.
        while !isFired, let timeLeft = Descriptor.milliseconds(until: deadline) {
            let ready = Descriptor.wait(waits, milliseconds: timeLeft)
            // The second one, if there is one, is that of `descriptor`.
            if ready.count == 2, ready[1], !isFired { return true }
        }
        return false
    }

    /// Waits for a time, or until the server stops.
    ///
    /// - Returns: Whether the server has not stopped.
    func pause(for duration: Duration) -> Bool {
        _ = wait(until: .now + duration.clamped)
        return !isFired
    }
}
