import CurlTransport
import EndpointKit
import Foundation
import MockServer
import SystemCalls
import Testing

@testable import ApictlCLI

/// Pipes whose other end takes its time, which `--max-time` limits.
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

    /// Calls a server that answers with `respond`, on a thread of its own, because reading a pipe blocks the thread.
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
        "A body or a parameter from a pipe that nobody writes to its end is a timeout, and nothing is sent",
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
        "stdin that stalls in the middle is a timeout",
        arguments: [["--body", "-"], ["--body", "@-"], ["--body", "@/dev/stdin"], ["--env-file", "-"]])
    func stalledStdin(_ words: [String]) async throws {
        let pipe = try Descriptor.makePipe()
        defer {
            close(pipe.reading)
            close(pipe.writing)
        }
        #expect(SystemCalls.write(pipe.writing, "part", 4) == 4)
        let words = words.map { $0.replacingOccurrences(of: "/dev/stdin", with: "/dev/fd/\(pipe.reading)") }
        let stdin = DescriptorStream(pipe.reading, name: "stdin", closesDescriptor: false)
        let (outcome, _, time) = try await call(["echo.ping", "-m", "300ms"] + words, stdin: stdin) { .json("{}") }
        #expect(outcome.err.contains(": it did not end in time\n"))
        #expect(outcome.err.hasSuffix("To wait longer: --max-time 600ms\n") == (words[0] == "--body"))
        #expect(outcome.code == 7)
        #expect(time < .seconds(30))
    }

    @Test(
        "A body from a pipe is sent, with and without a limit, and even if it is empty", arguments: ["", "-m 20"],
        ["{\"a\":1}", ""])
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

    @Test("-o waits for the reader of a pipe. If the reader leaves early, the run ends quietly")
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
