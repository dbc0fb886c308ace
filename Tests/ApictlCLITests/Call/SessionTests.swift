import CurlTransport
import EndpointKit
import Foundation
import MockServer
import SystemCalls
import Testing

@testable import ApictlCLI

/// `--session NAME`: cookies that are kept from one call to the next.
struct SessionTests {
    private let directory: TemporaryDirectory
    private let store: SessionStore
    private let name = SessionName("shop")

    init() throws {
        directory = try TemporaryDirectory()
        store = SessionStore(directory: directory.path + "/state/sessions")
    }

    private static let now = 1_700_000_000

    /// Runs a command line with the sessions of the test's directory.
    private func run(_ words: [String], hasStore: Bool = true) async -> Outcome {
        let (out, err) = (BufferOutput(), BufferOutput())
        var environment = ProcessEnvironment.test(out: out, err: err, transport: CurlTransport())
        environment.secondsSince1970 = { Self.now }
        if hasStore { environment.sessions = store }
        let code = await Apictl.run(words, apis: testAPIs, environment: environment)
        return Outcome(out: out.text, err: err.text, code: code)
    }

    /// Runs a call of the session `shop` to a host that has the address of the server.
    private func call(_ server: MockServer, _ path: String, host: String = "shop.test", _ words: String...) async throws
        -> Outcome
    {
        let port = try #require(server.baseURL.split(separator: ":").last)
        let resolve = ["shop.test", "www.shop.test", "other.test"].flatMap {
            ["--resolve", "\($0):\(port):127.0.0.1"]
        }
        return await run(["call", "--session", "shop", "http://\(host):\(port)\(path)"] + resolve + words)
    }

    /// A server that sets the cookies in the query of a request, which are separated by `&`.
    private func cookieServer() throws -> MockServer {
        try MockServer { request in
            let query = request.target.split(separator: "?").dropFirst().first ?? ""
            let cookies = query.split(separator: "&").map { $0.replacing("+", with: " ") }
            return .json("1", fields: cookies.map { ("Set-Cookie", String($0)) })
        }
    }

    private func sentCookies(_ server: MockServer) -> [[String]] {
        server.received.map { request in
            (request["Cookie"] ?? "").split(separator: ";").map { $0.filter { $0 != " " } }.sorted()
        }
    }

