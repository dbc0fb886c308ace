import Synchronization

/// Tells every waiting thread that the server stops.
///
/// A pipe into which one byte is written and never read: each wait watches it beside its own socket.
final class StopSignal: Sendable {
    private let reading: Int32
    private let writing: Int32
    private let fired = Atomic(false)

    init() throws(SystemError) { (reading, writing) = try System.makePipe() }

    deinit {
        System.close(reading)
        System.close(writing)
    }

    var isFired: Bool { fired.load(ordering: .acquiring) }

    func fire() {
        if !fired.exchange(true, ordering: .acquiringAndReleasing) { System.writeByte(writing) }
    }

    /// Waits until `descriptor` is ready; false once the server stops.
    func wait(for event: System.Event, of descriptor: Int32) -> Bool {
        while !isFired {
            let ready = System.wait([(reading, .readable), (descriptor, event)], milliseconds: -1)
            if ready[1] { return !isFired }
        }
        return false
    }

    /// Waits until `descriptor` can be read or `deadline` is over; false in the second case and once the server stops.
    func wait(forInputOf descriptor: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        while !isFired, let rest = Self.milliseconds(until: deadline) {
            let ready = System.wait([(reading, .readable), (descriptor, .readable)], milliseconds: rest)
            if ready[1] { return !isFired }
        }
        return false
    }

    /// Lets `duration` go by; false once the server stops.
    func pause(for duration: Duration) -> Bool {
        let deadline = ContinuousClock.now + duration
        while !isFired, let rest = Self.milliseconds(until: deadline) {
            _ = System.wait([(reading, .readable)], milliseconds: rest)
        }
        return !isFired
    }

    /// The time to `deadline`, rounded up and at most an hour, or nil where it is over.
    private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32? {
        let rest = deadline - .now
        guard rest > .zero else { return nil }
        guard rest < .seconds(3600) else { return 3_600_000 }
        return Int32(rest / .milliseconds(1)) + 1
    }
}
