import EndpointKit
import Testing

@testable import ApictlCLI

/// The logins that `mock` plays.
@Suite struct MockedLoginTests {
    /// A request for a token with a client's secret.
    private static let tokenRequest = ["--json", "grant_type=client_credentials&client_id=a&client_secret=s3cret"]

    @Test func `A call with a token of the mock is accepted, and one with another token is refused`() async throws {
        let mock = try await RunningMock("forge", apis: [Forge.self])
        #expect(mock.log.contains("POST  /token      login: FORGE_TOKEN"), "\(mock.log)")
        // Forge has no samples.
        #expect(try mock.get("/user", ["-H", "Authorization: Bearer any"]).hasPrefix("501 "))
        let answer = try mock.request(Self.tokenRequest, "/token")
        let token = try #require(answer.firstMatch(of: /"access_token": ?"([^"]+)"/)?.1)
        #expect(try mock.get("/user", ["-H", "Authorization: Bearer \(token)"]).hasPrefix("501 "))
        #expect(
            try mock.get("/user", ["-H", "Authorization: Bearer any"])
                == "401 {\"message\":\"the token is unknown or has expired\"}\n")
        #expect(!mock.log.contains(token))
        #expect(!mock.log.contains("s3cret"))
        #expect(mock.lines.contains("POST /token 200 login"), "\(mock.lines)")
        #expect(mock.lines.contains("GET /user 401 forge.user, a token is not valid"), "\(mock.lines)")
    }

    @Test func `With --token-lifetime 0s, a token of the mock has expired at once`() async throws {
        let mock = try await RunningMock("forge --token-lifetime 0s --prefix", apis: [Forge.self])
        let answer = try mock.request(Self.tokenRequest, "/forge/token")
        #expect(answer.contains("\"expires_in\":0"), "\(answer)")
        let token = try #require(answer.firstMatch(of: /"access_token": ?"([^"]+)"/)?.1)
        #expect(try mock.get("/forge/user", ["-H", "Authorization: Bearer \(token)"]).hasPrefix("401 "))
    }

    @Test func `With --no-auth, any token is accepted, even after the mock has given one`() async throws {
        let mock = try await RunningMock("forge --no-auth", apis: [Forge.self])
        _ = try mock.request(Self.tokenRequest, "/token")
        #expect(try mock.get("/user", ["-H", "Authorization: Bearer any"]).hasPrefix("501 "))
    }
}
