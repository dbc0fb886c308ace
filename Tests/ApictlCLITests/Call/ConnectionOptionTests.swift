import EndpointKit
import Synchronization
import TestSupport
import Testing

@testable import ApictlCLI

/// Connection options: what is rejected before anything is sent, and what the transport gets.
struct ConnectionOptionTests {
    private static let noProxy =
        "expected a proxy such as http://HOST:PORT, with the scheme http, https, socks4, socks4a, socks5 or socks5h"
    private static let noResolve = "expected HOST:PORT:ADDRESS[,ADDRESS]…"

    private static func refused(_ words: String, _ message: String) -> Row {
        wrong("call echo.head \(words)", message)
    }

    static let wrongLines: [Row] = [
        refused("--http1.1 --http2", "--http1.1 and --http2 can't be used together"),
        refused("-C", "--continue needs --output FILE"),
        refused("-C -o -", "--continue and -o - can't be used together"),
        refused("--key k.pem", "--key needs --cert FILE"),
        refused(
            "-i -x http://u:p@h:1",
            "--proxy (argument 4): the proxy URL holds credentials; they would show in process lists: set http_proxy or https_proxy instead"
        ),
        refused("-x ftp://h", "--proxy (argument 3): \(noProxy)"),
        refused("-x http://h:1/a", "--proxy (argument 3): \(noProxy)"),
        refused("-x http://[::1:1", "--proxy (argument 3): \(noProxy)"),
        wrong(["call", "echo.head", "-x", "h\nx"], "--proxy (argument 3): \(noProxy)"),
        refused("--resolve h:80", "--resolve (argument 3): \(noResolve)"),
        refused("--resolve h:80:127.0.0.1,", "--resolve (argument 3): \(noResolve)"),
        refused("--resolve h:80:x", "--resolve (argument 3): 'x' is not an IP address; \(noResolve)"),
        refused("--resolve :80:127.0.0.1", "--resolve (argument 3): \(noResolve)"),
        refused("--resolve [::1]:80:127.0.0.1", "--resolve (argument 3): \(noResolve)"),
        refused(
            "--unix-socket /\(String(repeating: "s", count: 107))",
            "--unix-socket (argument 3): a socket path can have at most 107 bytes; this one has 108"),
        wrong("call echo.note --note - --body -", stdin: "{}", "'-' (argument 5) would read stdin a second time"),
    ]

    @Test(arguments: wrongLines + files)
    func row(_ row: Row) async { await row.check() }

    static let proxies = [
        "", "h", "h:1", "h:65535", "http://h", "https://h:443/", "SOCKS5H://h:1080", "socks4://10.0.0.1:1",
        "socks4a://h", "socks5://[::1]:9", "[::1]:1", "[::1]", "bücher.test:1",
    ]

    @Test("Valid proxies", arguments: proxies)
    func proxy(_ text: String) { #expect(ConnectionValues.problem(proxy: text) == nil) }

    private static let passphrase = ["APICTL_KEY_PASSPHRASE": "open sesame"]
    private static let secret = Secret(variable: "APICTL_KEY_PASSPHRASE", value: "open sesame")

    static let connections: [(words: String, variables: [String: String], expected: ConnectionOptions)] = [
        ("", passphrase, ConnectionOptions()),
        (
            "-k --cacert ca.pem -E me.pem --key key.pem", passphrase,
            ConnectionOptions(
                verifiesCertificate: false, certificateAuthorities: "ca.pem", clientCertificate: "me.pem",
                clientKey: "key.pem", keyPassphrase: secret)
        ),
        ("--cert me.pem", ["APICTL_KEY_PASSPHRASE": ""], ConnectionOptions(clientCertificate: "me.pem")),
        (
            "-x socks5h://h:1 --unix-socket /run/s --resolve a:1:10.0.0.1 --resolve b:2:[::1] --http2", [:],
            ConnectionOptions(
                proxy: "socks5h://h:1", unixSocket: "/run/s", resolve: ["a:1:10.0.0.1", "b:2:[::1]"],
                httpVersion: .http2)
        ),
    ]

    @Test(arguments: connections)
    func connection(_ words: String, _ variables: [String: String], _ expected: ConnectionOptions) async {
        let transport = OptionKeeper()
        let outcome = await run(
            ["call", "echo.head"] + words.words, variables: variables,
            files: MemoryFiles(["ca.pem": [], "me.pem": [], "key.pem": []]), transport: transport)
        #expect(outcome == Outcome())
        #expect(transport.options.map(\.connection) == [expected])
    }

    static let files: [Row] = [
        Row(
            "no authorities", "call echo.head --cacert gone.pem",
            err: "apictl: can't read gone.pem: No such file or directory\n", code: 1),
        Row(
            "a passphrase behind the certificate's name, as curl has it", "call echo.head -E cert.pem:s3cretpw",
            err:
                "apictl: can't read cert.pem:…: No such file or directory; put a passphrase into APICTL_KEY_PASSPHRASE\n",
            code: 1),
        Row(
            "a certificate's name with a colon", "call echo.head -E a:b.pem", files: ["a:b.pem": ""], response: .empty()
        ),
        Row("a sample needs none", "call movies.forget 5 --sample --cacert gone.pem -k -x h:1 --unix-socket /s"),
        Row(
            "curl looks by itself", "curl echo.head --cacert gone.pem",
            out:
                "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed --cacert gone.pem\n"
        ),
    ]

    @Test("A passphrase in a library's message is not shown")
    func passphrase() async {
        let outcome = await run(
            ["call", "echo.head", "--cert", "me.pem", "-vv"], variables: Self.passphrase,
            files: MemoryFiles(["me.pem": []]),
            transport: StubTransport(
                StubResponse.failing(.tls, "no key").behind(.information("pass open sesame"))))
        #expect(outcome.err.contains("* pass (redacted)\n"))
        #expect(!outcome.err.contains("sesame"))
    }
}

/// Responds with 200 and keeps the options it was given.
final class OptionKeeper: Transport {
    private let kept = Mutex<[TransferOptions]>([])

    var options: [TransferOptions] { kept.withLock { $0 } }

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        kept.withLock { $0.append(options) }
        return StreamedResponse(head: ResponseHead(status: 200), body: ResponseBody(bytes: []))
    }
}
