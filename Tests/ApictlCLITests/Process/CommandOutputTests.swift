import SystemCalls
import Testing

/// Programs that are run for what they print.
struct CommandOutputTests {
    private static func output(_ script: String, within limit: Duration = .seconds(20)) throws -> [UInt8] {
        try CommandOutput.of(["sh", "-c", script], within: limit, maxBytes: 100)
    }

    @Test("What a program prints, with its own end and an empty stdin")
    func output() throws {
        #expect(try Self.output("cat; printf 'a\\nb'") == Array("a\nb".utf8))
    }

    static let failures: [(script: String, failure: CommandOutput.Failure)] = [
        ("echo x; exit 3", .exited(3)), ("kill -TERM $$", .killed(signal: 15)), ("yes", .tooLong),
    ]

    @Test(arguments: failures)
    func failure(_ script: String, _ failure: CommandOutput.Failure) {
        #expect(throws: failure) { try Self.output(script) }
    }

    @Test("A program that takes too long is killed")
    func timeout() {
        let start = ContinuousClock.now
        #expect(throws: CommandOutput.Failure.timedOut) { try Self.output("exec sleep 60", within: .milliseconds(200)) }
        #expect(.now - start < .seconds(30))
    }

    @Test("A program that there is not")
    func missing() {
        #expect(throws: CommandOutput.Failure.notStarted(SystemError(reason: "No such file or directory"))) {
            try CommandOutput.of(["/no/such/program"], within: .seconds(1), maxBytes: 1)
        }
    }
}
