import EndpointKit
import Testing

@testable import ApictlCLI

/// `--timing`: one line per transfer.
struct TimingTests {
    private static func times(
        _ status: Int? = 200, lookup: Double = 0.1, connect: Double = 0.2, tls: Double? = nil, firstByte: Double = 20.1,
        content: Double = 0.2, total: Double = 33, bytes: Int64 = 6600, reused: Bool = false
    ) -> TransferTimes {
        func time(_ milliseconds: Double) -> Duration { .microseconds(Int(milliseconds * 1000)) }
        var times = TransferTimes()
        times.status = status
        times.receivedBytes = bytes
        times.reusedConnection = reused
        times.nameLookup = time(lookup)
        times.connect = time(connect)
        times.tls = tls.map(time)
        times.firstByte = time(firstByte)
        times.content = time(content)
        times.total = time(total)
        return times
    }

    static let lines: [([TransferTimes], String)] = [
        ([], ""),
        (
            [times(content: -1, total: 0, bytes: -5)],
            "timing: 200, name lookup 0.1 ms, connect 0.2 ms, first byte 20 ms, content 0.0 ms, total 0.0 ms, 0 B\n"
        ),
        (
            [times(firstByte: 1250, content: 60_000, total: 61_250.3, bytes: 149_000_000)],
            "timing: 200, name lookup 0.1 ms, connect 0.2 ms, first byte 1.3 s, content 60 s, total 61 s, 149.0 MB\n"
        ),
        (
            [
                times(302, lookup: 11.1, tls: 12.3, total: 43.9, bytes: 0),
                times(503, connect: 100.5, total: 1033, bytes: 12),
                times(lookup: 0, connect: 0, firstByte: 9.9, content: 0.3, total: 10.2, reused: true),
                times(nil, total: 3),
            ],
            """
            timing: 302, name lookup 11 ms, connect 0.2 ms, TLS 12 ms, first byte 20 ms, content 0.2 ms, total 44 ms, 0 B
            timing: 503, name lookup 0.1 ms, connect 101 ms, first byte 20 ms, content 0.2 ms, total 1 s, 12 B
            timing: 200, connection reused, first byte 9.9 ms, content 0.3 ms, total 10 ms, 6.6 kB
            timing: no response, name lookup 0.1 ms, connect 0.2 ms, total 3.0 ms

            """
        ),
    ]

    @Test("Each transfer has a line with its phases", arguments: lines)
    func text(_ transfers: [TransferTimes], _ text: String) { #expect(TimingText.text(transfers) == text) }

    private static func response(_ response: StubResponse, _ times: TransferTimes) -> StubResponse {
        var response = response
        response.times = times
        return response
    }

    private static let refused = StubResponse.failing(.notConnected)

    static let runs: [Row] = [
        RetryCallTests.row(
            "a transfer without a response has a line", "call echo.head --timing",
            [response(refused, times(nil, total: 3))],
            err: """
                timing: no response, name lookup 0.1 ms, connect 0.2 ms, total 3.0 ms
                apictl: echo.head: could not connect to the server
                Is the server running?

                """, code: 6),
        RetryCallTests.row(
            "each redirect and each retry has a line", "call echo.head --timing -m 0 --retry 1 --retry-delay 0",
            [
                response(StubResponse.empty(302).with("Location", "/a"), times(302, bytes: 0)),
                response(refused, times(nil, total: 3)), response(.empty(), times(200, bytes: 0)),
            ],
            err: """
                apictl: echo.head: could not connect to the server; trying again now (1 of 1)
                timing: 302, name lookup 0.1 ms, connect 0.2 ms, first byte 20 ms, content 0.2 ms, total 33 ms, 0 B
                timing: no response, name lookup 0.1 ms, connect 0.2 ms, total 3.0 ms
                timing: 200, name lookup 0.1 ms, connect 0.2 ms, first byte 20 ms, content 0.2 ms, total 33 ms, 0 B

                """),
    ]

    @Test("--timing shows a line for each transfer, also of a call that fails", arguments: runs)
    func call(_ row: Row) async { await row.check() }
}

/// The time limits given to the transport: a total limit for decoded responses, an idle limit for streams.
struct TimeLimitTests {
    /// The time limit and the idle limit in seconds; nil is no limit.
    static let limits: [(words: String, maxTime: Int?, idle: Int?)] = [
        (words: "movies.popular", maxTime: 30, idle: nil),
        (words: "movies.popular --raw", maxTime: nil, idle: 30),
        (words: "movies.popular -o f", maxTime: nil, idle: 30),
        (words: "movies.poster 1", maxTime: nil, idle: 30),
        (words: "movies.popular -m 5", maxTime: 5, idle: nil),
        (words: "movies.popular -o f -m 5", maxTime: 5, idle: nil),
        (words: "movies.popular -m 0", maxTime: nil, idle: nil),
    ]

    @Test("A decoded response has a total limit, a stream an idle limit", arguments: limits)
    func limit(_ words: String, _ maxTime: Int?, _ idle: Int?) async throws {
        let transport = StubTransport(.empty())
        _ = await run(["call"] + words.words, transport: transport)
        let options = try #require(transport.options.first)
        #expect(options.idleTimeout == idle.map { .seconds($0) } && options.connectTimeout == .seconds(10))
        // The transport gets what is left of the limit when the request is sent.
        #expect((options.maxTime == nil) == (maxTime == nil))
        if let left = options.maxTime, let maxTime {
            #expect(left <= .seconds(maxTime) && left > .seconds(maxTime - 5))
        }
    }
}

/// `--write-out`, in curl's notation.
struct WriteOutTests {
    private static func row(
        _ id: String, _ text: String, _ response: StubResponse, words: [String] = [], out: String = "", err: String,
        code: Int32 = 0
    ) -> Row {
        Row(id, ["call", "echo.head", "-w", text] + words, response: response, out: out, err: err, code: code)
    }

