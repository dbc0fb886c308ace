import Testing

@testable import ApictlCLI

/// Times and sizes as a person reads them.
struct ShownQuantitiesTests {
    static let waits: [(Duration, String)] = [
        (.zero, "0.0 ms"), (.microseconds(500), "0.5 ms"), (.milliseconds(10), "10 ms"), (.milliseconds(999), "999 ms"),
        (.microseconds(999_600), "1 s"), (.seconds(1), "1 s"), (.milliseconds(1200), "1.2 s"),
        (.milliseconds(9940), "9.9 s"), (.milliseconds(9950), "10 s"), (.seconds(60), "60 s"), (.seconds(119), "119 s"),
        (.seconds(120), "2 min"), (.seconds(150), "2.5 min"), (.seconds(7200), "2 h"), (.seconds(21_600), "6 h"),
    ]

    @Test(arguments: waits)
    func wait(_ duration: Duration, _ text: String) { #expect(duration.shown == text) }

    static let sizes: [(Double, String)] = [
        (0, "0 bytes"), (1, "1 byte"), (2, "2 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (6600, "6.6 kB"),
        (9949, "9.9 kB"), (9950, "10 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (12_000_000, "12 MB"),
        (149_000_000, "149 MB"), (3e9, "3.0 GB"), (5e12, "5.0 TB"), (2e15, "2000 TB"), (.infinity, "very long TB"),
    ]

    @Test(arguments: sizes)
    func size(_ bytes: Double, _ text: String) { #expect(ShownSize.text(bytes) == text) }
}
