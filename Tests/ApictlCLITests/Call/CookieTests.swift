import CurlTransport
import MockServer
import Testing

/// Cookies that servers set, kept within a call.
struct CookieTests {
    /// Runs a call to a server at `shop.test`, whose addresses `--resolve` gives.
    private func call(_ server: MockServer, _ path: String, _ words: String...) async throws -> Outcome {
        let port = try #require(server.baseURL.split(separator: ":").last)
        let hosts = ["shop.test", "api.shop.test", "other.test"]
        let resolve = hosts.flatMap { ["--resolve", "\($0):\(port):127.0.0.1"] }
        return await run(
            ["call", "http://shop.test:\(port)\(path)"] + resolve + words, transport: CurlTransport())
    }

    private static func cookies(_ values: String...) -> [(String, String)] { values.map { ("Set-Cookie", $0) } }

    @Test("A chain of redirects keeps cookies by domain, path, Secure and expiry")
    func redirects() async throws {
        let server = try MockServer { request in
            let port = request["Host"]?.split(separator: ":").last ?? ""
            return switch request.target {
            case "/a":
                .response(
                    302,
                    fields: [("Location", "/b/c")]
                        + Self.cookies(
                            "sid=1; Path=/", "local=2", "deep=3; Path=/b", "elsewhere=4; Path=/z",
                            "old=5; Max-Age=0; Path=/",
                            "past=6; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "tls=7; Path=/; Secure",
                            "wide=8; Path=/; Domain=shop.test", "foreign=9; Path=/; Domain=other.test",
                            "suffix=10; Path=/; Domain=test"))
            case "/b/c":
                .response(
                    303,
                    fields: [("Location", "http://api.shop.test:\(port)/d")]
                        + Self.cookies("sid=11; Path=/", "deep=; Path=/b; Max-Age=-1"))
            case "/d": .response(302, fields: [("Location", "http://other.test:\(port)/e")])
            case "/e": .response(302, fields: [("Location", "http://shop.test:\(port)/b/f")])
            default: .text("done")
            }
        }
        #expect(try await call(server, "/a") == Outcome(out: "done"))
        let sent = server.received.map { request in
            (request["Cookie"] ?? "").split(separator: ";").map { $0.filter { $0 != " " } }.sorted()
        }
        let shop = ["local=2", "sid=1", "wide=8"]
        #expect(sent == [[], (shop + ["deep=3"]).sorted(), ["wide=8"], [], ["local=2", "sid=11", "wide=8"]])
    }

    @Test("Cookies of -b are sent beside those of the server, and -H Cookie: sends none")
    func given() async throws {
        let server = try MockServer { request in
            request.target == "/a"
                ? .response(302, fields: [("Location", "/b")] + Self.cookies("sid=1")) : .text("done")
        }
        _ = try await call(server, "/a", "-b", "theme=dark")
        _ = try await call(server, "/a", "-H", "Cookie:")
        #expect(server.received.map { $0["Cookie"] } == ["theme=dark", "sid=1; theme=dark", nil, nil])
    }

    @Test("A retry and the next page send the cookies of the response before")
    func retriesAndPages() async throws {
        let server = try MockServer { request in
            switch request["Cookie"] {
            case nil: .response(503, fields: Self.cookies("n=1"))
            case "n=1": .json("[1]", fields: [("Link", "</b>; rel=next")] + Self.cookies("n=2"))
            default: .json("[2]")
            }
        }
        let outcome = try await call(
            server, "/a", "--all-pages", "--retry", "1", "--retry-delay", "1ms", "--compact")
        #expect(outcome.out == "[1,2]\n")
        #expect(server.received.map { $0["Cookie"] } == [nil, "n=1", "n=2"])
    }

    @Test("Cookies of a server are secrets in what -v shows")
    func secrets() async throws {
        let server = try MockServer { request in
            request.target == "/a"
                ? .response(302, fields: [("Location", "/b")] + Self.cookies("sid=s3cret; Path=/")) : .text("done")
        }
        let outcome = try await call(server, "/a", "-vv", "--har", "-")
        #expect(server.received.last?["Cookie"] == "sid=s3cret")
        #expect(!(outcome.out + outcome.err).contains("s3cret"))
        #expect(outcome.err.contains("> Cookie: (redacted)"))
    }
}
