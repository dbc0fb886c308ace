import EndpointKit
import Testing

/// Failure statuses whose body breaks off: the status determines the exit code.
struct BrokenFailureTests {
    private static func broken(_ status: Int, _ reason: String, _ body: String) -> StubResponse {
        var response = StubResponse.typed("text/plain", body, status, reason)
        response.failureInBody = TransportError(.cutShort(.noResponse))
        return response
    }

    static let rows: [Row] = [
        Row(
            "500", "call echo.limits", variables: ["ECHO_TOKEN": "t0ken"], response: broken(500, "Oops", "half"),
            err: """
                half
                apictl: echo.limits: 500 Oops
                The body is incomplete: the server closed the connection without a response

                """, code: 5),
        Row(
            "401, behind the hint", "call echo.limits", response: broken(401, "No", "half"),
            err: """
                half
                apictl: echo.limits: 401 No
                The request was sent without ECHO_TOKEN.
                The body is incomplete: the server closed the connection without a response

                """, code: 4),
        Row(
            "no words are looked for in half a body", "call echo.limits --compact",
            response: broken(404, "Not Found", #"{"message":"no"}"#),
            err: """
                {"message":"no"}
                apictl: echo.limits: 404 Not Found
                The body is incomplete: the server closed the connection without a response

                """, code: 4),
        Row(
            "before its first byte", "call echo.path a", response: broken(404, "Not Found", ""),
            err: "apictl: echo.path: 404 Not Found\n", code: 4),
        Row("quiet, 500", "call echo.path a -q", response: broken(500, "Oops", "half"), code: 5),
        Row(
            "HTTP/2 has no reasons", "call echo.path a -i",
            response: StubResponse(head: ResponseHead(version: "HTTP/2", status: 404)),
            err: "HTTP/2 404\n\napictl: echo.path: 404 Not Found\n", code: 4),
    ]

    @Test(arguments: rows)
    func failure(_ row: Row) async { await row.check() }

    @Test("A secret in the transport's message")
    func secret() async {
        var response = StubResponse.typed("text/plain", "half", 500, "Oops")
        response.failureInBody = TransportError(.cutShort(.noResponse), detail: "t0ken")
        await Row(
            "a secret", "call echo.limits", variables: ["ECHO_TOKEN": "t0ken"], response: response,
            err:
                "half\napictl: echo.limits: 500 Oops\nThe body is incomplete: the server closed the connection without a response ((redacted))\n",
            code: 5
        ).check()
    }
}
