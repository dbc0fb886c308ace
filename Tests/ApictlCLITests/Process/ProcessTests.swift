import CurlTransport
import EndpointKit
import Foundation
import MockServer
import SystemCalls
import Testing

@testable import ApictlCLI

/// If the reader of stdout goes away (`| head -1`), the run ends quietly.
struct ClosedOutputTests {
    @Test(
        arguments: [
            "list", "list --json", "describe movies.popular", "help call", "--version", "curl echo.ping",
            "call echo.ping --dry-run", "call movies.popular --sample", "call movies.popular --sample --raw",
            "call movies.popular --sample -i", "call echo.path a --sample", "call movies.popular --sample -o -",
        ], [0, 3])
    func closed(_ words: String, after count: Int) async {
        let err = BufferOutput()
        let environment = ProcessEnvironment.test(out: ClosingOutput(after: count), err: err)
        #expect(await Apictl.run(words.words, apis: testAPIs, environment: environment) == 141)
        #expect(err.text == "")
    }

    @Test("With stderr closed, only the exit code is reported")
    func closedError() async {
        let environment = ProcessEnvironment.test(err: ClosingOutput(after: 0))
        #expect(await Apictl.run(["call", "movies"], apis: [Movies.self], environment: environment) == 2)
    }
}

/// Programs that are run for what they print.
struct CommandOutputTests {
    private static func output(_ script: String, within limit: Duration = .seconds(20)) throws -> [UInt8] {
        try CommandOutput.of(["sh", "-c", script], within: limit, maxBytes: 100)
    }

    @Test("What a program prints, with its own end and an empty stdin")
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
        #expect(try DescriptorStream(descriptor, name: "", isOwn: false).readAll(name: "") == [])
        #expect(try Self.output("sleep 600 > \(pipe) & echo x") == Array("x\n".utf8))
        #expect(try DescriptorStream(descriptor, name: "", isOwn: false).readAll(name: "") == [])
        #expect(.now - start < .seconds(60))
    }

    @Test("It has no terminal to ask on")
    func noTerminal() throws {
        #expect(try Self.output("{ cat < /dev/tty; } 2> /dev/null || echo none") == Array("none\n".utf8))
    }

    @Test("A program that there is not")
    func missing() {
        #expect(throws: CommandOutput.Failure.notStarted(SystemError(number: ENOENT))) {
            try CommandOutput.of(["/no/such/program"], within: .seconds(1), maxBytes: 1)
        }
    }
}

struct SystemThreadTests {
    @Test("A thread blocks the signals that end a program, but not those of a crash, which must leave a backtrace")
    func signals() async throws {
        let blocked = try await onItsOwnThread {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            return [SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP].map {
                sigismember(&mask, $0) == 1
            }
        }
        #expect(blocked == [true, true, true, true, false, false, false, false, false])
    }
}

/// Pipes whose other end takes its time: `--max-time` limits reading them.
@Suite(.serialized) struct PipeLimitTests {
    private let directory: TemporaryDirectory
    private let fifo: String

    init() throws {
        // As in the tool: a reader that leaves is an error, not the end.
        signal(SIGPIPE, SIG_IGN)
        directory = try TemporaryDirectory()
        fifo = "\(directory.path)/fifo"
        try #require(mkfifo(fifo, 0o600) == 0)
    }

    private func call(
        _ words: [String], stdin: any ByteInput = UntouchedInput(), _ respond: @escaping @Sendable () -> MockResponse
    ) async throws -> (outcome: Outcome, received: [ReceivedRequest], time: Duration) {
        let server = try MockServer { _ in respond() }
        let (out, err) = (BufferOutput(), BufferOutput())
        let environment = ProcessEnvironment.test(
            out: out, err: err, stdin: stdin, files: DiskFileSystem(), transport: CurlTransport())
        let start = ContinuousClock.now
        let code = try await onItsOwnThread {
            await Apictl.run(
                ["call"] + words + ["--base-url", server.baseURL], apis: [Echo.self], environment: environment)
        }
        let time = ContinuousClock.now - start
        return (
            Outcome(out: String(exactBytes: out.bytes), err: String(exactBytes: err.bytes), code: code),
            server.received, time
        )
    }

    @Test(
        "A body and a parameter that are read from a pipe",
        arguments: [
            ["echo.ping", "--body", "@FIFO"], ["echo.note", "--note", "@FIFO"],
        ], [nil, "", "{\"a\""])
    func stalledWriter(_ words: [String], after written: String?) async throws {
        // For both directions, opening does not wait for a reader; without a text, there is no writer.
        let writer = written == nil ? -1 : open(fifo, O_RDWR | O_CLOEXEC)
        defer { close(writer) }
        if let written { #expect(SystemCalls.write(writer, written, written.utf8.count) == written.utf8.count) }
        let words = words.map { $0.replacingOccurrences(of: "FIFO", with: fifo) }
        let (outcome, received, time) = try await call(words + ["-m", "300ms"]) { .json("{}") }
        #expect(
            outcome
                == Outcome(
                    err: "apictl: can't read \(fifo): it did not end in time\nTo wait longer: --max-time 600ms\n",
                    code: 7))
        #expect(received.isEmpty)
        #expect(time >= .milliseconds(300) && time < .seconds(30))
    }

    @Test(
        "stdin that stalls in the middle",
        arguments: [["--body", "-"], ["--body", "@-"], ["--body", "@/dev/stdin"], ["--env-file", "-"]])
    func stalledStdin(_ words: [String]) async throws {
        let pipe = try Descriptor.makePipe()
        defer {
            close(pipe.reading)
            close(pipe.writing)
        }
        #expect(SystemCalls.write(pipe.writing, "part", 4) == 4)
        let words = words.map { $0.replacingOccurrences(of: "/dev/stdin", with: "/dev/fd/\(pipe.reading)") }
        let stdin = DescriptorStream(pipe.reading, name: "stdin", isOwn: false)
        let (outcome, _, time) = try await call(["echo.ping", "-m", "300ms"] + words, stdin: stdin) { .json("{}") }
        #expect(outcome.err.contains(": it did not end in time\n"))
        #expect(outcome.err.hasSuffix("To wait longer: --max-time 600ms\n") == (words[0] == "--body"))
        #expect(outcome.code == 7)
        #expect(time < .seconds(30))
    }

    @Test("What comes is sent, also with a limit and if it is nothing", arguments: ["", "-m 20"], ["{\"a\":1}", ""])
    func wholeBody(_ words: String, _ text: String) async throws {
        try SystemThread.start { [fifo] in
            let writer = open(fifo, O_WRONLY | O_CLOEXEC)
            _ = SystemCalls.write(writer, text, text.utf8.count)
            close(writer)
        }
        let (outcome, received, _) = try await call(["echo.ping", "--body", "@\(fifo)"] + words.words) { .json("{}") }
        #expect(outcome.code == 0)
        #expect(received.map(\.bodyText) == [text])
    }

    @Test("The reader of the pipe is waited for, and may leave early, as that of stdout may")
    func readerLeaves() async throws {
        try SystemThread.start { [fifo] in
            usleep(100_000)
            let reader = open(fifo, O_RDONLY | O_CLOEXEC)
            var buffer = [UInt8](repeating: 0, count: 10)
            _ = SystemCalls.read(reader, &buffer, 10)
            close(reader)
        }
        let body = "\"" + String(repeating: "x", count: 1_000_000) + "\""
        let (outcome, _, _) = try await call(["echo.ping", "-o", fifo]) { .json(body) }
        #expect(outcome == Outcome(code: 141))
    }
}
