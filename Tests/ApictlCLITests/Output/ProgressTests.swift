import EndpointKit
import Synchronization
import Testing

@testable import ApictlCLI

/// The progress line.
struct ProgressTests {
    @Test(
        "Lines",
        arguments: [
            (63_100_000, 149_000_000, 84_200_000, "  42%  63.1 MB of 149.0 MB  84.2 MB/s  0:02 left"),
            (0, 100, nil, "   0%  0 B of 100 B"),
            (0, 100, 0, "   0%  0 B of 100 B  0 B/s"),
            (99_999, 100_000, 1, "  99%  100.0 kB of 100.0 kB  1 B/s  0:01 left"),
            (100, 100, 7, " 100%  100 B of 100 B  7 B/s"),
            (200, 100, 7, " 100%  200 B of 100 B  7 B/s"),
            (1000, nil, 500, "  1.0 kB  500 B/s"),
            (1000, 0, nil, "  1.0 kB"),
            (0, 60_000, 1000, "   0%  0 B of 60.0 kB  1.0 kB/s  1:00 left"),
            (0, 3_661_000, 1000, "   0%  0 B of 3.7 MB  1.0 kB/s  1:01:01 left"),
            (0, Int.max, 1, "   0%  0 B of 9.2 EB  1 B/s"),
            (1, 359_999_000_000, 1_000_000, "   0%  1 B of 360.0 GB  1.0 MB/s  99:59:59 left"),
        ] as [(Int, Int?, Int?, String)])
    func line(_ done: Int, _ total: Int?, _ rate: Int?, _ text: String) {
        #expect(Progress.line(done: done, total: total, rate: rate) == text)
        #expect(text.count < 80)
    }

    @Test(arguments: [
        (49, "  42%  63.1 MB of 149.0 MB  84.2 MB/s  0:02 left"), (48, "  42%  63.1 MB of 149.0 MB  84.2 MB/s"),
        (37, "  42%  63.1 MB of 149.0 MB"), (1, "  42%"),
    ])
    func narrowTerminals(_ columns: Int, _ text: String) {
        #expect(Progress.line(done: 63_100_000, total: 149_000_000, rate: 84_200_000, columns: columns) == text)
    }

    /// A clock that stands still until it is moved.
    private final class Clock: Sendable {
        private let time = Mutex(ContinuousClock.now)
        func pass(_ milliseconds: Int) { time.withLock { $0 += .milliseconds(milliseconds) } }
        var now: ContinuousClock.Instant { time.withLock { $0 } }
    }

    @Test("Nothing in the first half second, then at most ten times a second, and erased at the end")
    func drawing() {
        let (clock, output) = (Clock(), BufferOutput(isTerminal: true))
        let progress = Progress(output: output, total: 10_000, now: { clock.now })
        progress.advance(by: 1000)
        clock.pass(499)
        progress.advance(by: 1000)
        #expect(output.text == "")
        clock.pass(1)
        progress.advance(by: 500)
        let first = "\r  25%  2.5 kB of 10.0 kB  5.0 kB/s  0:02 left"
        #expect(output.text == first)
        clock.pass(99)
        progress.advance(by: 7500)
        #expect(output.text == first)
        clock.pass(1)
        progress.advance()
        let second = "\r 100%  10.0 kB of 10.0 kB  16.7 kB/s"
        let blanks = String(repeating: " ", count: first.count - second.count)
        #expect(output.text == first + second + blanks)
        progress.erase()
        #expect(
            output.text == first + second + blanks + "\r" + String(repeating: " ", count: second.count + 1) + "\r")
        clock.pass(1000)
        progress.advance(by: 1)
        progress.erase()
        #expect(output.text.count == first.count + second.count + blanks.count + second.count + 3)
    }

    @Test("The rate is without bytes from an earlier run")
    func rate() throws {
        let (clock, output) = (Clock(), BufferOutput(isTerminal: true))
        let progress = Progress(output: output, done: 1_000_000, total: nil, now: { clock.now })
        for _ in 0..<100 {
            clock.pass(100)
            progress.advance(by: 1000)
        }
        #expect(try #require(output.text.split(separator: "\r").last) == "  1.1 MB  10.0 kB/s")
    }

    /// `call` with `words`; each chunk of the body takes 300 ms.
    private func call(_ words: String, terminal: Bool, term: String? = nil, response: StubResponse) async -> (
        Outcome, MemoryFiles
    ) {
        let (clock, files) = (Clock(), MemoryFiles())
        let (out, err) = (BufferOutput(isTerminal: terminal), BufferOutput(isTerminal: terminal))
        var environment = ProcessEnvironment.test(
            out: out, err: err, variables: term.map { ["TERM": $0] } ?? [:], files: files,
            transport: SlowTransport(base: StubTransport(response)) { clock.pass(300) })
        environment.now = { clock.now }
        let code = await Apictl.run(
            ["call", "echo.path", "a"] + words.split(separator: " ").map(String.init), apis: [Echo.self],
            environment: environment)
        return (Outcome(out: out.text, err: err.text, code: code), files)
    }

    private struct SlowTransport: Transport {
        let base: StubTransport
        let delay: @Sendable () -> Void

        func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
            var response = try await base.send(request, options: options)
            let body = response.body
            response.body = ResponseBody {
                delay()
                var pieces = body.makeAsyncIterator()
                return try await pieces.next()
            }
            return response
        }
    }

    private static let response: StubResponse = {
        var response = StubResponse.typed("text/plain", "0123456789").with("Content-Length", "10")
        response.pieceSize = 5
        return response
    }()

    @Test("A file's progress is on stderr")
    func file() async {
        let (outcome, files) = await call("-o f", terminal: true, response: Self.response)
        let line = " 100%  10 B of 10 B  16 B/s"
        #expect(
            outcome
                == Outcome(
                    err: "\r" + line + "\r" + String(repeating: " ", count: line.count + 2)
                        + "\rnote: 10 B saved in f\n"))
        #expect(files["f"] == "0123456789")
    }

    @Test("It is erased before an error is reported")
    func failure() async {
        var response = Self.response
        response.failureInBody = TransportError(.cutShort(.broken))
        let (outcome, _) = await call("-o f", terminal: true, response: response)
        #expect(
            outcome.err.hasSuffix(
                "\r" + String(repeating: " ", count: 29)
                    + "\rapictl: echo.path: the connection to the server broke before the end of the response\nTo try again: --retry 3\n"
                    + "Nothing was kept. With -C a partial download is kept and resumed.\n"))
        #expect(outcome.code == 6)
    }

    @Test("For a compressed response, only the received bytes are shown")
    func compressed() async {
        let (outcome, _) = await call("-o f", terminal: true, response: Self.response.with("Content-Encoding", "gzip"))
        #expect(outcome.err.hasPrefix("\r  10 B  16 B/s\r"))
    }

    @Test("No progress without a terminal, for printed output, and with -q or -vv")
    func none() async {
        for (words, terminal) in [("-o f", false), ("-o f -q", true), ("-o -", true), ("", true), ("--raw", true)] {
            #expect(await call(words, terminal: terminal, response: Self.response).0.err == "", "\(words)")
        }
        #expect(
            await call("-o f", terminal: true, term: "dumb", response: Self.response).0.err
                == "note: 10 B saved in f\n")
        #expect(await !call("-o f -vv", terminal: true, response: Self.response).0.err.contains("\r"))
    }
}
