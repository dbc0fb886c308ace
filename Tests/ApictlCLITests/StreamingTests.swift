import CurlTransport
import EndpointKit
import MockServer
import Synchronization
import Testing

@testable import ApictlCLI

/// Events and lines are seen as they come, not at the end.
struct StreamingTests {
    /// An output that remembers when something came.
    private final class TimedOutput: ByteOutput {
        let isTerminal = false
        private let writes = Mutex<[(text: String, time: ContinuousClock.Instant)]>([])

        func write(_ bytes: [UInt8]) throws {
            writes.withLock { $0.append((String(decoding: bytes, as: UTF8.self), .now)) }
        }

        var texts: [String] { writes.withLock { $0.map(\.text) } }
        var times: [ContinuousClock.Instant] { writes.withLock { $0.map(\.time) } }
    }

    private static let pause = Duration.milliseconds(500)

    struct Stream: Sendable, CustomTestStringConvertible {
        let words: [String]
        let type: String
        let pieces: [String]
        /// What is seen of each piece.
        let seen: [String]
        var testDescription: String { "\(type) \(words.joined(separator: " "))" }
    }

    static let streams: [Stream] = [
        Stream(
            words: ["echo.path", "a"], type: "text/event-stream", pieces: ["data: 1\n\n", "data: 2\n\n"],
            seen: ["data: 1\n\n", "data: 2\n\n"]),
        Stream(
            words: ["echo.query", "--name", "n", "--raw"], type: "text/event-stream",
            pieces: ["data: 1\n\n", "data: 2\n\n"], seen: ["data: 1\n\n", "data: 2\n\n"]),
        Stream(
            words: ["echo.query", "--name", "n", "--raw"], type: "application/x-ndjson",
            pieces: ["{\"a\":1}\n", "{\"a\":2}\n"], seen: ["{\n  \"a\": 1\n}\n", "{\n  \"a\": 2\n}\n"]),
        Stream(
            words: ["echo.path", "a", "--compact"], type: "application/x-ndjson",
            pieces: ["{\"a\": 1}\n", "{\"a\": 2}\n"], seen: ["{\"a\":1}\n", "{\"a\":2}\n"]),
        Stream(
            words: ["echo.query", "--name", "n", "-o", "-"], type: "application/x-ndjson", pieces: ["1\n", "2\n"],
            seen: ["1\n", "2\n"]),
    ]

    @Test("What came is written before more comes", arguments: streams)
    func stream(_ stream: Stream) async throws {
        let server = try MockServer { _ in
            .chunked(
                stream.pieces.map { Array($0.utf8) }, pauseBetween: Self.pause,
                fields: [("Content-Type", stream.type)])
        }
        let (out, err) = (TimedOutput(), BufferOutput())
        let environment = ProcessEnvironment(
            stdout: out, stderr: err, stdin: UntouchedInput(), variable: { _ in nil }, files: MemoryFiles(),
            transport: CurlTransport())
        let code = await Apictl.run(
            ["call"] + stream.words + ["--base-url", server.baseURL], apis: [Echo.self], environment: environment)
        #expect(code == 0)
        #expect(err.text == "")
        #expect(out.texts == stream.seen)
        let times = out.times
        // The second piece is sent a pause after the first: a reader that waits for more would see both at once.
        if times.count == 2 { #expect(times[1] - times[0] > Self.pause / 10) }
    }

    @Test(
        "A model is of one document: a stream is refused at once, not at its end",
        arguments: [
            "text/event-stream", "application/x-ndjson", "application/jsonl", "application/json-seq",
            "application/x-ndjson; charset=utf-8",
        ])
    func decoded(_ type: String) async throws {
        let server = try MockServer { _ in
            .response(200, fields: [("Content-Type", type), ("Transfer-Encoding", "chunked")]).then(
                .bytes(Array("2\r\n{}\r\n".utf8)), .hang)
        }
        let start = ContinuousClock.now
        let outcome = await run(
            ["call", "echo.query", "--name", "n", "--base-url", server.baseURL], transport: CurlTransport())
        let name = type.split(separator: ";")[0]
        #expect(
            outcome
                == Outcome(
                    err: """
                        apictl: echo.query: the answer is a stream (\(name)), not one JSON document
                        Add --raw to see what the server sent.

                        """, code: 8))
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
