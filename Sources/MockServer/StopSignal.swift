import EndpointKit
import Locking
import SystemCalls

/// Wakes every waiting thread when the server stops.
///
/// The signal is a pipe to which one byte is written that nobody reads: each wait watches the pipe together with its
/// own socket.
final class StopSignal: Sendable {
    /// The end of the pipe that becomes readable when the signal fires.
    private let readEnd: Int32
    private let writeEnd: Int32
    private let fired = Lock(false)

    /// Creates a signal that has not fired.
    ///
    /// - Throws: `SystemError` if there are no descriptors left for the pipe.
    init() throws(SystemError) { (readEnd, writeEnd) = try Descriptor.makePipe() }

    deinit {
        SystemCall.close(readEnd)
        SystemCall.close(writeEnd)
    }

    /// Whether the signal has fired, because the server stops.
    var isFired: Bool { fired.withLock { $0 } }

    /// Ends all waits, and all later ones at once. Calling it again does nothing.
    func fire() {
        let hadFired = fired.withLock { fired in
            let hadFired = fired
            fired = true
            return hadFired
        }
        if hadFired { return }
        // The pipe is empty and open as long as this object lives, so one byte always fits.
        withUnsafeBytes(of: UInt8(1)) { try? Descriptor.write(writeEnd, $0) }
    }

    /// Waits until a descriptor is ready, the server stops, or the time is over.
    ///
    /// - Parameters:
    ///   - event: Whether to wait until the socket can be read or written.
    ///   - descriptor: The socket. Without one, only the signal and the deadline end the wait.
    ///   - deadline: The end of the wait; nil is no limit.
    /// - Returns: Whether the descriptor is ready, and the server has not stopped.
    func wait(
        for event: Descriptor.Event = .readable, of descriptor: Int32? = nil, until deadline: ContinuousClock.Instant?
    ) -> Bool {
        // The signal's own pipe becomes readable when it fires, which ends the wait.
        var awaitedEvents = [(readEnd, Descriptor.Event.readable)]
        if let descriptor { awaitedEvents.append((descriptor, event)) }
        // The time left is nil once the deadline has passed.
        while !isFired, let timeLeft = Descriptor.milliseconds(until: deadline) {
            // The results are in the order of the events.
            let haveHappened = Descriptor.wait(awaitedEvents, milliseconds: timeLeft)
            let isDescriptorReady = descriptor != nil && haveHappened[1]
            if isDescriptorReady, !isFired { return true }
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
