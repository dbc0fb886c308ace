import EndpointKit
import MockServer
import TestSupport
import Testing
import URLSessionTransport

/// Options that URLSession does not support are refused, not ignored.
@Suite struct ConnectionOptionsTests {
    static let rows: [(options: ConnectionOptions, message: String)] = [
        (.init(verifiesCertificate: false), "URLSession can't skip the certificate check"),
        (.init(certificateAuthorities: "a"), "URLSession can't trust certificate authorities from a file"),
        (.init(clientCertificate: "a"), "URLSession can't send a client certificate from a file"),
        (.init(clientKey: "a"), "URLSession can't use a client key from a file"),
        (
            .init(keyPassphrase: Secret(variable: "A", value: "a")),
            "URLSession can't use the passphrase of a client key"
        ),
        (.init(proxy: ""), "URLSession can't use a proxy for one request"),
        (.init(unixSocket: "a"), "URLSession can't connect to a unix socket"),
        (.init(resolve: ["a:1:127.0.0.1"]), "URLSession can't use given addresses in place of a name lookup"),
        (.init(httpVersion: .http1), "URLSession can't choose the HTTP version"),
        (.init(httpVersion: .http2), "URLSession can't choose the HTTP version"),
    ]

    @Test(arguments: rows) func refused(_ options: ConnectionOptions, _ message: String) async throws {
        let server = try MockServer { _ in .response(200) }
        let request = try server.request()
        let thrown = await failure {
            _ = try await URLSessionTransport().answer(to: request, TransferOptions(connection: options))
        }
        #expect(thrown as? TransportError == TransportError(.unsupportedOption, detail: message))
        #expect(server.connectionCount == 0)
    }
}
