import CurlTransport
import EndpointKit
import MockServer
import Synchronization
import Testing

@testable import ApictlCLI

/// `--retry` over a socket.
struct RetryOnTheWireTests {
    @Test(
        "A 403 is retried if it has Retry-After, as GitHub's second limit",
        arguments: [("0", 2, Outcome(out: "1\n")), (nil, 1, Outcome(code: 4))] as [(String?, Int, Outcome)])
    func forbidden(_ retryAfter: String?, _ requests: Int, _ expected: Outcome) async throws {
        let count = Mutex(0)
        let server = try MockServer { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            let fields = retryAfter.map { [("Retry-After", $0)] } ?? []
            return isFirst ? .response(403, fields: fields) : .json("1")
        }
        let outcome = await run(
            ["call", "\(server.baseURL)/a", "--retry", "1", "--retry-delay", "0"], transport: CurlTransport())
        #expect(server.received.count == requests)
        #expect(outcome.out == expected.out && outcome.code == expected.code)
    }
}

/// `--retry`: when `call` retries, and how it reports that.
struct RetryCallTests {
    static func row(
        _ id: String, _ words: String, _ responses: [StubResponse], out: String = "", err: String = "", code: Int32 = 0
    ) -> Row { Row(id, words, out: out, err: err, code: code).responding(responses) }

