import CurlTransport
import EndpointKit
import Foundation
import MockServer
import Synchronization
import Testing

@testable import ApictlCLI

/// `--watch`: the call is repeated until the wait after the last response is interrupted, as Ctrl-C does.
struct WatchTests {
    /// The output of a watch, and the time that it waited after each call.
    private struct Watched {
        var outcome: Outcome
        var waits: [Duration]
    }

    /// Watches a call as often as it has responses.
    ///
    /// - Parameter rows: The height of the terminal that stdout and stderr are; nil is no terminal.
    private func watch(
        _ words: String, _ responses: [StubResponse], rows: Int? = nil, variables: [String: String] = testVariables
    ) async -> Watched {
        await watch(
            words.words, calls: responses.count, StubTransport(responses), rows: rows, variables: variables)
    }

    private func watch(
        _ words: [String], calls: Int, _ transport: any Transport, rows: Int? = nil,
        variables: [String: String] = testVariables
    ) async -> Watched {
        let out = BufferOutput(isTerminal: rows != nil, columns: rows.map { _ in 80 }, rows: rows)
        let err = BufferOutput(isTerminal: rows != nil)
        let waits = SharedList<Duration>()
        var environment = ProcessEnvironment.test(
            out: out, err: err, variables: variables, transport: transport)
        environment.sleep = { duration in
            waits.append(duration)
            if waits.values.count >= calls { throw CancellationError() }
        }
        let code = await Apictl.run(words, apis: testAPIs, environment: environment)
        return Watched(outcome: Outcome(out: out.text, err: err.text, code: code), waits: waits.values)
    }

    private let url = "http://h.test/a --watch 2"

    // MARK: Outputs that are no terminal

    @Test func `A response is printed if it differs from the one before`() async {
        let bodies = ["1", "1", "2", "2", "1"]
        let watched = await watch("call \(url)", bodies.map { .json($0) })
        #expect(watched.outcome == Outcome(out: "1\n2\n1\n", code: 130))
        #expect(watched.waits == Array(repeating: .seconds(2), count: 5))
    }

