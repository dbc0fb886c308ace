import SystemCalls
import Testing

@testable import ApictlCLI

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

    @Test("A program that takes too long is killed, and its children end with it, also if it does not fail")
    func timeout() throws {
        let start = ContinuousClock.now
        let directory = try TemporaryDirectory()
        // The children hold the pipe open for writing, of which the reader sees the end only without them.
        let pipe = directory.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let descriptor = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(descriptor) }
        #expect(throws: CommandOutput.Failure.timedOut) {
            try Self.output("sleep 600 > \(pipe) & sleep 600", within: .seconds(1))
        }
        // One that goes on after it has closed its output.
        #expect(throws: CommandOutput.Failure.timedOut) {
            try Self.output("echo x; exec >&-; sleep 600", within: .seconds(1))
        }
        #expect(try DescriptorInput(descriptor, name: "", closes: false).readAll(name: "") == [])
        #expect(try Self.output("sleep 600 > \(pipe) & echo x") == Array("x\n".utf8))
        #expect(try DescriptorInput(descriptor, name: "", closes: false).readAll(name: "") == [])
        #expect(.now - start < .seconds(60))
    }

    @Test("It has no terminal to ask on")
    func noTerminal() throws {
        #expect(try Self.output("{ cat < /dev/tty; } 2> /dev/null || echo none") == Array("none\n".utf8))
    }

    @Test("A program that there is not")
    func missing() {
        #expect(throws: CommandOutput.Failure.notStarted(SystemError(reason: "No such file or directory"))) {
            try CommandOutput.of(["/no/such/program"], within: .seconds(1), maxBytes: 1)
        }
    }
}
