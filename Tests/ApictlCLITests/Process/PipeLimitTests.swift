import CurlTransport
import EndpointKit
import Foundation
import MockServer
import SystemCalls
import Testing

@testable import ApictlCLI

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

    /// What the other end of the pipe does, on a thread of its own.
    enum Other: Sendable, CaseIterable {
        case neverOpens, stallsAtOnce, stallsInTheMiddle, closesAtOnce, writes
    }

    /// Opens the pipe for writing and does that; the descriptor, if it is left open.
    private func write(_ other: Other) throws -> Int32? {
        switch other {
        case .neverOpens: return nil
        case .stallsAtOnce, .stallsInTheMiddle:
            // For both directions, opening does not wait for a reader.
            let descriptor = open(fifo, O_RDWR | O_CLOEXEC)
            try #require(descriptor >= 0)
            if other == .stallsInTheMiddle { #expect(SystemCalls.write(descriptor, "{\"a\"", 4) == 4) }
            return descriptor
        case .closesAtOnce, .writes:
            let text = other == .writes ? "{\"a\":1}" : ""
            try SystemThread.start { [fifo] in
                let writer = open(fifo, O_WRONLY | O_CLOEXEC)
                _ = SystemCalls.write(writer, text, text.utf8.count)
                close(writer)
            }
            return nil
        }
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
        ],
        [Other.neverOpens, .stallsAtOnce, .stallsInTheMiddle])
    func stalledWriter(_ words: [String], _ other: Other) async throws {
        let writer = try write(other)
        defer { if let writer { close(writer) } }
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
        "stdin that stalls in the middle", arguments: [["--body", "-"], ["--body", "@-"], ["--body", "@/dev/stdin"]])
    func stalledStdin(_ words: [String]) async throws {
        let pipe = try Descriptor.makePipe()
        defer {
            close(pipe.reading)
            close(pipe.writing)
        }
        #expect(SystemCalls.write(pipe.writing, "part", 4) == 4)
        let words = words.map { $0.replacingOccurrences(of: "/dev/stdin", with: "/dev/fd/\(pipe.reading)") }
        let stdin = DescriptorInput(pipe.reading, name: "stdin", closes: false)
        let (outcome, _, time) = try await call(["echo.ping", "-m", "300ms"] + words, stdin: stdin) { .json("{}") }
        #expect(outcome.err.hasSuffix(": it did not end in time\nTo wait longer: --max-time 600ms\n"))
        #expect(outcome.code == 7)
        #expect(time < .seconds(30))
    }

    @Test("What comes is sent, also with a limit", arguments: [[], ["-m", "20"]])
    func wholeBody(_ words: [String]) async throws {
        _ = try write(.writes)
        let (outcome, received, _) = try await call(["echo.ping", "--body", "@\(fifo)"] + words) { .json("{}") }
        #expect(outcome.code == 0)
        #expect(received.map(\.bodyText) == ["{\"a\":1}"])
    }

    @Test("A pipe that is closed without data is an empty body")
    func emptyBody() async throws {
        _ = try write(.closesAtOnce)
        let (outcome, received, _) = try await call(["echo.ping", "--body", "@\(fifo)", "-m", "20"]) { .json("{}") }
        #expect(outcome.code == 0)
        #expect(received.map(\.bodyText) == [""])
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
