import CurlTransport
import EndpointKit
import MockServer
import TestSupport
import Testing

/// How connections are made, on real sockets.
@Suite struct ConnectionOptionsTests {
    private func failure(_ url: String, _ connection: ConnectionOptions) async throws -> TransportError? {
        let request = Request(.get, try BaseURL(url), path: "/secret")
        let options = TransferOptions(maxTime: .seconds(60), connection: connection)
        return await CurlTransport().failure(request, options: options) as? TransportError
    }

    // MARK: Proxies

    @Test func aProxyIsAskedForTheWholeURL() async throws {
        let proxy = try MockServer { _ in .response(200, body: [1]) }
        let request = Request(.get, try BaseURL("http://nosuch.invalid:81"), path: "/a", query: [QueryItem("b", "c")])
        let options = TransferOptions(connection: ConnectionOptions(proxy: proxy.baseURL))
        #expect(try await CurlTransport().fetch(request, options: options).body == [1])
        #expect(proxy.received.map(\.target) == ["http://nosuch.invalid:81/a?b=c"])
    }

    @Test func anEmptyProxyMeansADirectConnection() async throws {
        let server = try MockServer { _ in .response(200) }
        let options = TransferOptions(connection: ConnectionOptions(proxy: ""))
        _ = try await CurlTransport().fetch(try server.request(.get, "/a"), options: options)
        #expect(server.received.map(\.target) == ["/a"])
    }

    @Test func aProxyOfATunnelDoesNotSeeTheRequestsHeaders() async throws {
        let proxy = try MockServer { _ in .response(403) }
        let request = Request(
            .get, try BaseURL("https://nosuch.invalid"), path: "/", headers: [HTTPField("Authorization", "Bearer x")])
        let options = TransferOptions(connection: ConnectionOptions(proxy: "http://user:pass@127.0.0.1:\(proxy.port)"))
        _ = await CurlTransport().failure(request, options: options)
        let received = try #require(proxy.received.first)
        #expect(received.method == "CONNECT")
        #expect(received.target == "nosuch.invalid:443")
        #expect(received["Authorization"] == nil)
        #expect(received["Proxy-Authorization"] == "Basic dXNlcjpwYXNz")
    }