    private func mode(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.posixPermissions] as? Int ?? -1
    }

    private func path() throws -> String { store.path(try #require(name)) }

    /// Writes the file of the session.
    private func write(_ lines: String...) throws {
        try FileManager.default.createDirectory(
            atPath: directory.path + "/state/sessions", withIntermediateDirectories: true)
        chmod(directory.path + "/state/sessions", 0o700)
        let text = lines.map { $0 + "\n" }.joined()
        try Data(text.utf8).write(to: URL(fileURLWithPath: path()))
        chmod(try path(), 0o600)
    }

    // MARK: Calls

    @Test func `Later calls send the cookies of earlier ones by domain, path, Secure and expiry`() async throws {
        let server = try cookieServer()
        let cookies = [
            "plain=1;+Path=/", "deep=2;+Path=/a", "wide=3;+Path=/;+Domain=shop.test", "tls=4;+Path=/;+Secure",
            "old=5;+Path=/;+Max-Age=0", "later=6;+Path=/;+Max-Age=9999999", "foreign=7;+Path=/;+Domain=other.test",
            "script=8;+Path=/;+HttpOnly",
        ]
        for (host, path) in [
            ("shop.test", "/x?" + cookies.joined(separator: "&")), ("shop.test", "/"), ("shop.test", "/a/b"),
            ("www.shop.test", "/"), ("other.test", "/"),
        ] {
            #expect(try await call(server, path, host: host) == Outcome(out: "1\n"))
        }
        let all = ["later=6", "plain=1", "script=8", "wide=3"]
        #expect(sentCookies(server) == [[], all, (all + ["deep=2"]).sorted(), ["wide=3"], []])
    }

    @Test func `A server replaces and removes cookies, also in a redirect and with a failure`() async throws {
        let server = try MockServer { request in
            switch request.target {
            case "/login":
                .response(302, fields: [("Location", "/home"), ("Set-Cookie", "id=1"), ("Set-Cookie", "b=1")])
            case "/home": .json("1", fields: [("Set-Cookie", "id=2; Path=/")])
            default: .text("no", status: 403, fields: [("Set-Cookie", "b=; Max-Age=0"), ("Set-Cookie", "c=3")])
            }
        }
        #expect(try await call(server, "/login").code == 0)
        #expect(try await call(server, "/fail").code == 4)
        #expect(try await call(server, "/fail").code == 4)
        #expect(sentCookies(server) == [[], ["b=1", "id=1"], ["b=1", "id=2"], ["c=3", "id=2"]])
    }

    @Test func `Without --session, no call has cookies, and sessions are kept apart`() async throws {
        let server = try cookieServer()
        _ = try await call(server, "/?a=1")
        _ = await run(["call", "--session", "other", "\(server.baseURL)/"])
        _ = await run(["call", "\(server.baseURL)/"])
        #expect(sentCookies(server) == [[], [], []])
    }

    @Test func `A pasted curl command and an endpoint use a session too`() async throws {
        let server = try cookieServer()
        _ = await run(["call", "--session", "shop", "curl", "\(server.baseURL)/?a=1"])
        _ = await run(["call", "echo.path", "a", "--session", "shop", "--base-url", server.baseURL])
        #expect(sentCookies(server) == [[], ["a=1"]])
    }

    @Test func `Two calls at the same time lose no cookie`() async throws {
        let server = try cookieServer()
        _ = try await call(server, "/?start=1")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...8 {
                group.addTask { _ = try await call(server, "/?c\(number)=1") }
            }
            try await group.waitForAll()
        }
        _ = try await call(server, "/")
        let expected = ["start=1"] + (1...8).map { "c\($0)=1" }
        #expect(sentCookies(server).last == expected.sorted())
    }

    @Test func `The values of a session are secrets in all that is shown`() async throws {
        let server = try MockServer { request in
            request.target == "/login"
                ? .json("1", fields: [("Set-Cookie", "sid=s3cretvalue; Path=/")])
                : .json("{\"message\":\"bad \(request["Cookie"] ?? "")\"}", status: 403)
        }
        #expect(try await call(server, "/login").code == 0)
        let outcome = try await call(server, "/x", "-v", "--har", "-")
        #expect(server.received.last?["Cookie"] == "sid=s3cretvalue")
        #expect(outcome.code == 4 && outcome.err.contains("bad sid=(redacted)"))
        #expect(!(outcome.out + outcome.err).contains("s3cretvalue"), "\(outcome)")
    }

    // MARK: Files

    @Test func `Only the owner can read the file, whatever the umask`() async throws {
        let server = try cookieServer()
        let result = try Shell.run(
            Array("umask 0; '\(builtTool)' call --session shop '\(server.baseURL)/?a=1'".utf8),
            environment: ["XDG_STATE_HOME": Array(directory.path.utf8)], in: directory)
        #expect(result.status == 0)
        let sessions = directory.path + "/apictl/sessions"
        #expect(mode(sessions) == 0o700 && mode(sessions + "/shop.cookies") == 0o600)
    }

    @Test func `Others that can read the file or its directory are refused`() async throws {
        let server = try cookieServer()
        try write("h\tFALSE\t/\tFALSE\t0\ta\t1")
        chmod(try path(), 0o640)
        let file = try await call(server, "/")
        #expect(file.code == 1 && file.err.contains("shop.cookies: others can read it"))
        chmod(try path(), 0o600)
        chmod(directory.path + "/state/sessions", 0o750)
        let folder = try await call(server, "/")
        #expect(folder.code == 1 && folder.err.contains("sessions: others can read it"))
        #expect(server.received.isEmpty)
    }

    @Test(
        "A file that is no cookie file is an error that names it, and nothing is sent",
        arguments: [
            "{}", "h\tFALSE\t/\tFALSE\t0\ta", "h\tFALSE\t/\tFALSE\tsoon\ta\t1", "h\tNO\t/\tFALSE\t0\ta\t1",
            "h\tFALSE\t/\tFALSE\t0\ta\t1\u{1B}[2J", "h\tFALSE\t/\tFALSE\t0\ta\t1\t2", "\tFALSE\t/\tFALSE\t0\ta\t1",
        ])
    func corrupt(_ line: String) async throws {
        let server = try cookieServer()
        try write("# Netscape HTTP Cookie File", line)
        let outcome = try await call(server, "/")
        #expect(outcome.out == "" && outcome.code == 1 && server.received.isEmpty)
        let reason = "line 2 is no cookie; to start again: logout --session shop\n"
        #expect(outcome.err == "apictl: can't read \(try path()): \(reason)")
    }

    @Test func `Cookies that have expired are dropped from the file`() async throws {
        let server = try cookieServer()
        try write(
            "127.0.0.1\tFALSE\t/\tFALSE\t\(Self.now)\told\t1",
            "127.0.0.1\tFALSE\t/\tFALSE\t\(Self.now * 2)\tnew\t2")
        _ = await run(["call", "--session", "shop", "\(server.baseURL)/?now=3"])
        #expect(sentCookies(server) == [["new=2"]])
        let text = try String(contentsOfFile: path(), encoding: .utf8)
        #expect(!text.contains("\told\t") && text.contains("\tnew\t2\n") && text.contains("\tnow\t3\n"))
    }

    @Test func `A pipe in place of the file is refused, and not waited for`() async throws {
        try write("")
        try FileManager.default.removeItem(atPath: path())
        try #require(mkfifo(try path(), 0o600) == 0)
        let outcome = try await call(cookieServer(), "/")
        #expect(outcome.code == 1 && outcome.err.contains("shop.cookies: it is not a regular file"))
    }

    @Test func `A link in place of the file is refused`() async throws {
        let server = try cookieServer()
        try write("h\tFALSE\t/\tFALSE\t0\ta\t1")
        let target = try directory.write("target", "keep".utf8)
        try FileManager.default.removeItem(atPath: path())
        try FileManager.default.createSymbolicLink(atPath: path(), withDestinationPath: target)
        let outcome = try await call(server, "/?a=1")
        #expect(outcome.code == 1 && outcome.err.contains("shop.cookies: "))
        #expect(try directory.contents()["target"] == "keep")
    }

    @Test func `A session has a limited number of cookies, the newest ones`() async throws {
        let server = try cookieServer()
        var lines: [String] = []
        for number in 0..<200 { lines.append("127.0.0.1\tFALSE\t/\tFALSE\t0\tc\(number)\tx") }
        try write(lines.joined(separator: "\n"))
        _ = await run(["call", "--session", "shop", "\(server.baseURL)/?last=1"])
        let stored = try store.cookies(of: #require(name), at: Self.now)
        #expect(stored.count == SessionStore.maxCookiesOfHost)
        #expect(stored.last?.id.name == "last" && stored.first?.id.name == "c51")
    }

    // MARK: Command lines

    @Test func `logout deletes a session`() async throws {
        try write("h\tFALSE\t/\tFALSE\t0\ta\t1")
        #expect(await run(["logout", "--session", "shop"]) == Outcome(err: "deleted the session shop\n"))
        #expect(try store.names().isEmpty)
        #expect(await run(["logout", "--session", "shop"]) == Outcome(err: "there is no session shop to delete\n"))
    }

    @Test func `Completion knows the names of sessions`() async throws {
        try write("h\tFALSE\t/\tFALSE\t0\ta\t1")
        for words in [["call", "--session"], ["logout", "--session"]] {
            #expect(await run(["__complete"] + words + [""]).out == "shop\n")
        }
    }

    @Test func `Without a place for sessions, the call fails before anything is sent`() async throws {
        let outcome = await run(["call", "--session", "shop", "http://127.0.0.1:1/"], hasStore: false)
        let message = "can't write the session: neither XDG_STATE_HOME nor HOME is set"
        #expect(outcome == Outcome(err: "apictl: \(message)\n", code: 1))
    }

    private static let expectation =
        "expected a name of letters, digits, '.', '_' and '-', at most 64, with a letter or digit first"

    private static let wrongNames = ["../x", "a/b", ".hidden", "-x=", "a b", "é", String(repeating: "a", count: 65)]

    static let wrongLines: [Row] =
        wrongNames.map { name in
            wrong(
                ["call", "http://h.test", "--session=\(name)"],
                "--session (argument 3): \(expectation), got '\(name)'", see: "help call")
        } + [
            wrong(
                "call http://h.test --session a --dry-run", "--session and --dry-run can't be used together",
                see: "help call"),
            wrong("logout --all --session a", "--session and --all can't be used together"),
            wrong("check --session a", "unknown option '--session' (argument 2)", see: "help check"),
        ]

    @Test("A wrong name of a session, or an option that contradicts it, is an error", arguments: wrongLines)
    func wrongLine(_ row: Row) async { await row.check() }
}
