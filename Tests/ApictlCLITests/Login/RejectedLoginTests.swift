import EndpointKit
import EndpointTools
import JSONText
import Testing

@testable import ApictlCLI

/// A stored token that the server does not accept any more, in commands other than `call`.
@Suite struct RejectedLoginTests {
    static let valid = StoredLogin(
        value: "old", refreshToken: "r1", expires: 9_000, tokenURL: "https://forge.test/token")

    /// Responds as a server that accepts the token `new` only.
    @Sendable static func respond(_ line: String) -> StubResponse {
        if line.contains("/token") { return .json(#"{"access_token": "new"}"#) }
        return line.hasSuffix("Bearer new") ? .json("{}") : .empty(401, "Unauthorized")
    }

    @Test func `Many checks with a rejected token send one refresh, and all of them pass`() async throws {
        let runner = LoginRunner(store: MemoryLogins([.forge: Self.valid]))
        let (outcome, requests) = try await runner.run("check forge. --jobs 3", Self.respond)
        #expect(outcome.code == 0, "\(outcome.out)\(outcome.err)")
        #expect(requests.count { $0.contains("/token") } == 1)
        #expect(requests.count { $0.hasSuffix("Bearer new") } == Forge.examples.count)
        // A check that starts after the refresh does not try the old token.
        #expect(requests.count { $0.hasSuffix("Bearer old") } <= 3)
    }

    @Test func `A check whose login can't be refreshed fails with the 401 and the command that logs in`() async throws {
        let runner = LoginRunner(store: MemoryLogins([.forge: Self.valid]))
        let (outcome, requests) = try await runner.run("check forge.user") { line in
            line.contains("/token")
                ? .json(#"{"error": "invalid_grant"}"#, 400, "Bad Request") : .empty(401, "Unauthorized")
        }
        #expect(outcome.code == 1)
        #expect(outcome.out.contains("expected 2xx, found 401 Unauthorized"), "\(outcome.out)")
        #expect(outcome.out.contains("To log in: apictl login forge"), "\(outcome.out)")
        #expect(requests.count == 2)
    }

    @Test func `A token server that fails does not end the checks of other APIs`() async throws {
        let expired = StoredLogin(value: "old", refreshToken: "r1", expires: 5, tokenURL: "https://forge.test/token")
        let stored = StoredLogin(value: "s", expires: 9_000)
        let runner = LoginRunner(store: MemoryLogins([.forge: expired, .cinema: stored]))
        let (outcome, _) = try await runner.run("check forge.user cinema.account") { line in
            line.contains("forge.test") ? .empty(500, "Internal Server Error") : .json("{}")
        }
        #expect(outcome.code == 0)
        #expect(outcome.out.contains("refreshing the token at https://forge.test/token"), "\(outcome.out)")
    }

    /// The words after a call, and the time limit of the request for its token, in seconds.
    static let limits: [(words: String, limit: Int)] = [("", 30), ("-m 5", 5), ("-m 90", 90), ("-m 0", 30)]

    @Test(arguments: limits)
    func `The time limit of a call is that of the request for its token`(_ words: String, _ limit: Int) async throws {
        let expired = StoredLogin(value: "old", refreshToken: "r1", expires: 5, tokenURL: "https://forge.test/token")
        let runner = LoginRunner(store: MemoryLogins([.forge: expired]))
        let (outcome, requests) = try await runner.run("call forge.user \(words)", Self.respond)
        #expect(outcome.code == 0 && requests.first?.contains("/token") == true, "\(outcome.err)")
        // Some of the limit has passed when the request is sent.
        let remaining = try #require(runner.limits.values.first ?? nil)
        #expect(remaining <= .seconds(limit) && remaining > .seconds(limit - 5))
    }

    @Test func `With -m 0, the command token refreshes without a time limit`() async throws {
        let expired = StoredLogin(value: "old", refreshToken: "r1", expires: 5, tokenURL: "https://forge.test/token")
        let runner = LoginRunner(store: MemoryLogins([.forge: expired]))
        let (outcome, _) = try await runner.run("token forge -m 0", Self.respond)
        #expect(outcome == Outcome(out: "new\n"))
        #expect(runner.limits.values == [nil])
    }

    @Test func `A case that expects a 401 refreshes nothing`() async throws {
        var runner = LoginRunner(store: MemoryLogins([.forge: Self.valid]))
        runner.stdin = #"{"version": 1, "cases": [{"endpoint": "forge.user", "status": 401}]}"#
        let (outcome, requests) = try await runner.run("check --cases -", Self.respond)
        #expect(outcome.code == 0, "\(outcome.out)\(outcome.err)")
        #expect(requests == ["GET https://api.forge.test/user Bearer old"])
    }

    @Test func `The expectations of a case are about the response to the new token`() async throws {
        var runner = LoginRunner(store: MemoryLogins([.forge: Self.valid]))
        runner.stdin = #"""
            {"version": 1, "cases": [{"endpoint": "forge.user", "expect": {"$.name": {"equals": "ada"}}}]}
            """#
        let (outcome, requests) = try await runner.run("check --cases -", Self.respond)
        #expect(outcome.code == 1)
        #expect(outcome.out.contains("$.name"), "\(outcome.out)")
        #expect(requests.count == 3)
    }

    @Test func `No report has the new token, even if the server repeats it`() async throws {
        let runner = LoginRunner(store: MemoryLogins([.forge: Self.valid]))
        let (outcome, _) = try await runner.run("check forge.user --report-json - --fail-on-skipped") { line in
            if line.contains("/token") { return .json(#"{"access_token": "n3w-t0ken-of-ada"}"#) }
            guard line.hasSuffix("Bearer n3w-t0ken-of-ada") else { return .empty(401, "Unauthorized") }
            return .json(#"{"a": "n3w-t0ken-of-ada"}"#, 403, "no n3w-t0ken-of-ada")
        }
        #expect(outcome.code == 1)
        #expect(outcome.out.contains("403"))
        #expect(!(outcome.out + outcome.err).contains("n3w-t0ken"), "\(outcome.out)")
    }

    @Test func `A tool of an agent refreshes a rejected token`() async throws {
        let call = Conversation.call("forge_user", "{}")
        var runner = LoginRunner(store: MemoryLogins([.forge: Self.valid]))
        runner.stdin = call + "\n"
        let (outcome, requests) = try await runner.run("mcp --tools endpoints", Self.respond)
        let answer = try JSONValue(line: String(outcome.out.split(separator: "\n")[0]))
        #expect(!answer.isErrorResult, "\(outcome.out)")
        #expect(
            requests == [
                "GET https://api.forge.test/user Bearer old",
                "POST https://forge.test/token grant_type=refresh_token&refresh_token=r1&client_id=c1",
                "GET https://api.forge.test/user Bearer new",
            ])
    }
}
