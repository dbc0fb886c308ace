import EndpointKit
import SystemCalls
import Testing

@testable import ApictlCLI

/// Output on a terminal: colours by the rules, and no other control characters.
struct TerminalTests {
    /// `--color`, variables, whether the output is a terminal, and whether it is coloured.
    @Test(
        "When output is coloured",
        arguments: [
            ("", [:], false, false), ("", [:], true, true), ("auto", [:], true, true), ("auto", [:], false, false),
            ("always", [:], false, true), ("never", [:], true, false), ("", ["NO_COLOR": "0"], true, false),
            ("", ["NO_COLOR": ""], true, true), ("always", ["NO_COLOR": "1"], false, true),
            ("auto", ["NO_COLOR": "1"], true, false), ("", ["CLICOLOR_FORCE": "1"], false, true),
            ("", ["CLICOLOR_FORCE": "0"], false, false), ("", ["CLICOLOR_FORCE": ""], false, false),
            ("", ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, false),
            ("never", ["CLICOLOR_FORCE": "1"], true, false),
            ("", ["TERM": "dumb"], true, false), ("", ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true, true),
            ("", ["TERM": "xterm"], false, false),
        ] as [(String, [String: String], Bool, Bool)])
    func color(_ choice: String, _ variables: [String: String], _ onTerminal: Bool, _ isColored: Bool) async {
        let words = "call echo.login --compact" + (choice.isEmpty ? "" : " --color \(choice)")
        let terminal: Terminals = onTerminal ? [.stdout, .stderr] : []
        let response = StubResponse.json(#"{"name":"x","age":5}"#)
        let variables = variables.merging(["ECHO_USER": "anna", "ECHO_PASSWORD": "pass"]) { $1 }
        let colored =
            "{\u{1B}[1;34m\"name\"\u{1B}[0m:\u{1B}[32m\"x\"\u{1B}[0m,\u{1B}[1;34m\"age\"\u{1B}[0m:\u{1B}[36m5\u{1B}[0m}\n"
        let plain = "{\"name\":\"x\",\"age\":5}\n"
        let expected = isColored ? colored : plain
        for (head, outcome) in [
            (response.head, Outcome(out: expected)),
            (
                ResponseHead(status: 500, reason: "Oops", fields: response.head.fields),
                Outcome(err: expected + "apictl: echo.login: 500 Oops\n", code: 5)
            ),
        ] {
            let transport = StubTransport(StubResponse(head: head, body: response.body))
            #expect(await run(words, variables: variables, transport: transport, terminal: terminal) == outcome)
        }
    }

    /// Every control character of C0 and C1 and DEL, those that change the direction of text, separators, tags, and a broken byte.
    private static let hostile = scalars.utf8 + [0x9B, 0xFF]

    private static let scalars: String = {
        let values =
            Array(1...0x1F) + Array(0x7F...0x9F) + [0x61C, 0x200E, 0x200F] + Array(0x2028...0x202E)
            + Array(0x2066...0x2069) + Array(0xE0000...0xE007F)
        return String(String.UnicodeScalarView(values.compactMap { Unicode.Scalar(UInt32($0)) }))
    }()

    /// Whether `text` has control characters other than line breaks and tabs.
    private static func isHazardous(_ text: String) -> Bool {
        String(decoding: text.exactBytes, as: UTF8.self).unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069,
                0xE0000...0xE007F:
                true
            default: false
            }
        } || String(validating: text.exactBytes, as: UTF8.self) == nil
    }

    private static let inJSON = String(scalars.unicodeScalars.filter { $0.value >= 0x20 })
    private static let escapedInJSON = (1...0x1F).map { "\\u00" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        .joined()

    static let responses: [(id: String, words: String, response: StubResponse)] = [
        ("JSON decoded", "echo.note --note.title x", .json("{\"title\":\"\(inJSON)\(escapedInJSON)\"}")),
        (
            "JSON raw", "echo.note --note.title x --raw",
            .json("{\"title\":\"\(inJSON)\(escapedInJSON)\",\"\(inJSON)\":1}")
        ),
        ("plain text", "echo.path x", .typed("text/plain", String(exactBytes: hostile))),
        ("fields", "echo.path x -i", .empty().with("X", String(exactBytes: hostile)).with("Y\u{1B}", "z")),
        ("reason", "echo.path x -i", .empty(200, String(exactBytes: hostile))),
        (
            "fields on stderr", "echo.path x -vv",
            .empty(200, String(exactBytes: hostile)).with("X", String(exactBytes: hostile))
        ),
        (
            "words", "echo.path x",
            .json("{\"message\":\"\(inJSON)\(escapedInJSON)\"}", 500, String(exactBytes: hostile))
        ),
        ("text of a failure", "echo.path x", .typed("text/plain", String(exactBytes: hostile), 500, "Oops")),
        ("JSON of a failure that breaks off", "echo.path x", .json("{\"a\":\"\(inJSON)", 500, "Oops")),
        ("wrong type", "echo.note --note.title x", .json("{\"title\":[\"\(inJSON)\"],\"\(inJSON)\":1}")),
        ("wrong key", "echo.note --note.title x", .json("[\"\(inJSON)\"]")),
        ("syntax", "echo.note --note.title x", .json("{\"title\":\u{1B}}")),
        ("media type", "echo.note --note.title x", .typed(String(exactBytes: hostile), "<")),
        ("media type of binary", "echo.path x", .typed("a/\(String(exactBytes: hostile))", "\0")),
        ("transfer", "echo.path x", .failing(.other, String(exactBytes: hostile))),
        (
            "location", "echo.path x --max-redirects 1",
            .empty(302, "Found").with("Location", "ftp://\(String(exactBytes: hostile))/")
        ),
    ]

    @Test("No control character reaches a terminal", arguments: responses)
    func safe(_ id: String, _ words: String, _ response: StubResponse) async {
        for size in [0, 1] {
            let response = response.inPieces(of: size)
            let outcome = await run(
                ["call"] + words.words, variables: ["NO_COLOR": "1"],
                transport: StubTransport(response), terminal: [.stdout, .stderr])
            #expect(!Self.isHazardous(outcome.out), "\(id)")
            #expect(!Self.isHazardous(outcome.err), "\(id)")
            #expect(!(outcome.out + outcome.err).isEmpty, "\(id)")
        }
    }

    static let rows: [Row] = [
        Row(
            "each output separately", "call echo.ping", response: .json(#"{"a":1}"#, 500, "Oops"), terminal: .stdout,
            err: "{\n  \"a\": 1\n}\napictl: echo.ping: 500 Oops\n", code: 5),
        Row(
            "a character split between chunks", "call echo.path x",
            response: .typed("text/plain", "é🎬€x").inPieces(of: 1), terminal: .stdout, out: "é🎬€x"),
        Row(
            "text", "call echo.path x", response: .typed("text/plain", "a\u{1B}[2J\r\n\tb\u{85}\u{202E}é🎬\u{7F}\r"),
            terminal: [.stdout],
            out: """
                a\\u001B[2J
                \tb\\u0085\\u202Eé🎬\\u007F
                """),
        Row(
            "JSON", "call echo.note --note.title x --compact --color never",
            response: .json("{\"title\":\"a\u{85}\u{202E}\u{7F}é🎬\"}"), terminal: [.stdout],
            out: "{\"title\":\"a\\u0085\\u202E\\u007Fé🎬\"}\n"),
        Row(
            "binary of a failure", "call echo.path x", response: .typed("image/png", "\0", 500, "Oops"),
            terminal: [.stderr], out: "", err: "(image/png, 1 bytes, not shown)\napictl: echo.path: 500 Oops\n", code: 5
        ),
        Row(
            "JSON that breaks off in colour", "call echo.ping --raw", response: .json("{\"a\":\"b"),
            terminal: [.stdout, .stderr],
            out: """
                {
                  \u{1B}[1;34m"a"\u{1B}[0m: \u{1B}[32m"b\u{1B}[0m

                """,
            err: """
                apictl: echo.ping: the response is not valid JSON: line 1, column 8: expected a character, an escape or the closing '"', found end of input

                """,
            code: 8),
    ]

    @Test(arguments: rows)
    func terminal(_ row: Row) async { await row.check() }

    @Test("Colours of a table, and of a value behind its head")
    func colours() async {
        func shown(_ words: String) async -> String {
            let outcome = await run(
                "movies.popular \(words)", transport: StubTransport(.json(MoviePage.sample)), terminal: .stdout)
            return outcome.out.replacing("\u{1B}", with: "␛")
        }
        #expect(
            await shown("--table") == """
                 ␛[1;34mid␛[0m  ␛[1;34mtitle␛[0m         ␛[1;34mreleased␛[0m  ␛[1;34mscore␛[0m
                348  Alien                    8.10
                 78  Blade Runner

                """)
        let head = "HTTP/1.1 200 OK\nContent-Type: application/json\n\n"
        #expect(await shown("-i --select page") == head + "␛[36m1␛[0m\n")
    }
}

