import EndpointKit
import Testing

@testable import CurlTransport

/// What is said of errors that a test can't bring about on every machine.
@Suite struct TransferFactsTests {
    struct Case: Row {
        let id: String
        let code: Int32
        var text = ""
        var systemError: Int32 = 0
        var hasHeaders = false
        var isConnected = true
        var connectTimeout: Duration?
        var maxTime: Duration?
        /// nil: all of `maxTime`.
        var remainingTime: Duration?
        var connectStatus = 0
        var verifyResult: Int?
        var proxyVerifyResult: Int?
        var received: Int64 = 7
        var announced: Int64 = -1
        var address: TransportError.Peer?
        var unixSocket: String?
        var isLost = false
        var options = ConnectionOptions()
        let cause: TransportError.Cause
        let message: String
    }

    @Test(arguments: [
        Case(
            id: "TLS without a text", code: 35, cause: .tls,
            message: "no secure connection to api.example port 443: generic words"),
        Case(
            id: "the handshake cut off, OpenSSL", code: 35,
            text: "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to api.example:443", isConnected: false,
            cause: .tls,
            message: """
                no secure connection to api.example port 443: OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to \
                api.example:443
                """),
        Case(
            id: "the handshake with the proxy cut off", code: 35, text: "SSL_ERROR_SYSCALL", isConnected: false,
            options: .init(proxy: "https://squid:3128"), cause: .tls,
            message: "no secure connection to the proxy at squid:3128: SSL_ERROR_SYSCALL"),
        Case(
            id: "the handshake in a tunnel cut off", code: 35, text: "SSL_ERROR_SYSCALL", isConnected: false,
            connectStatus: 200, options: .init(proxy: "https://squid:3128"),
            cause: .tls,
            message: "no secure connection to api.example port 443: SSL_ERROR_SYSCALL"),
        Case(
            id: "the proxy's certificate", code: 60, text: "SSL certificate problem: certificate has expired",
            proxyVerifyResult: 10, options: .init(proxy: "http://squid:3128"), cause: .certificate(.expired),
            message: """
                the certificate of the proxy at squid:3128 has expired (SSL certificate problem: certificate has expired)
                """),
        Case(
            id: "the client certificate", code: 58, text: "could not load PEM client certificate",
            options: .init(clientCertificate: "a.pem", clientKey: "a.key"),
            cause: .credentialFile(.clientCertificate, path: "a.pem"),
            message: "can't use the client certificate a.pem (could not load PEM client certificate)"),
        Case(
            id: "no client certificate", code: 98, text: "certificate required", cause: .clientCertificateRequired,
            message: "api.example requires a client certificate (certificate required)"),
        Case(
            id: "a client certificate of another authority", code: 98, text: "unknown ca",
            options: .init(clientCertificate: "a.pem"), cause: .clientCertificateRejected,
            message: "api.example does not accept the client certificate (unknown ca)"),
        Case(
            id: "HTTPS to a proxy", code: 4,
            text: "Unsupported proxy 'https://user:password@squid', libcurl is built without the HTTPS-proxy support.",
            cause: .unsupportedOption, message: "this machine's libcurl does not support HTTPS proxies"),
        Case(
            id: "a variable's proxy refuses a connection", code: 7,
            text: "Failed to connect to squid port 3128 after 2 ms: nope", systemError: 111, cause: .notConnected,
            message: "could not connect to the proxy at squid:3128: connection refused"),
        Case(
            id: "the server refuses what goes past the proxy", code: 7,
            text: "Failed to connect to api.example port 443 after 2 ms: nope", systemError: 111,
            options: .init(proxy: "http://squid:3128"), cause: .notConnected,
            message: "could not connect to api.example port 443: connection refused"),
        Case(
            id: "a variable's proxy resets", code: 56, text: "Recv failure: Connection reset by peer",
            systemError: 104, isConnected: false, address: .init(host: "10.0.0.1", port: 3128),
            cause: .proxy(.refused(status: nil)),
            message: "the proxy at 10.0.0.1:3128 did not connect to api.example port 443: connection reset by peer"),
        Case(
            id: "no proxy, and reset before all is ready", code: 56, text: "Recv failure: Connection reset by peer",
            systemError: 104, isConnected: false, received: 0, address: .init(host: "10.0.0.1", port: 443),
            cause: .cutShort(.broken),
            message: "the connection to api.example broke after 0 bytes of the response: connection reset by peer"),
        Case(
            id: "reset in a tunnel", code: 56, text: "Recv failure: Connection reset by peer", systemError: 104,
            address: .init(host: "10.0.0.1", port: 3128), options: .init(proxy: "http://squid:3128"),
            cause: .cutShort(.broken),
            message: "the connection to api.example broke after 7 bytes of the response: connection reset by peer"),
        Case(
            id: "the proxy's endless answer to CONNECT", code: 56, text: "Too large response headers: 9 > 8",
            systemError: 11, isConnected: false, address: .init(host: "10.0.0.1", port: 3128),
            options: .init(proxy: "http://squid:3128"),
            cause: .proxy(.refused(status: nil)),
            message: """
                the proxy at squid:3128 did not connect to api.example port 443: Too large response headers: 9 > 8
                """),
        Case(
            id: "no new connection in time after a lost request", code: 28, text: "Connection timeout after 9 ms",
            isLost: true, cause: .cutShort(.requestLost(method: .post)),
            message: """
                api.example closed the connection without a response; the POST is not repeated because the server may \
                have processed it
                """),
        Case(
            id: "no response in time over a used connection", code: 28,
            text: "Operation timed out after 9 milliseconds with 0 bytes received", maxTime: .seconds(2), isLost: true,
            cause: .timedOut(.whole(.seconds(2))),
            message: "no complete response from api.example within 2 s (7 bytes received)"),
        Case(
            id: "HTTP/2 connection", code: 16, cause: .cutShort(.http2),
            message: "the HTTP/2 connection to api.example broke (generic words)"),
        Case(
            id: "HTTP/2 stream refused", code: 92,
            text: "HTTP/2 stream 1 was not closed cleanly: REFUSED_STREAM (err 7)", cause: .cutShort(.http2),
            message: """
                the HTTP/2 connection to api.example broke (HTTP/2 stream 1 was not closed cleanly: REFUSED_STREAM \
                (err 7))
                """),
        Case(
            id: "answered before the request's end", code: 55, systemError: 32, hasHeaders: true, received: 7,
            announced: 9, cause: .cutShort(.broken),
            message: "the connection to api.example broke after 7 bytes of the response: broken pipe"),
        Case(
            id: "whole limit while connecting", code: 28, isConnected: false, connectTimeout: .milliseconds(10_000),
            maxTime: .milliseconds(1_050), cause: .timedOut(.whole(.milliseconds(1050))),
            message: "no connection to api.example within 1.05 s"),
        Case(
            id: "what redirects left of the whole limit while connecting", code: 28, isConnected: false,
            connectTimeout: .milliseconds(10_000), maxTime: .milliseconds(30_000), remainingTime: .milliseconds(50),
            cause: .timedOut(.whole(.seconds(30))), message: "no connection to api.example within 30 s"),
        Case(
            id: "libcurl's own connect limit", code: 28, isConnected: false,
            cause: .timedOut(.connecting(.seconds(300))),
            message: "no connection to api.example within 300 s"),
        Case(
            id: "broken pipe", code: 55, text: "Send failure: Broken pipe", systemError: 32, cause: .cutShort(.broken),
            message: "the connection to api.example broke while the request was sent: broken pipe"),
        Case(
            id: "no https in libcurl", code: 1, text: "Protocol \"https\" not supported or disabled in libcurl",
            isConnected: false, cause: .other,
            message: "the transfer from api.example failed: Protocol \"https\" not supported or disabled in libcurl"),
        Case(
            id: "out of memory before a connection", code: 27, isConnected: false, cause: .other,
            message: "the transfer from api.example failed: generic words"),
        Case(
            id: "out of memory in a head", code: 27, cause: .headersTooLarge,
            message: "the response headers of api.example are too large"),
        Case(
            id: "a code of the future", code: 4711, cause: .other,
            message: "the transfer from api.example failed: generic words"),
    ])
    func error(_ row: Case) {
        let facts = TransferFacts(
            server: .init(host: "api.example", port: 443, usesTLS: true, unixSocket: row.unixSocket), method: .post,
            options: row.options, maxTime: row.maxTime, remainingTime: row.remainingTime ?? row.maxTime,
            connectTimeout: row.connectTimeout, hasHeaders: row.hasHeaders,
            isLost: row.isLost, text: row.text,
            systemError: row.systemError, received: row.received,
            announced: row.announced, isConnected: row.isConnected, connectStatus: row.connectStatus,
            verifyResult: row.verifyResult, proxyVerifyResult: row.proxyVerifyResult, address: row.address)
        let error = facts.error(code: row.code, generalText: "generic words")
        #expect(error?.cause == row.cause)
        #expect(error?.message == row.message)
    }

