import EndpointKit
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

    /// Whether `descriptor` is ready before the server stops and `deadline` has passed; nil is none of either.
    func wait(
        for event: Descriptor.Event = .readable, of descriptor: Int32? = nil, until deadline: ContinuousClock.Instant?
    ) -> Bool {
        let waits = [(reading, Descriptor.Event.readable)] + (descriptor.map { [($0, event)] } ?? [])
        while !isFired, let rest = Descriptor.milliseconds(until: deadline) {
            let ready = Descriptor.wait(waits, milliseconds: rest).dropFirst()
            if ready.first == true, !isFired { return true }
        }
        return false
    }

    /// Waits for `duration`; false once the server stops.
    func pause(for duration: Duration) -> Bool {
        _ = wait(until: .now + duration.clamped)
        return !isFired
    }
}
