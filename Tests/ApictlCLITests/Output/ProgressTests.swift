import EndpointKit
import Testing

@testable import ApictlCLI

/// The progress line.
struct ProgressTests {
    @Test(
        arguments: [
            (63_100_000, 149_000_000, "42%  63.1 MB of 149.0 MB"), (0, 100, "0%  0 B of 100 B"),
            (99_999, 100_000, "99%  100.0 kB of 100.0 kB"), (200, 100, "100%  200 B of 100 B"),
            (1000, nil, "1.0 kB"), (1000, 0, "1.0 kB"),
        ] as [(Int, Int?, String)])
    func text(_ done: Int, _ total: Int?, _ text: String) { #expect(Progress.text(done, of: total) == text) }

    /// What stderr gets of a call whose body takes longer than what is short.
    private static func call(_ words: String, terminal: Bool = true, term: String? = nil) async -> String {
        var response = StubResponse.typed("text/plain", "0123456789").with("Content-Length", "10")
        response.pieceSize = 5
        let outcome = await run(
            ["call", "echo.path", "a"] + words.words,
            variables: term.map { ["TERM": $0] } ?? [:], transport: SlowTransport(base: StubTransport(response)),
            terminal: terminal ? [.stdout, .stderr] : [])
        return outcome.err
    }

    private struct SlowTransport: Transport {
        let base: StubTransport

        func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
            var response = try await base.send(request, options: options)
            let body = response.body
            response.body = ResponseBody {
                try await Task.sleep(for: .milliseconds(300))
                var pieces = body.makeAsyncIterator()
                return try await pieces.next()
            }
            return response
        }
    }

    @Test("A file's progress is on stderr, and erased at the end")
    func file() async {
        // On a busy machine, a line may be drawn before the last piece too.
        let text = await Self.call("-o f")
        #expect(text.hasPrefix("\r  "))
        #expect(text.hasSuffix("\r  100%  10 B of 10 B\u{1B}[K\r\u{1B}[Knote: 10 B saved in f\n"))
    }

    @Test("No progress without a terminal, for printed output, and with -q or -vv")
    func none() async {
        for (words, terminal) in [("-o f", false), ("-o f -q", true), ("-o -", true), ("", true)] {
            #expect(await Self.call(words, terminal: terminal) == "", "\(words)")
        }
        #expect(await Self.call("-o f", term: "dumb") == "note: 10 B saved in f\n")
        #expect(await !Self.call("-o f -vv").contains("\r"))
    }
}