    @Test func `The result is compared, not the response`() async {
        let bodies = [#"{"a":1,"t":1}"#, #"{"a":1,"t":2}"#, #"{"a":3,"t":3}"#]
        let watched = await watch("call --select a \(url)", bodies.map { .json($0) })
        #expect(watched.outcome == Outcome(out: "1\n3\n", code: 130))
    }

    @Test func `Parts that --ignore selects are printed, but not compared`() async {
        let bodies = [#"{"a":1,"t":{"u":1}}"#, #"{"a":1,"t":{"u":2}}"#, #"{"a":2,"t":{"u":3}}"#]
        let watched = await watch("call --compact --ignore t.u \(url)", bodies.map { .json($0) })
        #expect(watched.outcome == Outcome(out: bodies[0] + "\n" + bodies[2] + "\n", code: 130))
    }

    @Test func `A path of --ignore that selects nothing is noted once`() async {
        let responses: [StubResponse] = [.empty(503, "Away"), .json(#"{"a":1}"#), .json(#"{"a":2}"#)]
        let watched = await watch("call --compact --ignore b --ignore a \(url)", responses)
        let note = "note: --ignore 'b' selects nothing\n"
        #expect(watched.outcome.out == "{\"a\":1}\n")
        #expect(watched.outcome.err == "apictl: http://h.test/a: 503 Away\n" + note)
    }

    @Test func `Failures are shown if they differ, and the calls go on`() async {
        let missing = StubResponse.typed("text/plain", "gone", 404, "Not Found")
        let refused = StubResponse.failing(.notConnected)
        let responses = [refused, refused, missing, .json("1"), missing]
        let watched = await watch("call \(url)", responses)
        #expect(watched.outcome.out == "1\n")
        let lines = watched.outcome.err.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("apictl: ") }.count == 3)
        #expect(lines.filter { $0 == "gone" }.count == 2)
        #expect(watched.outcome.code == 130)
    }

    @Test func `An endpoint is watched through its model`() async {
        func body(page: Int, _ rest: String = "") -> String {
            #"{"page":\#(page),"results":[],"total_pages":0\#(rest)}"#
        }
        // The model does not have the key `other`, so that it makes no difference.
        let bodies = [body(page: 1, #","other":1"#), body(page: 1, #","other":2"#), body(page: 2)]
        let watched = await watch("call movies.popular --watch 500ms --compact", bodies.map { .json($0) })
        #expect(watched.outcome.out == body(page: 1) + "\n" + body(page: 2) + "\n")
        #expect(watched.waits == Array(repeating: .milliseconds(500), count: 3))
    }

    @Test func `A reader that goes away ends the calls`() async {
        let responses = Mutex(0)
        let transport = StubTransport { _ in .json("\(responses.withLock { $0 += 1; return $0 })") }
        var environment = ProcessEnvironment.test(
            out: ClosingOutput(after: 4), variables: [:], transport: transport)
        environment.sleep = { _ in }
        #expect(await Apictl.run("call \(url)".words, apis: testAPIs, environment: environment) == 141)
        #expect(transport.requests.count == 3)
    }

    // MARK: Requests on the wire

    @Test(
        "Words are the same request each time",
        arguments: [
            ("-d a=1", "POST", "a=1"), ("--json {}", "POST", "{}"), ("-X PUT --body text", "PUT", "text"),
            ("-G -d q=1", "GET", ""),
        ])
    func requests(_ words: String, _ method: String, _ body: String) async throws {
        let server = try MockServer { _ in .json("1") }
        let path = words.hasPrefix("-G") ? "/a?q=1" : "/a"
        let watched = await watch(
            "call \(words) --watch 1s \(server.baseURL)/a".words, calls: 3, CurlTransport())
        #expect(server.received.map(\.method) == [method, method, method])
        #expect(server.received.map(\.target) == [path, path, path])
        #expect(server.received.map { String(decoding: $0.body, as: UTF8.self) } == [body, body, body])
        #expect(watched.outcome == Outcome(out: "1\n", code: 130))
    }

    @Test func `Cookies live as long as a single call`() async throws {
        let server = try MockServer { _ in .json("1", fields: [("Set-Cookie", "a=1")]) }
        _ = await watch("call --watch 1s \(server.baseURL)/a".words, calls: 2, CurlTransport())
        #expect(server.received.map { $0["Cookie"] } == [nil, nil])
    }

    // MARK: Terminals

    /// The screens that were drawn, without the sequences that a terminal obeys.
    private func screens(_ text: String) -> [String] {
        let drawn = text.replacingOccurrences(of: "\u{1B}[K", with: "")
        let drawings = drawn.components(separatedBy: "\u{1B}[H")
        return drawings.dropFirst(2).map { $0.components(separatedBy: "\u{1B}[J")[0] }
    }

    @Test func `A terminal is redrawn with marks at the lines of the last change`() async {
        let bodies = [#"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#, #"{"a":1,"b":3}"#]
        let watched = await watch("call \(url)", bodies.map { .json($0) }, rows: 24, variables: ["NO_COLOR": "1"])
        let out = watched.outcome.out
        #expect(out.hasPrefix("\u{1B}[?1049h\u{1B}[?25l") && out.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
        let title = "Every 2 s: http://h.test/a\n200 OK, call "
        #expect(
            screens(out) == [
                title + "1, no change\n\n  {\n    \"a\": 1,\n    \"b\": 2\n  }",
                title + "2, last change in call 2\n\n  {\n    \"a\": 1,\n>   \"b\": 3\n  }",
                title + "3, last change in call 2\n\n  {\n    \"a\": 1,\n>   \"b\": 3\n  }",
            ])
        #expect(watched.outcome.err == "")
        #expect(watched.outcome.code == 130)
    }

    @Test func `What does not fit a terminal is counted, and a failure is drawn`() async {
        let responses: [StubResponse] = [.json("[1,2,3,4]"), .typed("text/plain", "no", 500, "Oops")]
        let watched = await watch("call \(url)", responses, rows: 6, variables: ["NO_COLOR": "1"])
        let drawn = screens(watched.outcome.out)
        #expect(drawn[0].hasSuffix("\n\n  [\n    1,\n  … 4 more lines"))
        let state = "500 Oops, call 2, last change in call 2"
        #expect(drawn[1].contains("\(state)\n\n> no\n> apictl: http://h.test/a: 500"))
    }

    @Test func `A line that is longer than the terminal is cut, with its colour`() async {
        let text = String(repeating: "ä", count: 100)
        let watched = await watch("call \(url)", [.json("\"\(text)\"")], rows: 24, variables: [:])
        let line = screens(watched.outcome.out)[0].split(separator: "\n").last
        // Two spaces and a quote stand before the letters.
        #expect(line == "  \u{1B}[32m\"" + text.prefix(77) + "\u{1B}[0m")
    }

    @Test func `The notes of a call are written once`() async {
        let watched = await watch("call h.test/a --watch 2", [.json("1"), .json("2")])
        let note = "note: the URL has no scheme; requesting https://h.test/a\n"
        #expect(watched.outcome == Outcome(out: "1\n2\n", err: note, code: 130))
    }

    @Test func `A terminal that can't be redrawn gets responses that differ`() async {
        let watched = await watch(
            "call \(url)", [.json("1"), .json("1"), .json("2")], rows: 24, variables: ["TERM": "dumb"])
        #expect(watched.outcome == Outcome(out: "1\n2\n", code: 130))
    }

    @Test func `Control characters of a server don't reach the terminal`() async {
        let hostile = StubResponse.typed("text/plain", "a\u{1B}[2J\u{9B}b\u{7}")
        let watched = await watch("call \(url)", [hostile], rows: 24, variables: ["NO_COLOR": "1"])
        #expect(screens(watched.outcome.out)[0].hasSuffix("\n  a\\u001B[2J\\u009Bb\\u0007"))
    }

    // MARK: Command lines

    static let wrongLines: [Row] =
        [
            "--output f", "--remote-name", "--save f", "--har f", "--verbose", "--timing", "--write-out x", "--quiet",
            "--all-pages", "--max-pages 1", "--max-items 1", "--dry-run",
        ].map { option in
            let name = option.split(separator: " ")[0]
            return wrong(
                "call --watch 2s \(option) http://h.test/a", "--watch and \(name) can't be used together")
        } + [
            wrong(
                "call movies.popular --watch 2s --record d", "--watch and --record can't be used together"),
            wrong(
                "call movies.popular --watch 2s --sample", "--watch and --sample can't be used together"),
            wrong(
                "call --watch 2s --select a -e http://h.test/a", "--watch and --exit-status can't be used together",
                see: "help call"),
            wrong(
                "call --watch 50ms http://h.test/a",
                "--watch (argument 2): expected a duration such as 2.5, 500ms or 20s, at least 100ms, got '50ms'"),
            wrong("call --ignore a http://h.test/a", "--ignore needs --watch DURATION"),
            wrong(
                "call --watch 2 --ignore a --select b http://h.test/a",
                "--ignore and --select can't be used together"),
            wrong(
                "call --watch 2 -d - http://h.test/a",
                "--watch can't repeat a call that reads stdin; put the data into a file: @FILE"),
        ]

    @Test("--watch refuses options that make no sense in a repeated call", arguments: wrongLines) func wrongLine(
        _ row: Row
    ) async { await row.check() }
}
