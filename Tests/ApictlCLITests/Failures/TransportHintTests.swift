import EndpointKit
import Testing

@testable import ApictlCLI

/// The hint for an error.
struct TransportHintTests {
    private static func row(
        _ id: String, _ error: TransportError, _ words: String = "", code: Int32 = 6, hint: String?
    ) -> Row {
        Row(
            id, "call echo.head \(words)", response: StubResponse(failure: error),
            err: "apictl: echo.head: \(error.message)\n" + (hint.map { $0 + "\n" } ?? ""), code: code)
    }

    private static func row(
        _ id: String, _ cause: TransportError.Cause, _ words: String = "", code: Int32 = 6, hint: String?
    ) -> Row {
        row(id, TransportError(cause), words, code: code, hint: hint)
    }

    private static let connecting = TransportError.Cause.timedOut(.connecting(.seconds(10)))
    private static let whole = TransportError.Cause.timedOut(.whole(.seconds(30)))
    private static let trust = "To trust another issuer: --cacert FILE; -k skips the check."
    private static let server = "Is the server running?"
    private static let direct = "To use no proxy: -x ''"
    private static let scheme = "Check scheme and port."

    static let rows: [Row] = [
        row(
            "name", .nameNotResolved,
            hint: "Check the name and the network. Skip the lookup with --resolve HOST:PORT:ADDRESS."),
        row("connection", .notConnected, hint: server),
        row("proxy", .proxy(.refused(status: 403)), hint: direct),
        row("no connection to the proxy", TransportError(.notConnected, party: .proxy), hint: direct),
        row("the proxy's name", TransportError(.nameNotResolved, party: .proxy), hint: direct),
        row(
            "the proxy's credentials", .proxy(.credentialsRequired(status: 407)),
            hint: "Put user and password into http_proxy or https_proxy: http://USER:PASSWORD@HOST:PORT"),
        row("the proxy's certificate", TransportError(.certificate(.expired), party: .proxy), hint: nil),
        row(
            "an issuer unknown of a proxy", TransportError(.certificate(.unknownIssuer), party: .proxy),
            hint: "To trust another issuer: --cacert FILE"),
        row(
            "a part's file given like a body's", .unreadableBody(path: "@a.txt"), code: 1,
            hint: "The path is given without the @: a.txt"),
        row("a file that can't be read", .credentialFile(.clientKey, path: "a.key"), hint: nil),
        row(
            "a client certificate is required", .clientCertificateRequired,
            hint: "Use --cert FILE, and --key FILE if the key is separate."),
        row("the client certificate is rejected", .clientCertificateRejected, hint: nil),
        row(
            "the client's key", TransportError(.credentialFile(.clientKey, path: "k.pem"), phase: .handshaking),
            hint: "The passphrase of an encrypted key is read from APICTL_KEY_PASSPHRASE."),
        row(
            "TLS", .tls,
            hint: "Does the server speak https on that port? -vv shows how far the connection got."),
        row("TLS to a server without", .notTLS, hint: scheme),
        row("TLS to a proxy without", TransportError(.notTLS, party: .proxy), hint: scheme),
        row("expired", .certificate(.expired), hint: "Only its owner can renew it; -k skips the check."),
        row("not yet valid", .certificate(.notYetValid), hint: "Is this machine's clock right? -k skips the check."),
        row(
            "another host's", .certificate(.wrongHost),
            hint: "To keep the name for another address: --resolve HOST:PORT:ADDRESS; -k skips the check."),
        row("unknown issuer", .certificate(.unknownIssuer), hint: trust),
        row("unchecked already", .certificate(.other), "-k", hint: nil),
        row("time to connect", connecting, code: 7, hint: "To wait longer: --connect-timeout 20s"),
        row(
            "time for all while connecting", TransportError(whole, phase: .connecting), "-m 1.2", code: 7,
            hint: "To wait longer: --max-time 2.4s"),
        row("time", whole, code: 7, hint: "To wait longer: --max-time 60s"),
        row("silence", .timedOut(.idle(.seconds(30))), code: 7, hint: "To wait as long as it takes: --max-time 0"),
        row("a time that was not set", .timedOut(.whole(nil)), "-m 0", code: 7, hint: nil),
        row("cut short", .cutShort(.noResponse), hint: "To try again: --retry 3"),
        row("not HTTP", .notHTTP, hint: scheme),
        row(
            "redirects", .tooManyRedirects(limit: 1, chain: ["a", "b"]), hint: "To follow more: --max-redirects N"),
        row("redirects in a loop", .tooManyRedirects(limit: 1, chain: ["a", "a"]), hint: nil),
        row("other", .other, hint: nil),
    ]

    @Test(arguments: rows)
    func hint(_ row: Row) async { await row.check() }

    private static let broken = StubResponse.failing(.cutShort(.noResponse))

    /// No hint suggests repeating a POST, or retrying a request that was retried.
    static let repeated: [Row] = [
        Row(
            "a POST", "call echo.ping", response: broken,
            err: "apictl: echo.ping: the server closed the connection without a response\n", code: 6),
        Row(
            "a retry", "call echo.head -m 0 --retry 1 --retry-delay 0",
            err: """
                apictl: echo.head: the server closed the connection without a response; trying again now (1 of 1)
                apictl: echo.head: the server closed the connection without a response (2 attempts)

                """, code: 6
        ).responding([broken, broken]),
    ]

    @Test(arguments: repeated)
    func again(_ row: Row) async { await row.check() }

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
