import EndpointKit
import Testing

@testable import ApictlCLI

/// Secrets given under their usual names: sent unchanged, and never shown.
struct TypedSecretCallTests {
    /// An option, and how the header or the target is shown and sent.
    static let options: [(option: [String], shown: String, sent: String)] = [
        (["-H", "X-Api-Key: k3yk3y"], "X-Api-Key: (redacted)", "X-Api-Key: k3yk3y"),
        (["-H", "Private-Token: glpat k3yk3y"], "Private-Token: (redacted)", "Private-Token: glpat k3yk3y"),
        (["-H", "x_auth_token:k3yk3y"], "x_auth_token: (redacted)", "x_auth_token: k3yk3y"),
        // Only begins like one.
        (["-H", "Token-Type: k3yk3y"], "Token-Type: k3yk3y", "Token-Type: k3yk3y"),
        (["--query", "access_token=k3y/k3y"], "access_token=(redacted)", "access_token=k3y%2Fk3y"),
        (["--query", "page_token=k3yk3y"], "page_token=k3yk3y", "page_token=k3yk3y"),
    ]

    @Test(arguments: options)
    func verbose(_ option: [String], _ shown: String, _ sent: String) async throws {
        let transport = StubTransport(.empty())
        let outcome = await run(["call", "echo.head", "-v"] + option, transport: transport)
        let isHeader = option[0] == "-H"
        #expect(
            outcome
                == Outcome(
                    err: "> HEAD /head\(isHeader ? "" : "?" + shown) HTTP/1.1\n\(isHeader ? "> \(shown)\n" : "")"
                        + "> Accept: application/json\n> User-Agent: apictl/0.1.0\n> \n< HTTP/1.1 200 OK\n< \n"))
        let request = try #require(transport.requests.first)
        #expect(try request.revealedURL() == "http://127.0.0.1:9/head" + (isHeader ? "" : "?" + sent))
        let headers = try request.headers.map { "\($0.name): \(try $0.value.reveal())" }
        #expect(headers == (isHeader ? [sent] : []) + ["Accept: application/json", "User-Agent: apictl/0.1.0"])
    }

    private static let typed = ["call", "movies.popular", "-H", "Authorization: Bearer s3cretpw"]

    static let echoes: [Row] = [
        Row(
            "in the reason of an empty response", typed, variables: CallOutputTests.key,
            response: .empty(200, "for s3cretpw"),
            err: "apictl: movies.popular: the response (200 for (redacted)) has no body, expected MoviePage\n",
            code: 8),
        Row(
            "in the type of a response", typed, variables: CallOutputTests.key,
            response: .typed("text/s3cretpw; charset=utf-8", "x"),
            err: "x\napictl: movies.popular: the response is text/(redacted), not JSON\n", code: 8),
        Row(
            "in the head", typed + ["-i", "--compact"], variables: CallOutputTests.key,
            response: .json(#"{"page":1,"results":[],"total_pages":0}"#, 200, "s3cretpw").with("X-You", "s3cretpw"),
            out: """
                HTTP/1.1 200 (redacted)
                Content-Type: application/json
                X-You: (redacted)

                {"page":1,"results":[],"total_pages":0}

                """),
    ]

    @Test("A token given as an option that the server repeats", arguments: echoes)
    func echo(_ row: Row) async { await row.check() }
}
