import EndpointKit
import Foundation
import JSONText
import Synchronization
import Testing

@testable import ApictlCLI

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct LoginTests {
    // MARK: Device

    static let deviceAnswer = StubResponse.json(
        #"{"device_code": "d3vice", "user_code": "AB-12", "verification_uri": "https://forge.test/d", "expires_in": 900}"#
    )

    @Test func `A login on another device asks until it is approved, more slowly if the server says so`() async throws {
        let runner = LoginRunner()
        let answers = Answers([
            Self.deviceAnswer,
            .json(#"{"error": "authorization_pending"}"#, 400, "Bad Request"),
            .json(#"{"error": "slow_down"}"#, 400, "Bad Request"),
            .failing(.notConnected),
            .json(#"{"access_token": "t0ken", "refresh_token": "r1", "expires_in": "3600", "scope": "repo"}"#),
        ])
        let (outcome, requests) = try await runner.run("login forge --device") { _ in answers.next() }
        #expect(
            outcome
                == Outcome(
                    err: """
                        To log in to forge, open https://forge.test/d and enter the code AB-12
                        logged in to forge at https://api.forge.test:443, for 60 min (then refreshed)
                        not granted: gist

                        """))
        #expect(
            requests.prefix(2) == [
                "POST https://forge.test/device scope=repo%20gist&client_id=c1",
                "POST https://forge.test/token grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
                    + "&device_code=d3vice&client_id=c1",
            ])
        #expect(runner.waits.values == [.seconds(5), .seconds(5), .seconds(10), .seconds(15)])
        #expect(
            runner.store.all == [
                .forge: StoredLogin(
                    value: "t0ken", refreshToken: "r1", expires: 4_600, scopes: ["repo"],
                    tokenURL: "https://forge.test/token")
            ])
    }

    @Test func `A login that nobody approves ends when the code expires`() async throws {
        let (outcome, _) = try await LoginRunner().run("login forge --device") { line in
            line.contains("/device ") ? Self.deviceAnswer : .json(#"{"error": "authorization_pending"}"#, 400, "Bad")
        }
        #expect(outcome.code == 9)
        #expect(outcome.err.contains("nobody approved it in time"))
    }

    // MARK: Client credentials

    @Test func `A client logs in itself once, and its token is used until it expires`() async throws {
        var runner = LoginRunner()
        runner.variables = ["SHOP_ID": "me", "SHOP_SECRET": "s3cret"]
        let respond: @Sendable (String) -> StubResponse = { line in
            line.contains("id.shop.test") ? .json(#"{"access_token": "t1"}"#) : .json("[]")
        }
        let first = try await runner.run("call shop.items", respond)
        #expect(first.outcome == Outcome(out: "[]\n"))
        #expect(
            first.requests == [
                "POST https://id.shop.test/token grant_type=client_credentials Basic bWU6czNjcmV0",
                "GET https://shop.test/items Bearer t1",
            ])
        // Without `expires_in`, a token is used for five minutes.
        #expect(
            runner.store.all == [
                .shop: StoredLogin(value: "t1", expires: 1_300, tokenURL: "https://id.shop.test/token")
            ])
        let second = try await runner.run("call shop.items", respond)
        #expect(second.requests == ["GET https://shop.test/items Bearer t1"])
    }

    @Test func `A variable that is set counts more than a login`() async throws {
        var runner = LoginRunner()
        runner.variables = ["SHOP_ID": "me", "SHOP_SECRET": "s3cret", "SHOP_TOKEN": "mine"]
        let (_, requests) = try await runner.run("call shop.items") { _ in .json("[]") }
        #expect(requests == ["GET https://shop.test/items Bearer mine"])
    }

    @Test func `A client without its secret can't log in`() async throws {
        let (outcome, _) = try await LoginRunner().run("login shop") { _ in .json("{}") }
        #expect(outcome.code == 9)
        #expect(outcome.err == "apictl: a credential is missing: set SHOP_ID and SHOP_SECRET\n")
    }

    // MARK: Refresh

    static let expired = StoredLogin(
        value: "old", refreshToken: "r1", expires: 1_005, tokenURL: "https://forge.test/token")

    @Test func `An expired token is refreshed, and the new refresh token is kept`() async throws {
        let runner = LoginRunner(store: MemoryLogins([.forge: Self.expired]))
        let (outcome, requests) = try await runner.run("call forge.user") { line in
            line.contains("/token")
                ? .json(#"{"access_token": "new", "refresh_token": "r2", "expires_in": 60}"#) : .json("{}")
        }
        #expect(outcome == Outcome(out: "{}\n"))
        #expect(
            requests == [
                "POST https://forge.test/token grant_type=refresh_token&refresh_token=r1&client_id=c1",
                "GET https://api.forge.test/user Bearer new",
            ])
        #expect(
            runner.store.all == [
                .forge: StoredLogin(
                    value: "new", refreshToken: "r2", expires: 1_060, tokenURL: "https://forge.test/token")
            ])
    }

    @Test func `A server that sends no new refresh token keeps the old one valid`() async throws {
        let runner = LoginRunner(store: MemoryLogins([.forge: Self.expired]))
        let (outcome, _) = try await runner.run("token forge") { _ in .json(#"{"access_token": "new"}"#) }
        #expect(outcome == Outcome(out: "new\n"))
        #expect(
            runner.store.all == [
                .forge: StoredLogin(value: "new", refreshToken: "r1", tokenURL: "https://forge.test/token")
            ])
    }

    @Test func `A login whose refresh token is refused is removed, and the command to log in is named`() async throws {
        let runner = LoginRunner(store: MemoryLogins([.forge: Self.expired]))
        let (outcome, _) = try await runner.run("call forge.user") { _ in
            .json(#"{"error": "invalid_grant"}"#, 400, "Bad Request")
        }
        #expect(
            outcome
                == Outcome(
                    err: """
                        apictl: forge.user: a credential is missing: set FORGE_TOKEN (--dry-run needs none)
                        The login has expired. To log in: apictl login forge

                        """, code: 9))
        #expect(runner.store.all.isEmpty)
    }

    @Test func `A login counts only for the server that it was made for`() async throws {
        let runner = LoginRunner(store: MemoryLogins([.forge: StoredLogin(value: "t")]))
        let production = try await runner.run("call forge.user") { _ in .json("{}") }
        #expect(production.requests == ["GET https://api.forge.test/user Bearer t"])
        let staging = try await runner.run("call forge.user --server staging") { _ in .json("{}") }
        #expect(staging.requests.isEmpty)
        #expect(staging.outcome.code == 9)
        #expect(
            staging.outcome.err.hasSuffix("To log in: apictl login forge --base-url https://staging.forge.test\n"))
    }

    @Test func `A refresh token is only sent to the server that gave it`() async throws {
        var other = Self.expired
        other.tokenURL = "https://evil.test/token"
        let (outcome, requests) = try await LoginRunner(store: MemoryLogins([.forge: other]))
            .run("call forge.user") { _ in .json("{}") }
        #expect(outcome.code == 9)
        #expect(requests.isEmpty)
        let (_, revocations) = try await LoginRunner(store: MemoryLogins([.forge: other]))
            .run("logout forge") { _ in .empty() }
        #expect(revocations.isEmpty)
    }

    @Test func `A secret that a server decodes and repeats is not shown`() async throws {
        var runner = LoginRunner()
        runner.variables = ["SHOP_ID": "me", "SHOP_SECRET": "p@ss/w0rd x"]
        for words in ["call shop.items", "token shop --json-errors"] {
            let (outcome, _) = try await runner.run(words) { _ in
                .json(#"{"error": "invalid_client", "error_description": "bad p@ss/w0rd x"}"#, 401)
            }
            #expect(outcome.code == 9)
            #expect(outcome.err.contains("invalid_client"))
            #expect(!outcome.err.contains("w0rd"), "\(outcome.err)")
        }
    }

    @Test func `A client that logs in itself needs no place to store its token`() async throws {
        var runner = LoginRunner()
        runner.variables = ["SHOP_ID": "me", "SHOP_SECRET": "s"]
        runner.stores = false
        let (outcome, _) = try await runner.run("call shop.items") { line in
            line.contains("id.shop") ? .json(#"{"access_token": "t1"}"#) : .json("[]")
        }
        #expect(outcome == Outcome(out: "[]\n"))
    }

    @Test func `A login of a person without a place to store it fails before anything is sent`() async throws {
        var runner = LoginRunner()
        runner.stores = false
        let login = try await runner.run("login forge --device") { _ in .json("{}") }
        #expect(
            login.outcome
                == Outcome(err: "apictl: can't write the login: neither XDG_STATE_HOME nor HOME is set\n", code: 1))
        #expect(login.requests.isEmpty)
    }

    @Test func `Excessive times of a server are limited, and a token with control codes is refused`() async throws {
        let runner = LoginRunner()
        let (outcome, _) = try await runner.run("login forge --device") { line in
            line.contains("/device ")
                ? .json(
                    #"{"device_code": "d", "user_code": "u", "verification_uri": "https://x.test", "interval": 1e9, "expires_in": 9e9}"#
                )
                : .json(#"{"access_token": "a\u001b[31m"}"#)
        }
        #expect(outcome.code == 8)
        #expect(runner.waits.values == [.seconds(60)])
        #expect(runner.store.all.isEmpty)
    }

    @Test func `No command but login waits for a person`() async throws {
        for words in ["call forge.user", "token forge", "check forge. --fail-on-skipped", "call cinema.account"] {
            let (outcome, requests) = try await LoginRunner().run(words) { _ in .json("{}") }
            #expect(outcome.code == (words.hasPrefix("check") ? 1 : 9), "\(words)")
            #expect(requests.isEmpty, "\(words)")
        }
    }

    @Test func `A token that the server does not accept is refreshed once, and the call is sent again`() async throws {
        let valid = StoredLogin(value: "old", refreshToken: "r1", expires: 9_000, tokenURL: "https://forge.test/token")
        let runner = LoginRunner(store: MemoryLogins([.forge: valid]))
        let (outcome, requests) = try await runner.run("call forge.user") { line in
            if line.contains("/token") { return .json(#"{"access_token": "new"}"#) }
            return line.hasSuffix("Bearer old") ? .empty(401, "Unauthorized") : .json("{}")
        }
        #expect(outcome == Outcome(out: "{}\n"))
        #expect(
            requests == [
                "GET https://api.forge.test/user Bearer old",
                "POST https://forge.test/token grant_type=refresh_token&refresh_token=r1&client_id=c1",
                "GET https://api.forge.test/user Bearer new",
            ])
    }

    @Test func `A token that is refreshed and still not accepted is reported once`() async throws {
        let valid = StoredLogin(value: "old", refreshToken: "r1", expires: 9_000, tokenURL: "https://forge.test/token")
        let runner = LoginRunner(store: MemoryLogins([.forge: valid]))
        let (outcome, requests) = try await runner.run("call forge.user") { line in
            line.contains("/token") ? .json(#"{"access_token": "new"}"#) : .empty(401, "Unauthorized")
        }
        #expect(outcome.code == 4)
        #expect(requests.count == 3)
    }

    // MARK: Session

    @Test func `A session login makes the API's own calls, and waits for the key Return in between`() async throws {
        var runner = LoginRunner()
        runner.stdin = "\n"
        let (outcome, requests) = try await runner.run("login cinema") { line in
            line.contains("/token") ? .json(#"{"token": "abc"}"#) : .json(#"{"session": "s1"}"#)
        }
        #expect(
            outcome
                == Outcome(
                    err: """
                        To log in to cinema, open https://cinema.test/approve/abc and approve the login. Then press Return.
                        logged in to cinema at https://cinema.test:443, for 60 min

                        """))
        #expect(requests == ["GET https://cinema.test/token", "GET https://cinema.test/session/abc"])
        #expect(runner.store.all == [.cinema: StoredLogin(value: "s1", expires: 4_600)])
        let call = try await runner.run("call cinema.account") { _ in .json("{}") }
        #expect(call.requests == ["GET https://cinema.test/account?session_id=s1"])
    }

    // MARK: Browser

    @Test func `A login in a browser sends the code with its proof, and ignores answers with a wrong state`()
        async throws
    {
        var runner = LoginRunner()
        let pages = SharedList<String>()
        runner.openPage = { address in
            pages.append(address)
            Task { try await Browser(address).followRedirects() }
        }
        let (outcome, requests) = try await runner.run("login forge --browser") { _ in
            .json(#"{"access_token": "t"}"#)
        }
        #expect(outcome.code == 0)
        let page = try #require(pages.values.first)
        #expect(outcome.err.contains("open \(page)\n"))
        let query = FormText.items(String(page.split(separator: "?")[1]))
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        #expect(value("response_type") == "code")
        #expect(value("client_id") == "c1")
        #expect(value("scope") == "repo gist")
        #expect(value("code_challenge_method") == "S256")
        // The server compares the hash of the verifier with the challenge.
        let form = FormText.items(String(requests[0].split(separator: " ")[2]))
        let verifier = try #require(form.first { $0.name == "code_verifier" }?.value)
        #expect(Base64URL.encode(MessageDigest.sha256.digest(of: Array(verifier.utf8))) == value("code_challenge"))
        #expect(form.first { $0.name == "code" }?.value == "good")
        #expect(form.first { $0.name == "redirect_uri" }?.value == value("redirect_uri"))
    }

    @Test func `A pasted address with a wrong state is refused, and nothing is sent`() async throws {
        // The state is random and is shown only in the address on stderr, so that a fixed one is wrong.
        var runner = LoginRunner()
        runner.stdin = "http://127.0.0.1/?code=good&state=guessed\n"
        let (outcome, requests) = try await runner.run("login forge --browser --redirect -") { _ in .json("{}") }
        #expect(outcome.code == 8)
        #expect(outcome.err.contains("its answer has no usable 'state'"))
        #expect(requests.isEmpty)
    }

    @Test func `The answer in a pasted address is a code or a refusal`() {
        #expect(RedirectAnswer(query: "code=good&state=s", state: "s") == .code("good"))
        #expect(
            RedirectAnswer(query: "error=access_denied&state=s", state: "s")
                == .refused(code: "access_denied", description: nil))
    }

    // MARK: Logout

    @Test func `Logging out revokes the token and deletes the login`() async throws {
        let runner = LoginRunner(store: MemoryLogins([.forge: Self.expired, .shop: StoredLogin(value: "t")]))
        let (outcome, requests) = try await runner.run("logout forge") { _ in .empty() }
        #expect(outcome == Outcome(err: "logged out of forge at https://api.forge.test:443\n"))
        #expect(requests == ["POST https://forge.test/revoke token=r1&client_id=c1"])
        #expect(Array(runner.store.all.keys) == [.shop])
    }

    @Test func `A login is deleted, even if the server can't revoke it`() async throws {
        let runner = LoginRunner(store: MemoryLogins([.forge: Self.expired]))
        let (outcome, _) = try await runner.run("logout --all") { _ in .empty(500, "Internal Server Error") }
        #expect(outcome.code == 8)
        #expect(runner.store.all.isEmpty)
    }

    // MARK: Faults of servers

    /// A response of a token endpoint that gives no token, and what the command says about it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: StubResponse
        let code: Int32
        /// A part of the message.
        let message: String
        /// The beginning of the line after the message.
        let advice: String

        init(_ id: String, _ response: StubResponse, code: Int32, _ message: String, advice: String) {
            testDescription = id
            self.response = response
            self.code = code
            self.message = message
            self.advice = advice
        }
    }

    static let faults: [Fault] = [
        Fault("HTML", .typed("text/html", "<html>r1</html>"), code: 8, noJSON, advice: checkURLs),
        Fault("empty", .empty(), code: 8, noJSON, advice: checkURLs),
        Fault("a list", .json("[]"), code: 8, noJSON, advice: checkURLs),
        Fault("cut JSON", .json(#"{"access_token": "a"#), code: 8, noJSON, advice: checkURLs),
        Fault("no token", .json("{}"), code: 8, noToken, advice: checkURLs),
        Fault("a null token", .json(#"{"access_token": null}"#), code: 8, noToken, advice: checkURLs),
        Fault("token of another type", .json(#"{"access_token": 7}"#), code: 8, noToken, advice: checkURLs),
        Fault("empty token", .json(#"{"access_token": ""}"#), code: 8, noToken, advice: checkURLs),
        Fault("token with a line break", .json(#"{"access_token": "a\r\nX: b"}"#), code: 8, noToken, advice: checkURLs),
        Fault("a form", .typed("application/x-www-form-urlencoded", "a=b"), code: 8, noToken, advice: checkURLs),
        Fault(
            "a long answer", .json(String(repeating: " ", count: 2_000_000)), code: 8, "1000000 bytes",
            advice: checkConnection),
        Fault("404", .empty(404, "Not Found"), code: 9, "it answered 404 Not Found", advice: checkURLs),
        Fault(
            "429", .empty(429, "Too Many Requests"), code: 9, "it answered 429 Too Many Requests",
            advice: "Try again later."),
        Fault(
            "500", .empty(500, "Internal Server Error"), code: 8, "it answered 500 Internal Server Error",
            advice: "Try again later."),
        Fault(
            "502", .typed("text/html", "<h1>r1</h1>", 502, "Bad"), code: 8, "it answered 502 Bad",
            advice: "Try again later."),
        Fault(
            "redirect", StubResponse.empty(302, "Found").with("Location", "https://evil.test"), code: 8,
            "it answered 302 Found", advice: checkURLs
        ),
        Fault(
            "error in 200", .json(#"{"error": "invalid_client"}"#), code: 9, "invalid_client",
            advice: "The server does not know the client, or its secret is wrong."
        ),
        Fault(
            "an echo", .json(#"{"error": "invalid_scope", "error_description": "bad r1 r1"}"#, 400), code: 9,
            "invalid_scope: bad (redacted) (redacted)", advice: "The server does not grant the scopes"
        ),
        Fault(
            "escapes", .json(#"{"error": "x", "error_description": "\u001b]0;a\u0007"}"#, 400), code: 9,
            #"x: \u001B]0;a\u0007"#,
            advice: "Check the client and the parameters of the login in the declaration of forge."
        ),
        Fault(
            "no time", .json(#"{"error": "temporarily_unavailable"}"#, 503), code: 9, "temporarily_unavailable",
            advice: "Try again later."
        ),
        Fault("connection", .failing(.notConnected), code: 6, "connect", advice: checkConnection),
        Fault(
            "a broken answer", .failing(.cutShort(.noResponse)), code: 6, "without a response",
            advice: checkConnection),
    ]

    private static let noJSON = "it answered with something else in place of JSON"
    private static let noToken = "its answer has no usable 'access_token'"
    private static let checkURLs = "Check the URLs of the login in the declaration of forge."
    private static let checkConnection = "Check the connection to the server, then repeat the command."

    @Test(arguments: faults)
    func `A message about a fault of the server names the step and gives advice, and has no secrets`(
        _ fault: Fault
    ) async throws {
        let runner = LoginRunner(
            store: MemoryLogins([
                .forge: StoredLogin(value: "old", refreshToken: "r1", expires: 5, tokenURL: "https://forge.test/token")
            ]))
        let (outcome, _) = try await runner.run("token forge") { _ in fault.response }
        #expect(outcome.code == fault.code)
        let lines = outcome.err.split(separator: "\n")
        let line = lines.first ?? ""
        #expect(
            line.hasPrefix("apictl: the login of forge failed while refreshing the token at https://forge.test/token: ")
        )
        #expect(line.contains(fault.message), "\(line)")
        #expect(lines.dropFirst().first?.hasPrefix(fault.advice) == true, "\(outcome.err)")
        #expect(!outcome.err.contains("r1"))
        // The login is kept, because its refresh token may still be good.
        #expect(runner.store.all.count == 1)
    }
}

/// Responses that are given one after the other.
private final class Answers: Sendable {
    private let remaining: Mutex<ArraySlice<StubResponse>>

    init(_ answers: [StubResponse]) { remaining = Mutex(answers[...]) }

    /// Removes the next response and returns it. After the last one, requests fail.
    func next() -> StubResponse {
        remaining.withLock { $0.popFirst() } ?? .failing(.other, "a request too many")
    }
}

/// A browser in which a person approves a login.
private struct Browser {
    let address: String

    init(_ address: String) { self.address = address }

    /// Sends an answer with a wrong state to the redirect of the address, which must be refused, and then the right
    /// one.
    func followRedirects() async throws {
        let query = FormText.items(String(address.split(separator: "?")[1]))
        func value(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }
        let redirect = value("redirect_uri")
        let wrong = try await URLSession.shared.data(from: #require(URL(string: redirect + "?code=evil&state=x")))
        #expect((wrong.1 as? HTTPURLResponse)?.statusCode == 400)
        let state = PercentEncoding.encode(value("state"))
        _ = try await URLSession.shared.data(from: #require(URL(string: redirect + "?code=good&state=\(state)")))
    }
}