    private static func usage(_ message: String) -> String {
        #"{"error":{"kind":"usage","message":"\#(message)","hints":["See 'apictl help echo.head'."],"exitCode":2}}"#
            + "\n"
    }

    private static let plain = StubResponse(
        head: ResponseHead(
            status: 200,
            fields: [
                .init("Content-Type", "text/plain"), .init("X-A", "1\u{1B}"),
                .init("x-a", String(exactBytes: [0x32, 0xE9])),
            ]))

    private static let names =
        "content_type, errormsg, exitcode, filename_effective, http_code, http_version, method, num_headers, num_redirects, "
        + "num_retries, remote_ip, remote_port, response_code, scheme, size_download, speed_download, time_appconnect, "
        + "time_connect, time_namelookup, time_starttransfer, time_total, url, url_effective, header_json, json"

    static let rows: [Row] = [
        row(
            "status, headers and escapes are replaced", #"%{http_code}\t%header{x-a}%%\n"#, plain,
            err: "200\t1\\u001B%\n"),
        row(
            "an unfinished variable is text", #"%{http_code %header{ % \x\"#, plain, err: #"%{http_code %header{ % \x\"#
        ),
        row(
            "%{header_json} has all headers", "%{stderr}%{header_json}", plain,
            err: #"{"content-type":["text/plain"],"x-a":["1\u001B","2\\xE9"]}"#),
        row(
            "a failure has its exit code and message", #"%{exitcode} %{num_headers} %{errormsg}\n"#,
            .empty(404, "Not Found"),
            err: "4 0 echo.head: 404 Not Found\napictl: echo.head: 404 Not Found\n", code: 4),
        row(
            "-q does not silence --write-out", #"%{errormsg}\n"#, .empty(404), words: ["-q"],
            err: "echo.head: 404 OK\n", code: 4),
        row(
            "without a response, the status is 000", "%{http_code}", .failing(.notConnected), words: ["-q"], err: "000",
            code: 6),
        Row(
            "with --json-errors, a text for stderr is refused", "call echo.head --json-errors -w %{url}",
            err: usage("with --json-errors, --write-out begins with %{stdout}: stderr has the failure alone"), code: 2),
        Row(
            "with --json-errors, -v is refused", "call echo.head --json-errors -v",
            err: usage("--verbose and --json-errors can't be used together"), code: 2),
        Row(
            "@FILE is the content of a file without its last line break", "call echo.head -w @f",
            files: ["f": "%{method}\n%{num_redirects}\n"], response: plain, err: "HEAD\n0"),
        Row(
            "--dry-run does not read @FILE", "call echo.head -w @nope --dry-run",
            out: shown("HEAD http://127.0.0.1:9/head")),
        wrong(
            "call movies.popular -w %{http_cod}", variables: [:],
            "--write-out (argument 3): unknown variable '%{http_cod}'; did you mean '%{http_code}'? (known: stdout, stderr, \(names))"
        ),
        row(
            "%{stdout} and %{stderr} switch between the streams", #"a%{stdout}%{method}\n%{stderr}b%{stdout}c\n"#,
            plain, out: "HEAD\nc\n", err: "ab"),
    ]

    @Test("--write-out replaces variables as curl does", arguments: rows)
    func writeOut(_ row: Row) async { await row.check() }

    @Test("Times are added up over redirects, sizes are of the last transfer")
    func facts() throws {
        func times(_ url: String, _ status: Int, tls: Duration?, bytes: Int64) -> TransferTimes {
            var times = TransferTimes()
            times.url = url
            times.status = status
            times.receivedBytes = bytes
            times.tls = tls
            times.remoteIP = "::1"
            times.remotePort = 80
            times.nameLookup = .milliseconds(1)
            times.connect = .milliseconds(2)
            times.firstByte = .milliseconds(8)
            times.content = .milliseconds(16)
            times.total = .milliseconds(100)
            return times
        }
        var log = ExchangeLog.Snapshot()
        log.attempts = 2
        log.head = ResponseHead(version: "HTTP/2", status: 200)
        log.transfers = [
            times("http://a/", 503, tls: nil, bytes: 7), times("http://a/", 301, tls: nil, bytes: 8),
            times("https://b/", 200, tls: .milliseconds(4), bytes: 1000),
        ]
        let facts = WriteOutFacts(
            url: "http://a/", method: .get, log: log, file: "f", code: .success, message: "")
        #expect(
            facts.json == """
                {"content_type":"","errormsg":"","exitcode":0,"filename_effective":"f","http_code":200,"http_version":"2",\
                "method":"GET","num_headers":0,"num_redirects":1,"num_retries":1,"remote_ip":"::1","remote_port":80,"response_code":200,"scheme":"https",\
                "size_download":1000,"speed_download":10000,"time_appconnect":0.013000,"time_connect":0.009000,\
                "time_namelookup":0.003000,"time_starttransfer":0.037000,"time_total":0.300000,"url":"http://a/",\
                "url_effective":"https://b/"}
                """)
    }

    @Test("Without a response, the status is 0")
    func factsWithoutResponse() {
        let nothing = WriteOutFacts(
            url: "", method: .get, log: ExchangeLog.Snapshot(), file: nil, code: .network, message: "")
        #expect(nothing.json.contains(#""http_code":0,"#))
    }
}