    @Test func noErrorWhereAllWentWell() {
        let facts = TransferFacts(
            server: .init(host: "api.example", port: 443), hasHeaders: true, text: "", systemError: 0, received: 7,
            announced: 7, isConnected: true)
        #expect(facts.error(code: 0, generalText: "generic words") == nil)
    }

    @Test func anAnswerThatIsWholeBeforeTheRequestIs() {
        let facts = TransferFacts(
            server: .init(host: "api.example", port: 443), hasHeaders: true, text: "", systemError: 32, received: 7,
            announced: 7, isConnected: true)
        #expect(facts.error(code: 55, generalText: "generic words") == nil)
    }

    @Test(
        arguments: [
            (10, .expired, "has expired"), (9, .notYetValid, "is not valid yet"),
            (1, .wrongHost, "is for another host"),
            (62, .wrongHost, "is for another host"), (18, .selfSigned, "is self-signed"),
            (19, .unknownIssuer, "has an unknown issuer"), (20, .unknownIssuer, "has an unknown issuer"),
            (23, .other, "is not accepted"), (nil, .other, "is not accepted"),
        ] as [(Int?, TransportError.CertificateProblem, String)])
    func certificate(_ number: Int?, _ problem: TransportError.CertificateProblem, _ words: String) {
        let facts = TransferFacts(
            server: .init(host: "api.example", port: 443), hasHeaders: false, text: "SSL: libcurl's text",
            systemError: 0, received: 0, announced: -1, isConnected: false, verifyResult: number)
        let error = facts.error(code: 60, generalText: "generic words")
        #expect(error?.cause == .certificate(problem))
        #expect(error?.message == "the certificate of api.example \(words) (SSL: libcurl's text)")
    }
}
