import EndpointKit
import Testing

@testable import ApictlCLI

/// Secrets given under their usual names: sent unchanged, and never shown.
struct TypedSecretCallTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let words: [String]
        /// What is shown and what is sent: the target, and the header if there is one.
        var shownTarget = "/head"
        var sentTarget = "/head"
        var shownField: String?
        var sentField: String?

        var testDescription: String { id }
    }

    static let cases: [Case] = [
        Case(
            id: "X-Api-Key", words: ["-H", "X-Api-Key: k3yk3y"], shownField: "X-Api-Key: (redacted)",
            sentField: "X-Api-Key: k3yk3y"),
        Case(
            id: "Private-Token", words: ["-H", "Private-Token: glpat k3yk3y"], shownField: "Private-Token: (redacted)",
            sentField: "Private-Token: glpat k3yk3y"),
        Case(
            id: "in small letters", words: ["-H", "x_auth_token:k3yk3y"], shownField: "x_auth_token: (redacted)",
            sentField: "x_auth_token: k3yk3y"),
        Case(
            id: "a field that only begins like one", words: ["-H", "Token-Type: k3yk3y"],
            shownField: "Token-Type: k3yk3y", sentField: "Token-Type: k3yk3y"),
        Case(
            id: "access_token", words: ["--query", "access_token=k3y/k3y"],
            shownTarget: "/head?access_token=(redacted)", sentTarget: "/head?access_token=k3y%2Fk3y"),
        Case(
            id: "Access-Token", words: ["--query", "Access-Token=k3yk3y"],
            shownTarget: "/head?Access-Token=(redacted)", sentTarget: "/head?Access-Token=k3yk3y"),
        Case(
            id: "page_token", words: ["--query", "page_token=k3yk3y"], shownTarget: "/head?page_token=k3yk3y",
            sentTarget: "/head?page_token=k3yk3y"),
    ]

    private func field(_ line: String?, _ prefix: String) -> String { line.map { "\(prefix)\($0)\n" } ?? "" }

    @Test(arguments: cases)
    func verbose(_ wanted: Case) async throws {
        let transport = StubTransport(.empty())
        let outcome = await run(["call", "echo.head", "-v"] + wanted.words, transport: transport)
        #expect(
            outcome
                == Outcome(
                    err: "> HEAD \(wanted.shownTarget) HTTP/1.1\n\(field(wanted.shownField, "> "))"
                        + "> Accept: application/json\n> User-Agent: apictl/0.1.0\n> \n< HTTP/1.1 200 OK\n< \n"))
        let request = try #require(transport.requests.first)
        #expect(try request.revealedURL() == "http://127.0.0.1:9" + wanted.sentTarget)
        let sent = try request.headers.map { "\($0.name): \(try $0.value.reveal())" }
        #expect(sent == [wanted.sentField, "Accept: application/json", "User-Agent: apictl/0.1.0"].compactMap(\.self))
    }

    private static let typed = ["call", "movies.popular", "-H", "Authorization: Bearer s3cretpw"]

    static let echoes: [Row] = [
        Row(
            "in the reason of an empty response", typed, variables: CallOutputTests.key,
            response: .empty(200, "for s3cretpw"),
            err: "apictl: movies.popular: the response (200 for (redacted)) has no body, expected MoviePage\n",
            code: 8),
        Row(
            "in the reason of an empty raw response", typed + ["--raw"], variables: CallOutputTests.key,
            response: .empty(200, "s3cretpw"),
            err: "apictl: movies.popular: the response (200 (redacted)) has no body, expected MoviePage\n",
            code: 8),
        Row(
            "in the type of a response", typed, variables: CallOutputTests.key,
            response: .typed("text/s3cretpw; charset=utf-8", "x"),
            err: "x\napictl: movies.popular: the response is text/(redacted), not JSON\n", code: 8),
        Row(
            "in the reason of a failure", typed, variables: CallOutputTests.key, response: .empty(403, "s3cretpw"),
            err: "apictl: movies.popular: 403 (redacted)\nThe request was sent with MOVIES_KEY.\n", code: 4),
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
