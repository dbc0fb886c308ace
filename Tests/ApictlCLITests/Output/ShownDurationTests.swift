import Testing

@testable import ApictlCLI

/// Durations for display.
struct ShownDurationTests {
    static let waits: [(Duration, String)] = [
        (.zero, "0.0 ms"), (.microseconds(500), "0.5 ms"), (.milliseconds(10), "10 ms"), (.milliseconds(999), "999 ms"),
        (.microseconds(999_600), "1 s"), (.seconds(1), "1 s"), (.milliseconds(1200), "1.2 s"),
        (.milliseconds(9940), "9.9 s"), (.milliseconds(9950), "10 s"), (.seconds(60), "60 s"), (.seconds(119), "119 s"),
        (.seconds(120), "2 min"), (.seconds(150), "2.5 min"), (.seconds(7200), "2 h"), (.seconds(21_600), "6 h"),
    ]

    @Test(arguments: waits)
    func wait(_ duration: Duration, _ text: String) { #expect(duration.shown == text) }
}
