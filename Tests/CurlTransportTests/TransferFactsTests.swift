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
        var hasHead = false
        var isConnected = true
        var connectMilliseconds: Int?
        var maxMilliseconds: Int?
        let kind: TransportError.Kind
        let message: String
    }

    @Test(arguments: [
        Case(
            id: "certificate", code: 60, text: "SSL certificate problem: certificate has expired", kind: .tls,
            message: "no secure connection to api.example: SSL certificate problem: certificate has expired"),
        Case(
            id: "TLS without a text", code: 35, kind: .tls,
            message: "no secure connection to api.example: generic words"),
        Case(
            id: "proxy's name", code: 5, text: "Could not resolve proxy: squid", kind: .nameNotResolved,
            message: "could not resolve the proxy's host name (Could not resolve proxy: squid)"),
        Case(
            id: "proxy refuses a connection", code: 7, text: "Failed to connect to squid port 3128 after 2 ms: nope",
            kind: .notConnected,
            message: "could not connect to squid port 3128: Failed to connect to squid port 3128 after 2 ms: nope"),
        Case(
            id: "proxy refuses a tunnel", code: 56, text: "CONNECT tunnel failed, response 403", kind: .notConnected,
            message: "the proxy did not connect to api.example: CONNECT tunnel failed, response 403"),
        Case(
            id: "connect limit", code: 28, isConnected: false, connectMilliseconds: 10_000, maxMilliseconds: 30_000,
            kind: .timedOut, message: "no connection to api.example within 10 s"),
        Case(
            id: "whole limit while connecting", code: 28, isConnected: false, connectMilliseconds: 10_000,
            maxMilliseconds: 1_050, kind: .timedOut, message: "no connection to api.example within 1.05 s"),
        Case(
            id: "libcurl's own connect limit", code: 28, isConnected: false, kind: .timedOut,
            message: "no connection to api.example within 300 s"),
        Case(
            id: "whole limit", code: 28, connectMilliseconds: 10, maxMilliseconds: 2_000, kind: .timedOut,
            message: "no complete answer from api.example within 2 s (7 bytes received)"),
        Case(
            id: "broken pipe", code: 55, text: "Send failure: Broken pipe", systemError: 32, kind: .cutShort,
            message: "the connection to api.example broke while the request was sent: broken pipe"),
        Case(
            id: "HTTP/2 stream", code: 92, text: "HTTP/2 stream 1 was not closed cleanly", hasHead: true,
            kind: .cutShort,
            message: "api.example ended the answer early (HTTP/2 stream 1 was not closed cleanly)"),
        Case(
            id: "no https in libcurl", code: 1, text: "Protocol \"https\" not supported or disabled in libcurl",
            isConnected: false, kind: .other,
            message: "the transfer from api.example failed: Protocol \"https\" not supported or disabled in libcurl"),
        Case(
            id: "out of memory before a connection", code: 27, isConnected: false, kind: .other,
            message: "the transfer from api.example failed: generic words"),
        Case(
            id: "out of memory in a head", code: 27, kind: .notHTTP,
            message: "the head of api.example's answer is too large"),
        Case(
            id: "a code of the future", code: 4711, kind: .other,
            message: "the transfer from api.example failed: generic words"),
    ])
    func error(_ row: Case) {
        let facts = TransferFacts(
            server: .init(host: "api.example", port: 443), maxMilliseconds: row.maxMilliseconds,
            connectMilliseconds: row.connectMilliseconds, hasHead: row.hasHead, text: row.text,
            systemError: row.systemError, received: 7, announced: -1, isConnected: row.isConnected)
        #expect(facts.error(code: row.code, generalText: "generic words") == TransportError(row.kind, row.message))
    }

    @Test func noErrorWhereAllWentWell() {
        let facts = TransferFacts(
            server: .init(host: "api.example", port: 443), hasHead: true, text: "", systemError: 0, received: 7,
            announced: 7, isConnected: true)
        #expect(facts.error(code: 0, generalText: "generic words") == nil)
    }
}
