import Foundation
import SystemCalls
import Testing

@testable import ApictlCLI

/// Programs whose output is read, such as those that print a credential.
struct CommandOutputTests {
    private static func output(_ script: String, within limit: Duration = .seconds(20)) throws -> [UInt8] {
        try CommandOutput.capture(["sh", "-c", script], within: limit, maxBytes: 100)
    }

    @Test("The output of a program is returned, and its stdin is empty")
    func output() throws {
        #expect(try Self.output("cat; printf 'a\\nb'") == Array("a\nb".utf8))
    }

    @Test("A child that keeps the output open does not make the program last longer")
    func children() throws {
        let start = ContinuousClock.now
        #expect(try Self.output("sleep 600 & printf x") == Array("x".utf8))
        // A child with a session of its own is not ended with the program.
        #expect(try Self.output("setsid sleep 30 & printf y") == Array("y".utf8))
        #expect(.now - start < .seconds(15))
    }

    static let failures: [(script: String, failure: CommandOutput.Failure)] = [
        ("echo x; exit 3", .exited(3)), ("kill -TERM $$", .killed(signal: 15)), ("yes", .tooLong),
    ]

    @Test("A program that fails, is killed or prints too much", arguments: failures)
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
        // This one goes on after it has closed its output.
        #expect(throws: CommandOutput.Failure.timedOut) {
            try Self.output("echo x; exec >&-; sleep 600", within: .seconds(1))
        }
        #expect(try DescriptorStream(descriptor, name: "", closesDescriptor: false).readAll(name: "") == [])
        #expect(try Self.output("sleep 600 > \(pipe) & echo x") == Array("x\n".utf8))
        #expect(try DescriptorStream(descriptor, name: "", closesDescriptor: false).readAll(name: "") == [])
        #expect(.now - start < .seconds(60))
    }

    @Test("A program has no terminal on which it could ask")
    func noTerminal() throws {
        #expect(try Self.output("{ cat < /dev/tty; } 2> /dev/null || echo none") == Array("none\n".utf8))
    }

    @Test("A program that does not exist is not started")
    func missing() {
        #expect(throws: CommandOutput.Failure.notStarted(SystemError(number: ENOENT))) {
            try CommandOutput.capture(["/no/such/program"], within: .seconds(1), maxBytes: 1)
        }
    }
}
