import EndpointKit
import Testing

@testable import ApictlCLI

/// The hint for an error.
struct TransportHintTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let error: TransportError
        let words: String
        let hint: String?
        let code: Int32

        init(_ id: String, _ error: TransportError, _ words: String = "", code: Int32 = 6, hint: String?) {
            (testDescription, self.error, self.words, self.hint, self.code) = (id, error, words, hint, code)
        }

        init(_ id: String, _ cause: TransportError.Cause, _ words: String = "", code: Int32 = 6, hint: String?) {
            self.init(id, TransportError(cause), words, code: code, hint: hint)
        }
    }

    private static let connecting = TransportError.Cause.timedOut(.connecting(.seconds(10)))
    private static let whole = TransportError.Cause.timedOut(.whole(.seconds(30)))
    private static let trust = "To trust another issuer: --cacert FILE; -k skips the check."
    private static let server = "Is the server running? --base-url or --env sets another."
    private static let direct = "To use no proxy: -x ''"
    private static let scheme = "Does that port speak HTTP, and is the scheme right? --base-url sets another server."
    /// The server of the test API, and another that a redirect leads to.
    private static let own = TransportError.Peer(host: "127.0.0.1", port: 9)
    private static let another = TransportError.Peer(host: "127.0.0.1", port: 99)
    private static let anotherHost = TransportError.Peer(host: "27.0.0.1", port: 9)

    static let cases: [Case] = [
        Case(
            "name", .nameNotResolved,
            hint: "Check the name and the network. Skip the lookup with --resolve HOST:PORT:ADDRESS."),
        Case("connection of an unknown server", .notConnected, hint: server),
        Case("connection", TransportError(.notConnected, server: own), hint: server),
        Case(
            "connection to another port, after a redirect", TransportError(.notConnected, server: another),
            hint: "Is the server running?"),
        Case(
            "connection to another host, after a redirect", TransportError(.notConnected, server: anotherHost),
            hint: "Is the server running?"),
        Case(
            "socket", TransportError(.notConnected, server: own), "--unix-socket /s", hint: "Is the server running?"),
        Case("proxy", .proxy(.refused(status: 403)), hint: direct),
        Case("no connection to the proxy", TransportError(.notConnected, party: .proxy, server: own), hint: direct),
        Case("the proxy's name", TransportError(.nameNotResolved, party: .proxy), hint: direct),
        Case(
            "the proxy's credentials", .proxy(.credentialsRequired(status: 407)),
            hint: "Put user and password into http_proxy or https_proxy: http://USER:PASSWORD@HOST:PORT"),
        Case("the proxy's certificate", TransportError(.certificate(.expired), party: .proxy), hint: nil),
        Case(
            "an issuer unknown of a proxy", TransportError(.certificate(.unknownIssuer), party: .proxy),
            hint: "To trust another issuer: --cacert FILE"),
        Case(
            "a part's file given like a body's", .unreadableBody(path: "@a.txt"), code: 1,
            hint: "The path is given without the @: a.txt"),
        Case("a file that can't be read", .credentialFile(.clientKey, path: "a.key"), hint: nil),
        Case(
            "certificate authorities",
            TransportError(.credentialFile(.certificateAuthorities, path: "ca.pem"), phase: .handshaking), hint: nil),
        Case(
            "a client certificate is required", .clientCertificateRequired,
            hint: "Use --cert FILE, and --key FILE if the key is separate."),
        Case("the client certificate is rejected", .clientCertificateRejected, hint: nil),
        Case(
            "the client's key", TransportError(.credentialFile(.clientKey, path: "k.pem"), phase: .handshaking),
            hint: "The passphrase of an encrypted key is read from APICTL_KEY_PASSPHRASE."),
        Case(
            "TLS", .tls,
            hint: "Does the server speak https on that port? -vv shows how far the connection got."),
        Case(
            "TLS to a server without", TransportError(.notTLS, server: own),
            hint: "Check scheme and port; --base-url sets others."),
        Case(
            "TLS to a server without, after a redirect", TransportError(.notTLS, server: another), hint: nil),
        Case("TLS to a proxy without", TransportError(.notTLS, party: .proxy, server: own), hint: nil),
        Case("expired", .certificate(.expired), hint: "Only its owner can renew it; -k skips the check."),
        Case("not yet valid", .certificate(.notYetValid), hint: "Is this machine's clock right? -k skips the check."),
        Case(
            "another host's", .certificate(.wrongHost),
            hint: "To keep the name for another address: --resolve HOST:PORT:ADDRESS; -k skips the check."),
        Case("self-signed", .certificate(.selfSigned), hint: trust),
        Case("unknown issuer", .certificate(.unknownIssuer), hint: trust),
        Case("another certificate problem", .certificate(.other), hint: "-k skips the check."),
        Case("unchecked already", .certificate(.other), "-k", hint: nil),
        Case("time to connect", connecting, code: 7, hint: "To wait longer: --connect-timeout 20s"),
        Case(
            "a short time to connect", .timedOut(.connecting(.milliseconds(300))), code: 7,
            hint: "To wait longer: --connect-timeout 600ms"),
        Case(
            "time for all while connecting", TransportError(whole, phase: .connecting), "-m 1.2", code: 7,
            hint: "To wait longer: --max-time 2.4s"),
        Case("time", whole, code: 7, hint: "To wait longer: --max-time 60s"),
        Case("silence", .timedOut(.idle(.seconds(30))), code: 7, hint: "To wait as long as it takes: --max-time 0"),
        Case("a time that was not set", .timedOut(.whole(nil)), "-m 0", code: 7, hint: nil),
        Case("cut short", .cutShort(.noResponse), hint: "To try again: --retry 3"),
        Case("not HTTP", TransportError(.notHTTP, server: own), hint: scheme),
        Case("not HTTP, after a redirect", TransportError(.notHTTP, server: another), hint: nil),
        Case("HTTP with a fault", TransportError(.malformedResponse, server: own), hint: nil),
        Case(
            "redirects", .tooManyRedirects(limit: 1, chain: ["a", "b"]), hint: "To follow more: --max-redirects N"),
        Case("redirects in a loop", .tooManyRedirects(limit: 1, chain: ["a", "a"]), hint: nil),
        Case("unsafe redirect", .unsafeRedirect, hint: nil),
        Case("library", .libraryMissing, hint: nil), Case("option", .unsupportedOption, hint: nil),
        Case("body", .unreadableBody(path: "f"), code: 1, hint: nil), Case("request", .invalidRequest, hint: nil),
        Case("compression", .contentCoding, hint: nil), Case("other", .other, hint: nil),
    ]

    @Test(arguments: cases)
    func hint(_ wanted: Case) async {
        let outcome = await run(
            ["call", "echo.head"] + wanted.words.split(separator: " ").map(String.init),
            transport: StubTransport(StubResponse(failure: wanted.error)))
        let lines = ["apictl: echo.head: \(wanted.error.message)"] + (wanted.hint.map { [$0] } ?? [])
        #expect(outcome == Outcome(err: lines.map { $0 + "\n" }.joined(), code: wanted.code))
    }

    @Test("No hint suggests repeating a POST")
    func post() async {
        let outcome = await run(["call", "echo.ping"], transport: StubTransport(.failing(.cutShort(.noResponse))))
        #expect(
            outcome == Outcome(err: "apictl: echo.ping: the server closed the connection without a response\n", code: 6)
        )
    }

    @Test("No hint suggests retrying a request that was retried")
    func retried() async {
        let broken = StubResponse.failing(.cutShort(.noResponse))
        let outcome = await run(
            ["call", "echo.head", "-m", "0", "--retry", "1", "--retry-delay", "0"],
            transport: StubTransport([broken, broken]))
        #expect(
            outcome
                == Outcome(
                    err: """
                        apictl: echo.head: the server closed the connection without a response; trying again now (1 of 1)
                        apictl: echo.head: the server closed the connection without a response (2 attempts)

                        """, code: 6))
    }

    @Test("The hint at --key, unless it was given", arguments: [("", true), (" --key a.key", false)])
    func key(_ words: String, _ hasHint: Bool) async {
        let error = TransportError(
            .credentialFile(.clientCertificate, path: "a.pem"), phase: .handshaking, detail: "no key")
        let row = Row(
            "key", "call echo.head -E a.pem" + words, files: ["a.pem": "", "a.key": ""],
            response: StubResponse(failure: error),
            err: "apictl: echo.head: can't use the client certificate a.pem (no key)\n"
                + (hasHint ? "If its key is in another file: --key FILE\n" : ""), code: 6)
        await row.check()
    }
}
