import CurlTransport
import EndpointKit
import MockServer
import Testing

@testable import ApictlCLI

/// Events and lines are printed as they arrive, not at the end.
struct StreamingTests {
    /// An output that stops the server at the first thing it is given.
    private final class StoppingOutput: ByteOutput {
        let isTerminal = false
        private let server: MockServer
        private let content = BufferOutput()

        init(_ server: MockServer) { self.server = server }

        func write(_ bytes: [UInt8]) throws {
            try content.write(bytes)
            server.stop()
        }

        var text: String { content.text }
    }

    struct Stream: Sendable, CustomTestStringConvertible {
        let words: [String]
        let type: String
        /// What the server sends before it stops sending.
        let sent: String
        let seen: String
        var testDescription: String { "\(type) \(words.joined(separator: " "))" }
    }

    static let streams: [Stream] = [
        Stream(words: ["echo.path", "a"], type: "text/event-stream", sent: "data: 1\n\n", seen: "data: 1\n\n"),
        Stream(
            words: ["echo.query", "--name", "n", "--raw"], type: "application/x-ndjson", sent: "{\"a\":1}\n",
            seen: "{\n  \"a\": 1\n}\n"),
        Stream(
            words: ["echo.query", "--name", "n", "-o", "-"], type: "application/x-ndjson", sent: "1\n", seen: "1\n"),
    ]

    /// The server sends nothing more until the first line has been printed, and then ends.
    @Test("Each chunk is written before the next one arrives", arguments: streams)
    func stream(_ stream: Stream) async throws {
        let server = try MockServer { _ in
            .response(200, fields: [("Content-Type", stream.type), ("Content-Length", "1000")]).then(
                .bytes(Array(stream.sent.utf8)), .hang)
        }
        let out = StoppingOutput(server)
        let environment = ProcessEnvironment.test(out: out, transport: CurlTransport())
        let code = await Apictl.run(
            ["call"] + stream.words + ["--base-url", server.baseURL], apis: [Echo.self], environment: environment)
        #expect(out.text == stream.seen)
        // Cut short, not timed out.
        #expect(code == 6)
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
        // Who waited for the end would run out of time: another exit code.
        let outcome = await run(
            ["call", "echo.query", "--name", "n", "--base-url", server.baseURL], transport: CurlTransport())
        let name = type.split(separator: ";")[0]
        #expect(
            outcome
                == Outcome(
                    err: """
                        apictl: echo.query: the response is a stream (\(name)), not one JSON document
                        Add --raw to see what the server sent.

                        """, code: 8))
    }
}
