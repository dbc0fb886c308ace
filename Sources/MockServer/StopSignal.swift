import Synchronization
import SystemCalls

/// Tells every waiting thread that the server stops.
///
/// A pipe to which one byte is written and never read: each wait watches it together with its own socket.
final class StopSignal: Sendable {
    private let reading: Int32
    private let writing: Int32
    private let fired = Atomic(false)

    init() throws(SystemError) { (reading, writing) = try Descriptor.makePipe() }

    deinit {
        SystemCall.close(reading)
        SystemCall.close(writing)
    }

    var isFired: Bool { fired.load(ordering: .acquiring) }

    func fire() {
        guard !fired.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // The pipe is empty and open as long as this object lives, so one byte always fits.
        withUnsafeBytes(of: UInt8(1)) { try? Descriptor.write(writing, $0) }
    }

    /// How a wait ended.
    enum Wait {
        case ready, stopped, timedOut
    }

    /// Waits until `descriptor` is ready, the server stops, or `deadline` has passed; nil is no deadline.
    func wait(
        for event: Descriptor.Event, of descriptor: Int32, until deadline: ContinuousClock.Instant? = nil
    ) -> Wait {
        while !isFired {
            var milliseconds: Int32 = -1
            if let deadline {
                guard let rest = Descriptor.milliseconds(until: deadline) else { return .timedOut }
                milliseconds = rest
            }
            let ready = Descriptor.wait([(reading, .readable), (descriptor, event)], milliseconds: milliseconds)
            if ready[1], !isFired { return .ready }
        }
        return .stopped
    }

    /// Waits for `duration`; false once the server stops.
    func pause(for duration: Duration) -> Bool {
        let deadline = ContinuousClock.now + duration
        while !isFired, let rest = Descriptor.milliseconds(until: deadline) {
            _ = Descriptor.wait([(reading, .readable)], milliseconds: rest)
        }
        return !isFired
    }
}
