import CurlTransport
import MockServer
import Testing

/// `call curl …`: a curl command is run as it was pasted.
struct PastedCallTests {
    private static let start = ["call", "--dry-run", "curl"]
    private static let end = "User-Agent: apictl/0.1.0\n"

    private static func pasted(_ words: [String], _ request: String, note: String = "", stdin: String? = nil) -> Row {
        Row(
            words.joined(separator: " "), start + words, stdin: stdin, files: ["a.json": "{\r\n}", "b.bin": "b"],
            out: request, err: note.isEmpty ? "" : "note: without effect here: \(note)\n")
    }

    static let rows: [Row] = [
        pasted(["http://h.test/a+b?q=a+b%20c&&x"], "GET http://h.test/a+b?q=a+b%20c&&x\n" + end),
        pasted(["-g", "http://h.test/a[1]?q={x}"], "GET http://h.test/a[1]?q={x}\n" + end),
        pasted(["h.test"], "GET http://h.test/\n" + end),
        pasted(
            ["-G", "http://h.test/?a", "-d", "b=1", "--data-urlencode", "c=d e"],
            "GET http://h.test/?a&b=1&c=d+e\n" + end),
        pasted(
            ["https://h.test/x", "-d", "a=1", "-d", "@a.json"],
            "POST https://h.test/x\nContent-Type: application/x-www-form-urlencoded\n" + end + "\na=1&{}\n"),
        pasted(
            ["https://h.test/x", "--json", "[1]", "-X", "PUT"],
            "PUT https://h.test/x\nContent-Type: application/json\nAccept: application/json\n" + end + "\n[1]\n"),
        pasted(
            ["https://h.test/x", "-H", "Cookie: sid=s3cret", "-b", "a=1", "-H", "X-Api-Key: s3cret"],
            "GET https://h.test/x\nCookie: (redacted)\nX-Api-Key: (redacted)\n" + end),
        pasted(["https://ada:s3cret@h.test/x"], "GET https://h.test/x\nAuthorization: Basic (redacted)\n" + end),
        pasted(
            ["-T", "b.bin", "https://h.test/d/"], "PUT https://h.test/d/b.bin\n" + end + "\n(the content of b.bin)\n"),
        pasted(
            [
                "-sSL", "--compressed", "https://h.test/", "--limit-rate", "1k", "-o", "f", "--limit-rate", "2k", "-w",
                "x",
            ],
            "GET https://h.test/\n" + end, note: "--limit-rate, -o, -w"),
        pasted(
            ["curl 'https://h.test/?a=1' -H 'accept-encoding: gzip' -H 'accept: */*'"],
            "GET https://h.test/?a=1\naccept: */*\n" + end),
        pasted(
            ["-"], "GET https://h.test/?token=(redacted)\nX-A: b c\n" + end,
            stdin: "$ curl 'https://h.test/?token=s3cret' \\\n  -H 'X-A: b c' --insecure\n"),
    ]

    @Test("A command sends what curl would send", arguments: rows)
    func row(_ row: Row) async { await row.check() }

    static let wrongLines: [Row] = [
        wrong("call curl", "call curl needs the rest of a curl command, or - for stdin", see: "help call"),
        wrong("call curl -X", "curl's -X needs a value", see: "help call"),
        wrong(
            "call curl http://a.test http://b.test", "the curl command has 2 requests; call sends one", see: "help call"
        ),
        wrong(
            "call curl http://a.test --select a",
            "curl has no option '--select'; options of call stand before the word curl", see: "help call"),
        wrong("call curl http://a.test --nosuch", "curl has no option '--nosuch'", see: "help call"),
        wrong("call curl --digest -u a:b http://a.test", "--digest can't be used from here", see: "help call"),
        wrong(
            "call -d a=1 curl http://a.test",
            "--data before 'curl' has no effect; write it after 'curl', as curl has it",
            see: "help call"),
        wrong(
            "call --server x curl http://a.test", "--server is for an endpoint of an API, not for a URL",
            see: "help call"),
    ]

    @Test("A command that can't be sent is refused", arguments: wrongLines)
    func wrongLine(_ row: Row) async { await row.check() }

    @Test("A variable of pasted text that is not set is an error")
    func variable() async {
        let outcome = await run(["call", "curl", "-"], stdin: #"curl https://h.test -H "X-A: $NOT_SET""#)
        #expect(outcome.err.hasPrefix("apictl: the curl command uses $NOT_SET, which is not set\n"))
        #expect(outcome.code == 2)
    }

    @Test("The response is selected from and printed as that of any call, and secrets are in no output")
    func response() async throws {
        let server = try MockServer { request in
            .json(#"{"got":"\#(request["Cookie"] ?? "")","a":[{"id":1},{"id":2}]}"#)
        }
        let words = ["curl", server.baseURL + "/x", "-H", "Cookie: sid=s3cret", "-H", "Authorization: Bearer t0ken"]
        let outcome = await run(
            ["call", "--select", "a.id", "-v", "--har", "-"] + words, transport: CurlTransport())
        #expect(outcome.out.hasPrefix("1\n2\n") && outcome.code == 0)
        #expect(!(outcome.out + outcome.err).contains("s3cret") && !(outcome.out + outcome.err).contains("t0ken"))
        #expect(server.received.map { $0["Cookie"] } == ["sid=s3cret"])
        #expect(server.received.map { $0["Authorization"] } == ["Bearer t0ken"])
        let part = await run(["call", "--select", "a[1].id"] + words, transport: CurlTransport())
        #expect(part == Outcome(out: "2\n"))
    }
}
