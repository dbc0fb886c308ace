import EndpointKit
import Endpoints
import Testing

@testable import ApictlCLI

/// The login of the built-in API of movies.
@Suite struct MovieLoginTests {
    private static let key = LoginKey(
        api: "movies", variable: "TMDB_SESSION_ID", origin: "https://api.themoviedb.org:443")

    @Sendable private static func respond(_ line: String) -> StubResponse {
        if line.contains("/token/new") {
            return .json(#"{"success": true, "expires_at": "2026-08-26 17:04:39 UTC", "request_token": "r3quest"}"#)
        }
        return .json(#"{"success": true, "session_id": "s3ssion"}"#)
    }

    @Test func `A person approves a token, which becomes a session of 30 days`() async throws {
        var runner = LoginRunner()
        runner.apis = [Endpoints.Movies.self]
        runner.variables = ["TMDB_API_KEY": "k"]
        runner.stdin = "\n"
        let (outcome, requests) = try await runner.run("login movies", Self.respond)
        #expect(
            requests == [
                "GET https://api.themoviedb.org/3/authentication/token/new?api_key=k",
                #"POST https://api.themoviedb.org/3/authentication/session/new?api_key=k {"request_token":"r3quest"}"#,
            ])
        #expect(
            outcome
                == Outcome(
                    err: """
                        To log in to movies, open https://www.themoviedb.org/authenticate/r3quest and approve the login. \
                        Then press Return.
                        logged in to movies at https://api.themoviedb.org:443, for 720 h

                        """))
        #expect(runner.store.all == [Self.key: StoredLogin(value: "s3ssion", expires: 1_000 + 30 * 86_400)])
        let call = try await runner.run("call movies.video --id 550 --raw") { _ in .json("{}") }
        #expect(
            call.requests == ["GET https://api.themoviedb.org/3/movie/550/videos?api_key=k&session_id=s3ssion"])
    }

    @Test func `A token that nobody has approved becomes no session`() async throws {
        var runner = LoginRunner()
        runner.apis = [Endpoints.Movies.self]
        runner.variables = ["TMDB_API_KEY": "k"]
        runner.stdin = "\n"
        let (outcome, _) = try await runner.run("login movies") { line in
            line.contains("/token/new") ? Self.respond(line) : .json(#"{"status_message": "denied r3quest"}"#, 401)
        }
        #expect(outcome.code == 4)
        #expect(outcome.err.contains("the login of movies failed while logging in: the server answered 401"))
        #expect(runner.store.all.isEmpty)
    }

    @Test func `Without a login, calls are sent without a session`() async throws {
        var runner = LoginRunner()
        runner.apis = [Endpoints.Movies.self]
        runner.variables = ["TMDB_API_KEY": "k"]
        let (_, requests) = try await runner.run("call movies.video --id 550 --raw") { _ in .json("{}") }
        #expect(requests == ["GET https://api.themoviedb.org/3/movie/550/videos?api_key=k"])
    }
}
