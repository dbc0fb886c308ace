import Testing

@testable import ApictlCLI

/// The line about the progress of a body.
struct ProgressTests {
    @Test(
        "How much has been received: bytes, the total if it is known, and the beginning of the line",
        arguments: [
            (63_100_000, 149_000_000, "42%  63.1 MB of 149.0 MB"), (0, 100, "0%  0 B of 100 B"),
            (99_999, 100_000, "99%  100.0 kB of 100.0 kB"), (200, 100, "100%  200 B of 100 B"),
            (1000, nil, "1.0 kB"), (1000, 0, "1.0 kB"),
        ] as [(Int, Int?, String)])
    func text(_ transferredBytes: Int, _ totalBytes: Int?, _ text: String) {
        #expect(Progress.text(transferredBytes: transferredBytes, totalBytes: totalBytes) == text)
    }

    /// Returns the stderr of a call whose body takes longer than the 500 ms before the first drawing.
    ///
    /// - Parameters:
    ///   - words: The options of the call.
    ///   - terminal: Whether stdout and stderr are terminals.
    ///   - term: The value of the variable TERM; nil if it is not set.
    private static func errors(ofCall words: String, terminal: Bool = true, term: String? = nil) async -> String {
        var response = StubResponse.typed("text/plain", "0123456789").with("Content-Length", "10")
        response.pieceSize = 5
        response.pause = .milliseconds(300)
        let outcome = await run(
            ["call", "echo.path", "a"] + words.words,
            variables: term.map { ["TERM": $0] } ?? [:], transport: StubTransport(response),
            terminal: terminal ? [.stdout, .stderr] : [])
        return outcome.err
    }

    @Test("The progress of a file is shown on stderr, and erased at the end")
    func file() async {
        // On a busy machine, a line may be drawn before the last piece too.
        let text = await Self.errors(ofCall: "-o f")
        #expect(text.hasPrefix("\r  "))
        #expect(text.contains("\r  100%  10 B of 10 B  "))
        #expect(text.hasSuffix("\u{1B}[K\r\u{1B}[Knote: 10 B saved in f\n"))
    }

    @Test(
        "Speed and time left: received bytes, seconds, missing bytes if they are known, and the end of the line",
        arguments: [
            (1000, 1, 2000, "  1.0 kB/s  2 s left"), (10, 2, nil, "  5 B/s"), (10, 1, 0, "  10 B/s"), (0, 1, 5, ""),
        ] as [(Int, Int, Int?, String)])
    func speed(_ received: Int, _ seconds: Int, _ missing: Int?, _ text: String) {
        #expect(Progress.speedText(received: received, elapsed: .seconds(seconds), missing: missing) == text)
    }

    @Test("No progress without a terminal, for printed output, and with -q or -vv")
    func none() async {
        for (words, terminal) in [("-o f", false), ("-o f -q", true), ("-o -", true), ("", true)] {
            #expect(await Self.errors(ofCall: words, terminal: terminal) == "", "\(words)")
        }
        #expect(await Self.errors(ofCall: "-o f", term: "dumb") == "note: 10 B saved in f\n")
        #expect(await !Self.errors(ofCall: "-o f -vv").contains("\r"))
    }
}

/// The line about what a call waits for.
struct ActivityLineTests {
    @Test(
        "What a call has done so far, and the line",
        arguments: [
            (ActivityLine.Counts(), "waiting for a.test, 3 s"),
            (ActivityLine.Counts(sent: 0, sentTotal: 999_999), "waiting for a.test, 3 s"),
            (ActivityLine.Counts(sent: 500_000, sentTotal: 2_000_000), "25%  500.0 kB of 2.0 MB sent to a.test, 3 s"),
            (ActivityLine.Counts(sent: 2_000_000, sentTotal: 2_000_000), "waiting for a.test, 3 s"),
            (ActivityLine.Counts(sent: 5, sentTotal: 2_000_000, received: 1200), "1.2 kB received, 3 s"),
            (ActivityLine.Counts(received: 1200, pages: 2), "2 pages, 1.2 kB received, 3 s"),
        ])
    func text(_ counts: ActivityLine.Counts, _ text: String) {
        #expect(ActivityLine.text(host: "a.test", counts: counts, elapsed: .milliseconds(3900)) == text)
    }

    @Test("A slow call shows what it waits for, until its result comes")
    func waiting() async {
        var response = StubResponse.json(#"{"title":"Tea"}"#)
        response.pieceSize = 9
        response.pause = .milliseconds(200)
        func errors(_ words: String, _ terminal: Terminals) async -> String {
            let err = BufferOutput(isTerminal: terminal.contains(.stderr))
            var environment = ProcessEnvironment.test(
                out: BufferOutput(isTerminal: terminal.contains(.stdout)), err: err, variables: testVariables,
                transport: StubTransport(response))
            environment.activityInterval = .milliseconds(50)
            _ = await Apictl.run(
                "call echo.note --note.title a --compact \(words)".words, apis: testAPIs, environment: environment)
            return String(exactBytes: err.bytes)
        }
        let shown = await errors("", [.stdout, .stderr])
        // How much has come by then depends on how busy the machine is.
        #expect(shown.hasPrefix("\r  ") && shown.contains("waiting for") && shown.hasSuffix("\r\u{1B}[K"), "\(shown)")
        for (words, terminal) in [("-q", Terminals([.stdout, .stderr])), ("", .stdout)] {
            #expect(await errors(words, terminal) == "", "\(words)")
        }
    }
}