    @Test(arguments: [
        (403, "", "did not connect to nosuch.invalid port 443 (403)"), (407, "", "requires credentials (407)"),
        (407, "user:pass@", "does not accept the credentials (407)"),
        (401, "user:pass@", "does not accept the credentials (401)"),
    ])
    func aProxyThatRefusesATunnel(_ status: Int, _ credentials: String, _ words: String) async throws {
        let proxy = try MockServer { _ in
            .response(status, fields: [("Proxy-Authenticate", "Basic realm=x")], body: [1])
        }
        let url = "http://\(credentials)127.0.0.1:\(proxy.port)"
        #expect(
            try await failure("https://nosuch.invalid", ConnectionOptions(proxy: url))?.message
                == "the proxy at 127.0.0.1:\(proxy.port) \(words)")
    }

    @Test func aProxyThatClosesBeforeTheTunnelIsNamedInTheError() async throws {
        let proxy = try MockServer { _ in MockResponse(steps: [.close]) }
        let error = try await failure(
            "https://nosuch.invalid", ConnectionOptions(proxy: "http://user:pass@127.0.0.1:\(proxy.port)"))
        #expect(error?.cause == .proxy(.refused(status: nil)))
        let start = "the proxy at 127.0.0.1:\(proxy.port) did not connect to nosuch.invalid port 443: "
        #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "")")
    }

    @Test func aProxysResponseToAPlainRequestIsTheResponse() async throws {
        let proxy = try MockServer { _ in .response(407, body: [1]) }
        let request = Request(.get, try BaseURL("http://nosuch.invalid"), path: "/")
        let options = TransferOptions(connection: ConnectionOptions(proxy: proxy.baseURL))
        #expect(try await CurlTransport().fetch(request, options: options).head.status == 407)
    }

    @Test(arguments: ["http", "https"]) func anUnreachableProxyIsNamedInTheError(_ scheme: String) async throws {
        let proxy = try RefusingPort()
        defer { withExtendedLifetime(proxy) {} }
        let options = ConnectionOptions(proxy: "http://user:pass@127.0.0.1:\(proxy.port)")
        #expect(
            try await failure("\(scheme)://nosuch.invalid", options)?.message
                == "could not connect to the proxy at 127.0.0.1:\(proxy.port): connection refused")
    }

    @Test func anUnknownHostNameOfAProxyIsNamedInTheError() async throws {
        #expect(
            try await failure("http://127.0.0.1:9", ConnectionOptions(proxy: "http://user:pass@nosuch.invalid:1"))?
                .message == "could not resolve the proxy's host name nosuch.invalid")
    }

    @Test(arguments: ["ftp://user:pass@127.0.0.1:1", "http://user:pass@127.0.0.1:99999"])
    func anInvalidURLOfAProxyIsRefused(_ proxy: String) async throws {
        let error = try await failure("http://127.0.0.1:9", ConnectionOptions(proxy: proxy))
        #expect(error?.message == "libcurl does not accept the proxy's URL")
    }

    // MARK: Unix sockets

    @Test func aUnixSocketTakesThePlaceOfTheHost() async throws {
        let path = "/tmp/curl-transport-\(UInt32.random(in: .min ... .max)).sock"
        let server = try RawServer(unixSocket: path) { connection in
            let request = String(decoding: RawServer.receive(connection), as: UTF8.self)
            let isRight = request.hasPrefix("GET /a HTTP/1.1\r\nHost: api.invalid\r\n")
            RawServer.send(connection, "HTTP/1.1 \(isRight ? 200 : 400) X\r\nContent-Length: 2\r\n\r\nok")
        }
        defer { removeFile(path) }
        let request = Request(.get, try BaseURL("http://api.invalid"), path: "/a")
        let options = TransferOptions(connection: ConnectionOptions(unixSocket: path))
        let response = try await CurlTransport().fetch(request, options: options)
        #expect(response.head.status == 200)
        #expect(response.body == Array("ok".utf8))
        withExtendedLifetime(server) {}
    }

    @Test func aMissingUnixSocketIsNamedInTheError() async throws {
        #expect(
            try await failure("http://api.invalid", ConnectionOptions(unixSocket: "/nonexistent/api.sock"))?.message
                == "could not connect to the unix socket /nonexistent/api.sock: no such file or directory")
    }

    @Test func aUnixSocketWithATooLongPathIsNamedInTheError() async throws {
        let path = "/tmp/" + String(repeating: "x", count: 200)
        let error = try await failure("http://api.invalid", ConnectionOptions(unixSocket: path))
        #expect(error?.cause == .notConnected)
        #expect(error?.message.hasPrefix("could not connect to the unix socket \(path): ") == true)
    }

    // MARK: Addresses

    @Test func anAddressTakesThePlaceOfANameLookup() async throws {
        let server = try MockServer { _ in .response(200) }
        let transport = CurlTransport()
        let request = Request(.get, try BaseURL("http://api.invalid:\(server.port)"), path: "/a")
        let options = TransferOptions(
            connection: ConnectionOptions(resolve: ["api.invalid:\(server.port):127.0.0.1"]))
        for _ in 0..<2 { #expect(try await transport.fetch(request, options: options).head.status == 200) }
        #expect(
            server.received.map { $0["Host"] ?? "" } == ["api.invalid:\(server.port)", "api.invalid:\(server.port)"])
        #expect(server.connectionCount == 1)
        // It holds for no other transfer, neither as an address nor as a connection.
        #expect(
            (await transport.failure(request) as? TransportError)?.message
                == "could not resolve the host name api.invalid")
        #expect(server.received.count == 2)
    }

    // MARK: Versions

    @Test(arguments: [ConnectionOptions.HTTPVersion.http1, .http2]) func aServerOfHTTP1AnswersRequestsInBothVersions(
        _ version: ConnectionOptions.HTTPVersion
    ) async throws {
        let server = try MockServer { .response(200, body: $0.body) }
        let options = TransferOptions(connection: ConnectionOptions(httpVersion: version))
        let transport = CurlTransport()
        for body in [nil, RequestBody(bytes: [UInt8](repeating: 7, count: 3000))] as [RequestBody?] {
            let request = try server.request(.post, body: body)
            let response = try await transport.fetch(request, options: options)
            #expect(response.head.version == "HTTP/1.1")
            #expect(response.body == body?.bytes ?? [])
        }
        #expect(server.received.first?["Upgrade"] == (version == .http2 ? "h2c" : nil))
    }

    // MARK: Certificates

    /// Without a passphrase the TLS library would ask for one on the terminal, and wait.
    @Test(arguments: [nil, "wrong"] as [String?]) func anEncryptedKeyIsNeverAskedFor(_ passphrase: String?) async throws
    {
        let server = try MockServer { _ in .response(200) }
        let certificate = try TemporaryFile(Array(ClientCertificate.certificate.utf8))
        let key = try TemporaryFile(Array(ClientCertificate.encryptedKey.utf8))
        let options = ConnectionOptions(
            clientCertificate: certificate.path, clientKey: key.path,
            keyPassphrase: passphrase.map { Secret(variable: "PASSPHRASE", value: $0) })
        let error = try await failure("https://127.0.0.1:\(server.port)", options)
        #expect(error?.cause == .credentialFile(.clientCertificate, path: certificate.path))
        let start = "can't use the client certificate \(certificate.path) ("
        #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "")")
        // libcurl's text names the file with the key.
        #expect(error?.message.contains(key.path) == true, "\(error?.message ?? "")")
        #expect(server.received.isEmpty)
    }

    @Test func anEncryptedKeyIsLoadedWithItsPassphrase() async throws {
        let server = try MockServer { _ in .response(200) }
        let certificate = try TemporaryFile(Array(ClientCertificate.certificate.utf8))
        let key = try TemporaryFile(Array(ClientCertificate.encryptedKey.utf8))
        let options = ConnectionOptions(
            verifiesCertificate: false, clientCertificate: certificate.path, clientKey: key.path,
            keyPassphrase: Secret(variable: "PASSPHRASE", value: "sesame"))
        // The server speaks no TLS, which only who has loaded the key finds out.
        let error = try await failure("https://127.0.0.1:\(server.port)", options)
        let start = "no secure connection to 127.0.0.1 port \(server.port): "
        #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "")")
    }
}