/// The text for a pager.
struct PagedOutputTests {
    @Test("A text is kept for the pager, until it is to be seen as it comes")
    func direct() throws {
        let terminal = BufferOutput(isTerminal: true, columns: 40)
        let output = PagedOutput(terminal: terminal)
        try output.write("a")
        #expect(output.bytes == Array("a".utf8) && terminal.bytes.isEmpty && output.columns == 40)
        try output.writeDirectly()
        try output.write("b")
        #expect(output.bytes.isEmpty && terminal.bytes == Array("ab".utf8))
    }

    @Test(
        "A pager that was killed has shown nothing",
        arguments: [
            (0, true), (1 << 8, false), ((128 + SIGINT) << 8, true), ((128 + SIGKILL) << 8, false), (SIGKILL, false),
            (SIGPIPE, true),
        ])
    func status(_ status: Int32, _ hasShown: Bool) { #expect(Pager.hasShown(status: status) == hasShown) }
}

/// The progress line.
struct ProgressTests {
    @Test(
        arguments: [
            (63_100_000, 149_000_000, "42%  63.1 MB of 149.0 MB"), (0, 100, "0%  0 B of 100 B"),
            (99_999, 100_000, "99%  100.0 kB of 100.0 kB"), (200, 100, "100%  200 B of 100 B"),
            (1000, nil, "1.0 kB"), (1000, 0, "1.0 kB"),
        ] as [(Int, Int?, String)])
    func text(_ done: Int, _ total: Int?, _ text: String) { #expect(Progress.text(done: done, total: total) == text) }

    /// What stderr gets of a call whose body takes longer than what is short.
    private static func call(_ words: String, terminal: Bool = true, term: String? = nil) async -> String {
        var response = StubResponse.typed("text/plain", "0123456789").with("Content-Length", "10")
        (response.pieceSize, response.pause) = (5, .milliseconds(300))
        let outcome = await run(
            ["call", "echo.path", "a"] + words.words,
            variables: term.map { ["TERM": $0] } ?? [:], transport: StubTransport(response),
            terminal: terminal ? [.stdout, .stderr] : [])
        return outcome.err
    }

    @Test("A file's progress is on stderr, and erased at the end")
    func file() async {
        // On a busy machine, a line may be drawn before the last piece too.
        let text = await Self.call("-o f")
        #expect(text.hasPrefix("\r  "))
        #expect(text.contains("\r  100%  10 B of 10 B  "))
        #expect(text.hasSuffix("\u{1B}[K\r\u{1B}[Knote: 10 B saved in f\n"))
    }

    @Test(
        arguments: [
            (1000, 1, 2000, "  1.0 kB/s  2 s left"), (10, 2, nil, "  5 B/s"), (10, 1, 0, "  10 B/s"), (0, 1, 5, ""),
        ] as [(Int, Int, Int?, String)])
    func speed(_ count: Int, _ seconds: Int, _ left: Int?, _ text: String) {
        #expect(Progress.speedText(received: count, elapsed: .seconds(seconds), missing: left) == text)
    }

    @Test(
        arguments: [
            (ActivityLine.Counts(), "waiting for a.test, 3 s"),
            (ActivityLine.Counts(sent: 0, sentTotal: 999_999), "waiting for a.test, 3 s"),
            (ActivityLine.Counts(sent: 500_000, sentTotal: 2_000_000), "25%  500.0 kB of 2.0 MB sent to a.test, 3 s"),
            (ActivityLine.Counts(sent: 2_000_000, sentTotal: 2_000_000), "waiting for a.test, 3 s"),
            (ActivityLine.Counts(sent: 5, sentTotal: 2_000_000, received: 1200), "1.2 kB received, 3 s"),
            (ActivityLine.Counts(received: 1200, pages: 2), "2 pages, 1.2 kB received, 3 s"),
        ])
    func activity(_ counts: ActivityLine.Counts, _ text: String) {
        #expect(ActivityLine.text(host: "a.test", counts: counts, elapsed: .milliseconds(3900)) == text)
    }

    @Test("A slow call shows what it waits for, until its result comes")
    func waiting() async {
        var response = StubResponse.json(#"{"title":"Tea"}"#)
        (response.pieceSize, response.pause) = (9, .milliseconds(200))
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

    @Test("No progress without a terminal, for printed output, and with -q or -vv")
    func none() async {
        for (words, terminal) in [("-o f", false), ("-o f -q", true), ("-o -", true), ("", true)] {
            #expect(await Self.call(words, terminal: terminal) == "", "\(words)")
        }
        #expect(await Self.call("-o f", term: "dumb") == "note: 10 B saved in f\n")
        #expect(await !Self.call("-o f -vv").contains("\r"))
    }
}
