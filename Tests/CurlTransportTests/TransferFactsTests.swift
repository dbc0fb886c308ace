import EndpointKit
import Testing

@testable import CurlTransport

/// The messages of errors that a test can't cause on every machine.
@Suite struct TransferFactsTests {
    struct Case: Row {
        let id: String
        let code: Int32
        var text = ""
        var systemError: Int32 = 0
        var hasHeaders = false
        var isCompressed = false
        var isConnected = true
        var connectTimeout: Duration?
        var maxTime: Duration?
        /// The part of `maxTime` that earlier redirects have left; nil if there were none.
        var remainingTime: Duration?
        var connectStatus = 0
        var verifyResult: Int?
        var proxyVerifyResult: Int?
        var received: Int64 = 7
        var announced: Int64 = -1
        var route = ProxyRoute.direct
        var unixSocket: String?
        var options = ConnectionOptions()
        let cause: TransportError.Cause
        let message: String
    }

    private static let squid = ProxyRoute.proxy(.init(host: "squid", port: 3128), sendsCredentials: false)
    private static let secureSquid = ProxyRoute.proxy(
        .init(host: "squid", port: 3128, usesTLS: true), sendsCredentials: false)

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
            route: secureSquid, cause: .tls,
            message: "no secure connection to the proxy at squid:3128: SSL_ERROR_SYSCALL"),
        Case(
            id: "the handshake in a tunnel cut off", code: 35, text: "SSL_ERROR_SYSCALL", isConnected: false,
            connectStatus: 200, route: secureSquid,
            cause: .tls,
            message: "no secure connection to api.example port 443: SSL_ERROR_SYSCALL"),
        Case(
            id: "the proxy's certificate", code: 60, text: "SSL certificate problem: certificate has expired",
            proxyVerifyResult: 10, route: squid, cause: .certificate(.expired),
            message: """
                the certificate of the proxy at squid:3128 has expired \
                (SSL certificate problem: certificate has expired)
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
            text: "Unsupported proxy 'squid', libcurl is built without the HTTPS-proxy support.",
            cause: .unsupportedOption,
            message: """
                this machine's libcurl lacks a part: \
                Unsupported proxy 'squid', libcurl is built without the HTTPS-proxy support.
                """),
        Case(
            id: "a proxy refuses a connection", code: 7,
            text: "Failed to connect to squid port 3128 after 2 ms: nope", systemError: 111, route: squid,
            cause: .notConnected, message: "could not connect to the proxy at squid:3128: connection refused"),
        Case(
            id: "the proxy or the server refuses a connection", code: 7,
            text: "Failed to connect to squid port 3128 after 2 ms: nope", systemError: 111,
            route: .unknown, cause: .notConnected,
            message: """
                could not connect to api.example port 443: Failed to connect to squid port 3128 after 2 ms: nope
                """),
        Case(
            id: "a proxy without an address", code: 5, text: "Could not resolve proxy: squid", route: squid,
            cause: .nameNotResolved, message: "could not resolve the proxy's host name squid"),
        Case(
            id: "an unknown proxy without an address", code: 5, text: "Could not resolve proxy: squid",
            route: .unknown, cause: .nameNotResolved,
            message: "could not resolve the proxy's host name: Could not resolve proxy: squid"),
        Case(
            id: "a proxy refuses the credentials", code: 56, isConnected: false, connectStatus: 401,
            route: .proxy(.init(host: "squid", port: 3128), sendsCredentials: true),
            cause: .proxy(.credentialsRejected(status: 401)),
            message: "the proxy at squid:3128 does not accept the credentials (401)"),
        Case(
            id: "a proxy resets", code: 56, text: "Recv failure: Connection reset by peer",
            systemError: 104, isConnected: false, route: squid, cause: .proxy(.refused(status: nil)),
            message: """
                the proxy at squid:3128 did not connect to api.example port 443: Recv failure: Connection reset by peer
                """),
        Case(
            id: "no proxy, and reset before all is ready", code: 56, text: "Recv failure: Connection reset by peer",
            systemError: 104, isConnected: false, received: 0, cause: .cutShort(.broken),
            message: """
                the connection to api.example broke after 0 bytes of the response: \
                Recv failure: Connection reset by peer
                """),
        Case(
            id: "reset in a tunnel", code: 56, text: "Recv failure: Connection reset by peer", systemError: 104,
            route: squid, cause: .cutShort(.broken),
            message: """
                the connection to api.example broke after 7 bytes of the response: \
                Recv failure: Connection reset by peer
                """),
        Case(
            id: "the proxy's endless answer to CONNECT", code: 56, text: "Too large response headers: 9 > 8",
            systemError: 11, isConnected: false, route: squid,
            cause: .proxy(.refused(status: nil)),
            message: """
                the proxy at squid:3128 did not connect to api.example port 443: Too large response headers: 9 > 8
                """),
        Case(
            id: "no response in time", code: 28,
            text: "Operation timed out after 9 milliseconds with 0 bytes received", maxTime: .seconds(2),
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
            message: "the connection to api.example broke after 7 bytes of the response: generic words"),
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
            message: "the connection to api.example broke while the request was sent: Send failure: Broken pipe"),
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
            id: "out of memory in a compressed body", code: 27, hasHeaders: true, isCompressed: true,
            cause: .contentCoding,
            message: """
                the response of api.example can't be decompressed (a part of it is larger than libcurl can hold)
                """),
        Case(
            id: "out of memory in another body", code: 27, hasHeaders: true, cause: .other,
            message: "the transfer from api.example failed: generic words"),
        Case(
            id: "a code of the future", code: 4711, cause: .other,
            message: "the transfer from api.example failed: generic words"),
    ])
    func anErrorOfLibcurlHasItsCauseAndMessage(_ row: Case) {
        let facts = TransferFacts(
            server: .init(host: "api.example", port: 443, usesTLS: true, unixSocket: row.unixSocket),
            options: row.options, route: row.route, maxTime: row.maxTime,
            remainingTime: row.remainingTime ?? row.maxTime,
            connectTimeout: row.connectTimeout, hasHeaders: row.hasHeaders,
            isCompressed: row.isCompressed, text: row.text,
            systemError: row.systemError, receivedByteCount: row.received,
            announcedByteCount: row.announced, isConnected: row.isConnected, connectStatus: row.connectStatus,
            verifyResult: row.verifyResult, proxyVerifyResult: row.proxyVerifyResult)
        let error = facts.error(code: row.code, generalText: "generic words")
        #expect(error?.cause == row.cause)
        #expect(error?.message == row.message)
    }

    @Test func aCompleteTransferIsNoError() {
        let facts = TransferFacts(
            server: .init(host: "api.example", port: 443), hasHeaders: true, text: "", systemError: 0,
            receivedByteCount: 7,
            announcedByteCount: 7, isConnected: true)
        #expect(facts.error(code: 0, generalText: "generic words") == nil)
    }

    @Test func aCompleteResponseBeforeTheEndOfTheRequestIsNoError() {
        let facts = TransferFacts(
            server: .init(host: "api.example", port: 443), hasHeaders: true, text: "", systemError: 32,
            receivedByteCount: 7,
            announcedByteCount: 7, isConnected: true)
        #expect(facts.error(code: 55, generalText: "generic words") == nil)
    }

    /// A code with which a TLS library refuses a certificate, and the words for it.
    struct CertificateRow: Sendable, CustomTestStringConvertible {
        /// OpenSSL's result of the verification; nil if the library reports none.
        let verifyResult: Int?
        let problem: TransportError.CertificateProblem
        let words: String

        var testDescription: String { "\(verifyResult.map(String.init) ?? "none"): \(problem)" }
    }

    @Test(
        arguments: [
            CertificateRow(verifyResult: 10, problem: .expired, words: "has expired"),
            CertificateRow(verifyResult: 9, problem: .notYetValid, words: "is not valid yet"),
            CertificateRow(verifyResult: 1, problem: .wrongHost, words: "is for another host"),
            CertificateRow(verifyResult: 62, problem: .wrongHost, words: "is for another host"),
            CertificateRow(verifyResult: 18, problem: .selfSigned, words: "is self-signed"),
            CertificateRow(verifyResult: 19, problem: .unknownIssuer, words: "has an unknown issuer"),
            CertificateRow(verifyResult: 20, problem: .unknownIssuer, words: "has an unknown issuer"),
            CertificateRow(verifyResult: 23, problem: .other, words: "is not accepted"),
            CertificateRow(verifyResult: nil, problem: .other, words: "is not accepted"),
        ])
    func aRefusedCertificateIsNamedWithItsProblem(_ row: CertificateRow) {
        let facts = TransferFacts(
            server: .init(host: "api.example", port: 443), hasHeaders: false, text: "SSL: libcurl's text",
            systemError: 0, receivedByteCount: 0, announcedByteCount: -1, isConnected: false,
            verifyResult: row.verifyResult)
        let error = facts.error(code: 60, generalText: "generic words")
        #expect(error?.cause == .certificate(row.problem))
        #expect(error?.message == "the certificate of api.example \(row.words) (SSL: libcurl's text)")
    }
}
