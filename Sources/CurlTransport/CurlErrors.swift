import CCurl
import EndpointKit

/// What went wrong, in words for whoever sent the request. No message holds a URL's path or query, where secrets may stand.
enum CurlErrors {
    /// The error of a transfer that ended with libcurl's `code`, or nil where it went well.
    static func error(code: Int32, of transfer: Transfer, hasHead: Bool) -> TransportError? {
        let easy = transfer.easy
        let facts = TransferFacts(
            server: transfer.plan.server,
            maxMilliseconds: transfer.plan.maxMilliseconds,
            connectMilliseconds: transfer.plan.connectMilliseconds,
            hasHead: hasHead,
            text: easy.lastErrorText,
            systemError: Int32(truncatingIfNeeded: easy.number(CCURLINFO_OS_ERRNO)),
            received: easy.offset(CCURLINFO_SIZE_DOWNLOAD_T),
            announced: easy.offset(CCURLINFO_CONTENT_LENGTH_DOWNLOAD_T),
            isConnected: easy.offset(CCURLINFO_PRETRANSFER_TIME_T) > 0
        )
        return facts.error(code: code, generalText: easy.curl.describe(code: code))
    }

    static func malformedHead(_ problem: HeadParser.Problem, from server: TransferPlan.Server) -> TransportError {
        switch problem {
        case .tooLarge:
            TransportError(.notHTTP, "the head of \(server.host)'s answer is larger than \(HeadParser.limit) bytes")
        case .noStatus:
            TransportError(.notHTTP, "the answer of \(server.host) has no HTTP status line")
        }
    }
}

/// What libcurl knows of a transfer that failed.
struct TransferFacts {
    var server: TransferPlan.Server
    var maxMilliseconds: Int?
    var connectMilliseconds: Int?
    var hasHead: Bool
    /// libcurl's text for this very error; may be empty.
    var text: String
    var systemError: Int32
    var received: Int64
    /// The body's announced length; negative where there is none.
    var announced: Int64
    var isConnected: Bool

    func error(code: Int32, generalText: String) -> TransportError? {
        let host = server.host
        let reason = text.isEmpty ? generalText : text
        switch code {
        case CCURLE_OK:
            if hasHead { return nil }
            return TransportError(.cutShort, "\(host) closed the connection in the middle of the answer's head")
        case CCURLE_COULDNT_RESOLVE_HOST:
            return TransportError(.nameNotResolved, "could not resolve the host name \(host)")
        case CCURLE_COULDNT_RESOLVE_PROXY:
            return TransportError(.nameNotResolved, "could not resolve the proxy's host name (\(reason))")
        case CCURLE_COULDNT_CONNECT:
            return TransportError(.notConnected, "could not connect to \(connectTarget): \(systemReason ?? reason)")
        case CCURLE_PROXY:
            return TransportError(.notConnected, "the proxy did not connect to \(host): \(reason)")
        case CCURLE_OPERATION_TIMEDOUT:
            return timeout
        case CCURLE_GOT_NOTHING:
            return TransportError(.cutShort, "\(host) closed the connection without an answer")
        case CCURLE_PARTIAL_FILE:
            return cutBody
        case CCURLE_SEND_ERROR:
            return TransportError(
                .cutShort, "the connection to \(host) broke while the request was sent: \(systemReason ?? reason)")
        case CCURLE_RECV_ERROR:
            return receiveError(reason)
        case CCURLE_UNSUPPORTED_PROTOCOL where !text.hasPrefix("Protocol"), CCURLE_WEIRD_SERVER_REPLY, CCURLE_HTTP2:
            return TransportError(.notHTTP, "the answer of \(host) is not HTTP (\(reason))")
        case CCURLE_HTTP2_STREAM:
            return TransportError(.cutShort, "\(host) ended the answer early (\(reason))")
        case CCURLE_TOO_LARGE where !hasHead, CCURLE_OUT_OF_MEMORY where !hasHead && isConnected:
            // Before 8.6 libcurl calls a head above its limits "out of memory".
            return TransportError(.notHTTP, "the head of \(host)'s answer is too large")
        case CCURLE_OUT_OF_MEMORY where hasHead:
            return TransportError(.other, "the answer of \(host) grows too much when it is unpacked")
        case CCURLE_BAD_CONTENT_ENCODING:
            return TransportError(.other, "the answer of \(host) can't be unpacked (\(reason))")
        case CCURLE_SEND_FAIL_REWIND:
            return TransportError(.other, "the request's body can't be sent a second time")
        case CCURLE_URL_MALFORMAT:
            return TransportError(.other, "libcurl does not accept the URL")
        case _ where Self.tlsCodes.contains(code):
            return TransportError(.tls, "no secure connection to \(host): \(reason)")
        default:
            return TransportError(.other, "the transfer from \(host) failed: \(reason)")
        }
    }

