import CurlTransport
import EndpointKit
import MockServer
import TestSupport
import Testing

/// The errors of transfers that fail.
@Suite struct FailureTests {
    struct Case: Row {
        let id: String
        let answer: MockResponse
        let cause: TransportError.Cause
        let message: String
    }

    static let cases = [
        Case(
            id: "no response", answer: MockResponse(steps: [.close]), cause: .cutShort(.noResponse),
            message: "127.0.0.1 closed the connection without a response"),
        Case(
            id: "reset before the answer", answer: MockResponse(steps: [.reset]), cause: .cutShort(.broken),
            message: """
                the connection to 127.0.0.1 broke after 0 bytes of the response: Recv failure: Connection reset by peer
                """),
        Case(
            id: "cut in the head", answer: .raw("HTTP/1.1 200 OK\r\nContent-Le").then(.close),
            cause: .cutShort(.inHeaders),
            message: "127.0.0.1 closed the connection in the middle of the response headers"),
        Case(
            id: "cut in a body with a length",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789").then(.close),
            cause: .cutShort(.inBody(expected: 100)),
            message: "127.0.0.1 closed the connection after 10 of 100 bytes"),
        Case(
            id: "cut in a chunk",
            answer: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc").then(.close),
            cause: .cutShort(.inBody(expected: nil)),
            message: "127.0.0.1 closed the connection before the end of the response (3 bytes received)"),
        Case(
            id: "cut between chunks",
            answer: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n").then(.close),
            cause: .cutShort(.inBody(expected: nil)),
            message: "127.0.0.1 closed the connection before the end of the response (3 bytes received)"),
        Case(
            id: "reset in the body",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789")
                .then(.pause(.milliseconds(100)), .reset), cause: .cutShort(.broken),
            message: """
                the connection to 127.0.0.1 broke after 10 bytes of the response: Recv failure: Connection reset by peer
                """),
        Case(
            id: "garbage", answer: .raw("SSH-2.0-OpenSSH_9.2\r\n").then(.close), cause: .notHTTP,
            message: "the response of 127.0.0.1 is not HTTP (Received HTTP/0.9 when not allowed)"),
        Case(
            id: "a version from the future", answer: .raw("HTTP/9.9 200 OK\r\n\r\n").then(.close),
            cause: .notHTTP,
            message: ""),
        Case(
            id: "a length that is no number",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: -7\r\n\r\n").then(.close),
            cause: .malformedResponse,
            message: "the response of 127.0.0.1 is not HTTP (Invalid Content-Length: value)"),
        Case(
            id: "a chunk that is no chunk",
            answer: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n").then(.close),
            cause: .cutShort(.broken),
            message: ""),
        Case(
            id: "interim answers without an end",
            answer: MockResponse(steps: [.repeating(Array("HTTP/1.1 102 Processing\r\n\r\n".utf8), count: 1 << 20)]),
            cause: .headersTooLarge, message: ""),
        Case(
            id: "a transfer coding that was not asked for",
            answer: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n").then(.close),
            cause: .malformedResponse,
            message: "the response of 127.0.0.1 is not HTTP (a transfer coding that was not requested)"),
    ]

    @Test(arguments: cases) func brokenResponsesAreErrors(_ row: Case) async throws {
        let server = try MockServer { _ in row.answer }
        let request = Request(.get, try BaseURL(server.baseURL), path: "/secret")
        let error = await CurlTransport().failure(request, options: TransferOptions(maxTime: .seconds(60)))
        let failure = try #require(error as? TransportError)
        #expect(failure.cause == row.cause, "\(failure)")
        // libcurl's own words differ between versions: an empty text stands for them.
        if !row.message.isEmpty { #expect(failure.message == row.message) }
        #expect(!failure.message.contains("secret"))
    }

    @Test func aRefusedConnectionNamesHostAndPort() async throws {
        let port = try RefusingPort()
        let request = Request(.get, try BaseURL("http://127.0.0.1:\(port.port)"), path: "/")
        #expect(
            (await CurlTransport().failure(request) as? TransportError)?.message
                == "could not connect to 127.0.0.1 port \(port.port): connection refused")
        withExtendedLifetime(port) {}
    }

    @Test func anUnknownHostNameIsNamed() async throws {
        let request = Request(.get, try BaseURL("http://nosuch.invalid"), path: "/")
        #expect(
            (await CurlTransport().failure(request) as? TransportError)?.message
                == "could not resolve the host name nosuch.invalid")
    }

    @Test func aServerWithoutTLSIsATLSError() async throws {
        let server = try MockServer { _ in .response(200) }
        let request = Request(.get, try BaseURL("https://127.0.0.1:\(server.port)"), path: "/")
        let options = TransferOptions(connection: ConnectionOptions(verifiesCertificate: false))
        let error = await CurlTransport().failure(request, options: options)
        #expect((error as? TransportError)?.cause == .tls)
    }

    @Test func aMissingBundleOfCertificatesIsNamed() async throws {
        let server = try MockServer { _ in .response(200) }
        let request = Request(.get, try BaseURL("https://127.0.0.1:\(server.port)"), path: "/")
        let transport = CurlTransport(configuration: CurlConfiguration(certificateBundle: "/nonexistent/ca.pem"))
        let error = await transport.failure(request)
        #expect((error as? TransportError)?.cause == .credentialFile(.certificateAuthorities, path: nil))
        #expect((error as? TransportError)?.message.contains("/nonexistent/ca.pem") == true)
    }

    @Test func aNamedPipeIsRefusedAsABundleOfCertificates() async throws {
        let pipe = try TemporaryFile.namedPipe()
        let server = try MockServer { _ in .response(200) }
        let request = Request(.get, try BaseURL("https://127.0.0.1:\(server.port)"), path: "/")
        let transport = CurlTransport(configuration: CurlConfiguration(certificateBundle: pipe.path))
        let error = await transport.failure(request)
        #expect((error as? TransportError)?.cause == .credentialFile(.certificateAuthorities, path: nil))
        #expect((error as? TransportError)?.message.contains("\(pipe.path): it is a named pipe") == true)
    }

    @Test func timeRunsOutBeforeTheHead() async throws {
        let server = try MockServer { _ in MockResponse(steps: [.hang]) }
        let clock = ContinuousClock()
        let start = clock.now
        let error = await CurlTransport().failure(
            try server.request(), options: TransferOptions(maxTime: .milliseconds(250)))
        #expect(
            (error as? TransportError)?.message
                == "no complete response from 127.0.0.1 within 250 ms (0 bytes received)")
        #expect(clock.now - start >= .milliseconds(240))
        #expect(clock.now - start < .seconds(60))
    }

    @Test func timeRunsOutInTheBody() async throws {
        let server = try MockServer { _ in
            MockResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc").then(.hang)
        }
        let error = await CurlTransport().failure(
            try server.request(), options: TransferOptions(maxTime: .milliseconds(1200)))
        #expect(
            (error as? TransportError)?.message
                == "no complete response from 127.0.0.1 within 1.2 s (3 bytes received)")
    }

    @Test func timeRunsOutWhileConnecting() async throws {
        let silent = try SilentListener()
        let request = Request(.get, try BaseURL("https://127.0.0.1:\(silent.port)"), path: "/")
        let error = await CurlTransport().failure(
            request,
            options: TransferOptions(
                maxTime: .seconds(60), connectTimeout: .milliseconds(300),
                connection: ConnectionOptions(verifiesCertificate: false)))
        #expect((error as? TransportError)?.message == "no connection to 127.0.0.1 within 300 ms")
    }
}