    private static let page = StubResponse.json(#"{"page":1,"results":[],"total_pages":0}"#)
    private static let printed = "{\"page\":1,\"results\":[],\"total_pages\":0}\n"
    private static let busy = StubResponse.empty(503, "Service Unavailable")
    /// The words of most calls. They have no time limit, so that the tests pass on a busy machine.
    private static let call = "call movies.popular --compact -m 0 --retry-delay 0 --retry"

    static let rows: [Row] = [
        row(
            "the note says how long the wait is", "call movies.popular --compact -m 0 --retry 1 --retry-delay 20ms",
            [.failing(.timedOut(.whole(nil))), page],
            out: printed,
            err:
                "apictl: movies.popular: no complete response from the server in time; trying again in 20 ms (1 of 1)\n"
        ),
        Row(
            "--save starts the copy of a cut response again", "\(call) 1 --save f", files: ["f": "old"], out: printed,
            err:
                "apictl: movies.popular: the server closed the connection without a response; trying again now (1 of 1)\n"
        ).responding([StubResponse.json("{").broken(), page]),
        row(
            "after the last retry, the failure has the number of attempts", "\(call) 2",
            [busy, .failing(.notConnected), busy],
            err: """
                apictl: movies.popular: 503 Service Unavailable; trying again now (1 of 2)
                apictl: movies.popular: could not connect to the server; trying again now (2 of 2)
                apictl: movies.popular: 503 Service Unavailable (3 attempts)

                """, code: 5),
        row(
            "a wait that the server asks for is not longer than --max-time allows",
            "call movies.popular --retry 3 -m 1000",
            [busy.with("Retry-After", "3600")],
            err: """
                apictl: movies.popular: 503 Service Unavailable
                Not retried: the server asks to wait 60 min, longer than --max-time allows.

                """, code: 5),
        row(
            "a wait of decades is shown as a date", "call movies.popular --retry 3 -m 1000",
            [busy.with("Retry-After", "Sun, 22 Nov 2099 00:00:01 GMT")],
            err: """
                apictl: movies.popular: 503 Service Unavailable
                Not retried: the server asks to wait until 2099-11-22.

                """, code: 5),
        row(
            "a wait of --retry-delay is not longer than --max-time allows",
            "call movies.popular --retry 3 -m 1000 --retry-delay 1001",
            [.failing(.notConnected)],
            err: """
                apictl: movies.popular: could not connect to the server
                Not retried: the wait of 16.7 min is longer than --max-time allows.
                Is the server running?

                """, code: 6),
        row(
            "a POST is not retried", "call movies.rate 5 --rating.value 8 --retry 3", [busy],
            err: """
                apictl: movies.rate: 503 Service Unavailable
                Not retried: the server may already have processed the POST. To retry anyway: --retry-unsafe

                """, code: 5),
        row(
            "a decoded body that broke off is retried", "\(call) 3", [.json(#"{"page":1,"#).broken(), page],
            out: printed,
            err:
                "apictl: movies.popular: the server closed the connection without a response; trying again now (1 of 3)\n"
        ),
        row(
            "a raw body that broke off is not retried, because a part has been printed", "\(call) 3 --raw",
            [.json(#"{"page":1,"#).broken()], out: "{\"page\":1,\n",
            err: """
                apictl: movies.popular: the server closed the connection without a response
                Not retried: part of the response has already been written.

                """, code: 6),
        row(
            "the head of a decoded response is not printed before the body", "\(call) 3 -i",
            [.json("{").broken(), page],
            out: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n" + printed,
            err: """
                HTTP/1.1 200 OK
                Content-Type: application/json

                apictl: movies.popular: the server closed the connection without a response; trying again now (1 of 3)

                """),
        row(
            "the reason in the note has no secrets and control characters", "\(call) 1",
            [.empty(500, "k3y\u{1B}[2J"), page], out: printed,
            err: "apictl: movies.popular: 500 (redacted)\\u001B[2J; trying again now (1 of 1)\n"),
    ]

    @Test("A call is retried if that is safe, and a note says so", arguments: rows)
    func retry(_ row: Row) async { await row.check() }

    @Test("Headers of every attempt, with the note between them")
    func verbose() async {
        let transport = StubTransport([Self.busy.with("Set-Cookie", "sid=abc123; Path=/"), .empty()])
        let outcome = await run(
            "call echo.head -v -m 0 --retry 1 --retry-delay 0".words + ["-H", "Cookie: sid=abc123; last=xyz9"],
            transport: transport)
        let sent = """
            > HEAD /head HTTP/1.1
            > Cookie: (redacted)
            > Accept: application/json
            > User-Agent: apictl/0.1.0
            >\u{20}

            """
        #expect(
            outcome.err == """
                \(sent)< HTTP/1.1 503 Service Unavailable
                < Set-Cookie: sid=(redacted); Path=/
                <\u{20}
                apictl: echo.head: 503 Service Unavailable; trying again now (1 of 1)
                \(sent)< HTTP/1.1 200 OK
                <\u{20}

                """)
    }

    /// A call with three retries whose response is written into a file.
    private static let callToFile =
        ["call", "movies.popular", "-m", "0", "--retry", "3", "--retry-delay", "0", "-o", "page.json"]
    private static let busyNote = "apictl: movies.popular: 503 Service Unavailable; trying again now (1 of 3)\n"
    private static let brokenReason = "apictl: movies.popular: the server closed the connection without a response"

    @Test("A retry writes a file from its start again")
    func fileThatRewinds() async {
        let files = MemoryFiles(["page.json": "old".exactBytes])
        let transport = StubTransport([
            Self.busy, StubResponse.json("abc").broken(), StubResponse.json("d").broken(), .json("ef"),
        ])
        let outcome = await run(Self.callToFile, files: files, transport: transport)
        let retryNotes = (2...3).map { "\(Self.brokenReason); trying again now (\($0) of 3)\n" }.joined()
        #expect(outcome == Outcome(err: Self.busyNote + retryNotes))
        #expect(files["page.json"] == "ef")
        #expect(transport.requests.count == 4)
    }

    @Test("A file that can't be rewound is not written again, and the old one stays")
    func fileThatDoesNotRewind() async {
        let files = MemoryFiles(["page.json": "old".exactBytes], rewinds: false)
        let transport = StubTransport([Self.busy, StubResponse.json("abc").broken()])
        let outcome = await run(Self.callToFile, files: files, transport: transport)
        let failure =
            "\(Self.brokenReason) (2 attempts)\nNot retried: part of the response has already been written.\n"
        #expect(outcome == Outcome(err: Self.busyNote + failure, code: 6))
        #expect(files["page.json"] == "old")
        #expect(transport.requests.count == 2)
    }
}
