import EndpointKit
import Testing

@testable import ApictlCLI

/// What an error says to try.
struct TransportHintTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let kind: TransportError.Kind
        let message: String
        let words: String
        let hint: String?
        let code: Int32

        init(
            _ id: String, _ kind: TransportError.Kind, _ message: String = "it failed", _ words: String = "",
            code: Int32 = 6, hint: String?
        ) {
            self.id = id
            self.kind = kind
            self.message = message
            self.words = words
            self.hint = hint
            self.code = code
        }

        var testDescription: String { id }
    }

    private static let connecting = "no connection to h within 10 s"
    private static let trust = "--cacert FILE trusts another issuer; -k skips the check."

    static let cases: [Case] = [
        Case(
            "name", .nameNotResolved,
            hint: "Is the name right, and is there a network? --resolve HOST:PORT:ADDRESS does without a lookup."),
        Case(
            "connection of who knows what", .notConnected,
            hint: "Is the server running? --base-url or --env chooses another."),
        Case(
            "connection", .notConnected, "could not connect to 127.0.0.1 port 9: refused",
            hint: "Is the server running? --base-url or --env chooses another."),
        Case(
            "connection to another port, behind a redirect", .notConnected,
            "could not connect to 127.0.0.1 port 99: refused", hint: "Is the server running?"),
        Case(
            "connection to another host, behind a redirect", .notConnected,
            "could not connect to 27.0.0.1 port 9: refused", hint: "Is the server running?"),
        Case(
            "socket", .notConnected, "could not connect to 127.0.0.1 port 9: refused", "--unix-socket /s",
            hint: "Is the server running?"),
        Case("proxy", .proxy, hint: "-x '' goes without a proxy."),
        Case(
            "no connection to the proxy", .notConnected, "could not connect to the proxy at h port 1: refused",
            hint: "-x '' goes without a proxy."),
        Case(
            "the proxy's name", .nameNotResolved, "could not resolve the proxy's host name h",
            hint: "-x '' goes without a proxy."),
        Case(
            "the proxy's credentials", .proxy, "the proxy at h wants credentials (407)",
            hint: "User and password go into http_proxy or https_proxy: http://USER:PASSWORD@HOST:PORT"),
        Case(
            "the proxy's certificate", .certificate(.expired), "the certificate of the proxy at h has expired",
            hint: nil),
        Case("a file for TLS", .tls, "can't use ca.pem: no certificate in it", hint: nil),
        Case(
            "a client certificate is wanted", .tls, "127.0.0.1 wants a client certificate (alert 116)",
            hint: "Give one with --cert FILE, and --key FILE where its key is not in there."),
        Case(
            "the client's key", .tls,
            "can't use the client's key k.pem (it failed); is it another file's, or is the passphrase wrong?",
            hint: "The passphrase of an encrypted key goes into APICTL_KEY_PASSPHRASE."),
        Case("TLS", .tls, hint: "Does the server speak https on that port? -vv shows how far it came."),
        Case(
            "TLS to a server without", .tls, "127.0.0.1 port 9 does not speak TLS (it failed)",
            hint: "Are scheme and port right? --base-url chooses others."),
        Case("TLS to a server without, behind a redirect", .tls, "h port 9 does not speak TLS (it failed)", hint: nil),
        Case("TLS to a proxy without", .tls, "the proxy at 127.0.0.1:9 does not speak TLS (it failed)", hint: nil),
        Case("expired", .certificate(.expired), hint: "Only its owner can renew it; -k skips the check."),
        Case("not yet valid", .certificate(.notYetValid), hint: "Is this machine's clock right? -k skips the check."),
        Case(
            "another host's", .certificate(.wrongHost),
            hint: "--resolve HOST:PORT:ADDRESS keeps the right name for another address; -k skips the check."),
        Case("self-signed", .certificate(.selfSigned), hint: trust),
        Case("unknown issuer", .certificate(.unknownIssuer), hint: trust),
        Case("another certificate problem", .certificate(.other), hint: "-k skips the check."),
        Case("unchecked already", .certificate(.other), "it failed", "-k", hint: nil),
        Case("time to connect", .timedOut, connecting, code: 7, hint: "--connect-timeout 20s allows longer."),
        Case(
            "time to connect, as typed", .timedOut, connecting, "--connect-timeout 300ms", code: 7,
            hint: "--connect-timeout 600ms allows longer."),
        Case(
            "less time for all than to connect", .timedOut, connecting, "-m 1.2", code: 7,
            hint: "--max-time 2.4s allows longer."),
        Case("time", .timedOut, "no complete answer", code: 7, hint: "--max-time 60s allows longer."),
        Case(
            "silence", .timedOut, "127.0.0.1 was silent for 30 s (7 bytes received)", code: 7,
            hint: "--max-time 0 waits as long as it takes."),
        Case("a time that was not set", .timedOut, "no complete answer", "-m 0", code: 7, hint: nil),
        Case(
            "no time for all", .timedOut, connecting, "-m 0", code: 7, hint: "--connect-timeout 20s allows longer."),
        Case("cut short", .cutShort, hint: "--retry 3 tries again."),
        Case(
            "not HTTP", .notHTTP, "the answer of 127.0.0.1 is not HTTP (Received HTTP/0.9 when not allowed)",
            hint: "Is that a server of HTTP, and the scheme right? --base-url chooses another."),
        Case(
            "not even a status", .notHTTP, "the answer of 127.0.0.1 has no HTTP status line",
            hint: "Is that a server of HTTP, and the scheme right? --base-url chooses another."),
        Case(
            "not HTTP, behind a redirect", .notHTTP, "the answer of h is not HTTP (Received HTTP/0.9 when not allowed)",
            hint: nil),
        Case("HTTP with a fault", .notHTTP, "the answer of 127.0.0.1 is not HTTP (Nul byte in header)", hint: nil),
        Case("redirects", .tooManyRedirects, "more than 10 redirects: a → b", hint: "--max-redirects N follows more."),
        Case("redirects in a loop", .tooManyRedirects, "more than 10 redirects, in a loop: a → a", hint: nil),
        Case("unsafe redirect", .unsafeRedirect, hint: nil), Case("library", .libraryMissing, hint: nil),
        Case("option", .unsupportedOption, hint: nil), Case("body", .unreadableBody, code: 1, hint: nil),
        Case("other", .other, hint: nil),
    ]

    @Test(arguments: cases)
    func hint(_ wanted: Case) async {
        let outcome = await run(
            ["call", "echo.head"] + wanted.words.split(separator: " ").map(String.init),
            transport: StubTransport(.failing(wanted.kind, wanted.message)))
        let lines = ["apictl: echo.head: \(wanted.message)"] + (wanted.hint.map { [$0] } ?? [])
        #expect(outcome == Outcome(err: lines.map { $0 + "\n" }.joined(), code: wanted.code))
    }

    @Test("Nobody is told to send a POST again")
    func post() async {
        let outcome = await run(["call", "echo.ping"], transport: StubTransport(.failing(.cutShort, "it broke")))
        #expect(outcome == Outcome(err: "apictl: echo.ping: it broke\n", code: 6))
    }

    @Test("Nor to try again what was tried again")
    func retried() async {
        let broken = StubAnswer.failing(.cutShort, "it broke")
        let outcome = await run(
            ["call", "echo.head", "-m", "0", "--retry", "1", "--retry-delay", "0"],
            transport: ScriptedTransport([broken, broken]))
        #expect(
            outcome
                == Outcome(
                    err: """
                        apictl: echo.head: it broke; trying again now (1 of 1)
                        apictl: echo.head: it broke (2 attempts)

                        """, code: 6))
    }
}