    private static let tlsCodes: Set<Int32> = [
        CCURLE_SSL_CONNECT_ERROR, CCURLE_SSL_ENGINE_NOTFOUND, CCURLE_SSL_ENGINE_SETFAILED, CCURLE_SSL_CERTPROBLEM,
        CCURLE_SSL_CIPHER, CCURLE_PEER_FAILED_VERIFICATION, CCURLE_SSL_ENGINE_INITFAILED, CCURLE_SSL_CACERT_BADFILE,
        CCURLE_SSL_CRL_BADFILE, CCURLE_SSL_ISSUER_ERROR, CCURLE_SSL_PINNEDPUBKEYNOTMATCH,
        CCURLE_SSL_INVALIDCERTSTATUS, CCURLE_SSL_CLIENTCERT,
    ]

    /// The system's words for the error beneath, where there is one.
    private var systemReason: String? { systemError == 0 ? nil : Platform.describe(errno: systemError) }

    /// Who was connected to. This may be a proxy, whose name only libcurl's text has:
    /// `Failed to connect to 10.0.0.1 port 3128 after 2 ms: …`.
    private var connectTarget: String {
        let words = text.split(separator: " ")
        if text.hasPrefix("Failed to connect to "), words.count > 6, words[5] == "port" {
            return "\(words[4]) port \(words[6])"
        }
        return "\(server.host) port \(server.port)"
    }

    private var timeout: TransportError {
        let host = server.host
        if !isConnected {
            // libcurl's own limit for connecting is five minutes.
            let limit = min(connectMilliseconds ?? 300_000, maxMilliseconds ?? .max)
            return TransportError(.timedOut, "no connection to \(host) within \(Self.describe(milliseconds: limit))")
        }
        let limit = maxMilliseconds.map { " within \(Self.describe(milliseconds: $0))" } ?? " in time"
        return TransportError(.timedOut, "no complete answer from \(host)\(limit) (\(received) bytes received)")
    }

    private var cutBody: TransportError {
        if announced > 0 {
            return TransportError(
                .cutShort, "\(server.host) closed the connection after \(received) of \(announced) bytes")
        }
        return TransportError(
            .cutShort, "\(server.host) closed the connection before the end of the answer (\(received) bytes received)")
    }

    private func receiveError(_ reason: String) -> TransportError {
        let host = server.host
        if reason.contains("chunk") {
            return TransportError(.notHTTP, "the answer of \(host) is not HTTP (\(reason))")
        }
        if reason.contains("response headers") {
            return TransportError(.notHTTP, "the head of \(host)'s answer is too large")
        }
        if reason.contains("CONNECT") {
            return TransportError(.notConnected, "the proxy did not connect to \(host): \(reason)")
        }
        return TransportError(
            .cutShort,
            "the connection to \(host) broke after \(received) bytes of the answer: \(systemReason ?? reason)")
    }

    private static func describe(milliseconds: Int) -> String {
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let rest = milliseconds % 1000
        if rest == 0 { return "\(milliseconds / 1000) s" }
        var digits = String(String(1000 + rest).dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(milliseconds / 1000).\(digits) s"
    }
}
