import EndpointKit
import MockServer
import TestSupport
import Testing
import URLSessionTransport

/// Options of the connection that URLSession does not support.
@Suite struct ConnectionOptionsTests {
    static let options: [ConnectionOptions] = [
        .init(verifiesCertificate: false), .init(certificateAuthorities: "a"), .init(clientCertificate: "a"),
        .init(clientKey: "a"), .init(keyPassphrase: Secret(variable: "A", value: "a")), .init(proxy: ""),
        .init(unixSocket: "a"), .init(resolve: ["a:1:127.0.0.1"]), .init(httpVersion: .http1),
        .init(httpVersion: .http2),
    ]

    @Test("A connection option that URLSession does not support is refused before connecting", arguments: options)
    func refused(_ options: ConnectionOptions) async throws {
        let server = try MockServer { _ in .response(200) }
        let request = try server.request()
        let thrown = await failure {
            _ = try await URLSessionTransport().answer(to: request, TransferOptions(connection: options))
        }
        #expect((thrown as? TransportError)?.cause == .unsupportedOption)
        #expect(server.connectionCount == 0)
    }
}
