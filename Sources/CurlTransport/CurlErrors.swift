import CCurl
import EndpointKit

/// What went wrong outside libcurl, in words for whoever sent the request. No message holds a URL's path or query, where secrets
/// may stand.
enum CurlErrors {
    /// The server of a transfer was silent for longer than it may be.
    static func silence(of transfer: Transfer, seconds: Int) -> TransportError {
        let received = transfer.easy.offset(CCURLINFO_SIZE_DOWNLOAD_T)
        return TransportError(
            .timedOut, "\(transfer.plan.server.host) was silent for \(seconds) s (\(received) bytes received)")
    }

    static func malformedHead(_ problem: HeadParser.Problem, from server: TransferPlan.Server) -> TransportError {
        switch problem {
        case .tooLarge:
            TransportError(.notHTTP, "the head of \(server.host)'s answer is larger than \(HeadParser.limit) bytes")
        case .noStatus:
            TransportError(.notHTTP, "the answer of \(server.host) has no HTTP status line")
        }
    }

    /// The answer breaks a rule of HTTP's in its framing.
    static func malformedAnswer(_ problem: String, from server: TransferPlan.Server) -> TransportError {
        TransportError(.notHTTP, "the answer of \(server.host) is not HTTP (\(problem))")
    }

    static func unpacking(_ problem: UnpackingProblem, from server: TransferPlan.Server) -> TransportError {
        let kind: TransportError.Kind = if case .cut = problem { .cutShort } else { .other }
        return TransportError(kind, "the answer of \(server.host) can't be unpacked (\(problem.reason))")
    }

    /// A request that must not be sent twice went out over a connection that ended without an answer.
    static func lostRequest(_ method: String, to server: TransferPlan.Server) -> TransportError {
        TransportError(
            .cutShort,
            "\(server.host) closed the connection without an answer, "
                + "and the \(method) is not sent again: the server may have carried it out")
    }
}

/// What libcurl knows of a transfer that ended.
struct TransferFacts {
    var server: TransferPlan.Server
    var method = "GET"
    var names = ConnectionPlan.Names()
    var maxMilliseconds: Int?
    var connectMilliseconds: Int?
    var hasHead: Bool
    /// Whether a request that must not be repeated was sent, and lost with its connection.
    var isLost = false
    /// libcurl's text for this very error; may be empty.
    var text: String
    var systemError: Int32
    var received: Int64
    /// The body's announced length; negative where there is none.
    var announced: Int64
    var isConnected: Bool
    /// What the proxy answered when it was asked to connect; 0 where it was not.
    var connectStatus = 0
    /// The TLS library's number for what is wrong with the certificate; 0 where it has none.
    var verifyResult = 0
    var proxyVerifyResult = 0
    /// The address and port that was connected to.
    var peer: String?

    func error(code: Int32, generalText: String) -> TransportError? {
        let host = server.host
        let reason = text.isEmpty ? generalText : text
        if code != CCURLE_OK, let error = detour(code, reason) { return error }
        switch code {
        case CCURLE_OK:
            if hasHead { return nil }
            return TransportError(.cutShort, "\(host) closed the connection in the middle of the answer's head")
        case CCURLE_COULDNT_RESOLVE_HOST:
            return TransportError(.nameNotResolved, "could not resolve the host name \(host)")
        case CCURLE_COULDNT_CONNECT:
            return TransportError(
                .notConnected, "could not connect to \(host) port \(server.port): \(systemReason ?? reason)")
        case CCURLE_OPERATION_TIMEDOUT:
            return timeout
        case CCURLE_GOT_NOTHING:
            return TransportError(.cutShort, "\(host) closed the connection without an answer")
        case CCURLE_PARTIAL_FILE:
            return cutBody
        case CCURLE_SEND_ERROR where hasHead && received == announced:
            // The server answered before it had the whole request; what it did not read broke the connection.
            return nil
        case CCURLE_SEND_ERROR where !hasHead:
            return sendError(reason)
        case CCURLE_SEND_ERROR, CCURLE_RECV_ERROR:
            return receiveError(reason)
        case CCURLE_HTTP2, CCURLE_HTTP2_STREAM:
            return http2Error(code, reason)
        case CCURLE_UNSUPPORTED_PROTOCOL where !text.hasPrefix("Protocol"), CCURLE_WEIRD_SERVER_REPLY:
            return CurlErrors.malformedAnswer(reason, from: server)
        case CCURLE_TOO_LARGE where !hasHead, CCURLE_OUT_OF_MEMORY where !hasHead && isConnected:
            // Before 8.6 libcurl calls a head above its limits "out of memory".
            return TransportError(.notHTTP, "the head of \(host)'s answer is too large")
        case CCURLE_SEND_FAIL_REWIND:
            return TransportError(.other, "the request's body can't be sent a second time")
        case CCURLE_URL_MALFORMAT:
            return TransportError(.other, "libcurl does not accept the URL")
        case _ where Self.tlsCodes.contains(code):
            return tlsError(code, reason)
        default:
            return TransportError(.other, "the transfer from \(host) failed: \(reason)")
        }
    }

    /// What went wrong before the server itself came into it: at the proxy, at the unix socket, at the attempt to connect
    /// once more.
    private func detour(_ code: Int32, _ reason: String) -> TransportError? {
        let hasNoConnection = code == CCURLE_COULDNT_CONNECT || code == CCURLE_COULDNT_RESOLVE_HOST
        if isLost, hasNoConnection { return CurlErrors.lostRequest(method, to: server) }
        if let path = names.unixSocket, hasNoConnection {
            return TransportError(
                .notConnected, "could not connect to the unix socket \(path): \(systemReason ?? reason)")
        }
        return proxyError(code, reason)
    }

    /// The system's words for the error beneath, where there is one.
    var systemReason: String? { systemError == 0 ? nil : Platform.describe(errno: systemError) }

    private var timeout: TransportError {
        let host = server.host
        if !isConnected {
            // libcurl's own limit for connecting is five minutes.
            let limit = min(connectMilliseconds ?? 300_000, maxMilliseconds ?? .max)
            let way = names.proxy.map { "through the proxy at \($0) " } ?? ""
            return TransportError(
                .timedOut, "no connection \(way)to \(host) within \(Self.describe(milliseconds: limit))")
        }
        let limit = maxMilliseconds.map { " within \(Self.describe(milliseconds: $0))" } ?? " in time"
        return TransportError(.timedOut, "no complete answer from \(host)\(limit) (\(received) bytes received)")
    }

    private var cutBody: TransportError {
        guard hasHead else {
            return TransportError(.cutShort, "\(server.host) closed the connection without an answer")
        }
        if announced > 0 {
            return TransportError(
                .cutShort, "\(server.host) closed the connection after \(received) of \(announced) bytes")
        }
        return TransportError(
            .cutShort, "\(server.host) closed the connection before the end of the answer (\(received) bytes received)")
    }

    private func sendError(_ reason: String) -> TransportError {
        if let error = clientCertificateError(reason) { return error }
        let how = reason.hasPrefix("Connection died") ? reason : systemReason ?? reason
        return TransportError(.cutShort, "the connection to \(server.host) broke while the request was sent: \(how)")
    }

    private func receiveError(_ reason: String) -> TransportError {
        let host = server.host
        if reason.contains("chunk") {
            return CurlErrors.malformedAnswer(reason, from: server)
        }
        if reason.contains("response headers") {
            return TransportError(.notHTTP, "the head of \(host)'s answer is too large")
        }
        if let error = clientCertificateError(reason) { return error }
        if reason.hasPrefix("Connection died") {
            return TransportError(.cutShort, "\(host) closed the connection without an answer (\(reason))")
        }
        return TransportError(
            .cutShort,
            "the connection to \(host) broke after \(received) bytes of the answer: \(systemReason ?? reason)")
    }

    /// libcurl has one code for a stream that the server resets, and one for all that ends a whole connection.
    private func http2Error(_ code: Int32, _ reason: String) -> TransportError {
        guard code == CCURLE_HTTP2_STREAM else {
            return TransportError(.cutShort, "the HTTP/2 connection to \(server.host) broke (\(reason))")
        }
        // libcurl does not tell a stream that the server reset from one whose answer broke a rule.
        let what =
            if hasHead {
                "\(server.host) ended the answer early"
            } else if reason.contains("REFUSED_STREAM") {
                "\(server.host) refused to answer"
            } else {
                "the HTTP/2 stream to \(server.host) ended before its answer"
            }
        return TransportError(.cutShort, "\(what) (\(reason))")
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

extension TransferFacts {
    /// The facts of a transfer that has just ended.
    init(_ transfer: Transfer, hasHead: Bool, isLost: Bool) {
        let easy = transfer.easy
        let plan = transfer.plan
        self.init(
            server: plan.server, method: plan.method, names: plan.connection.names,
            maxMilliseconds: plan.maxMilliseconds,
            connectMilliseconds: plan.connectMilliseconds, hasHead: hasHead,
            isLost: isLost, text: Self.withoutPasswords(easy.lastErrorText),
            systemError: Int32(truncatingIfNeeded: easy.number(CCURLINFO_OS_ERRNO)),
            received: easy.offset(CCURLINFO_SIZE_DOWNLOAD_T),
            announced: easy.offset(CCURLINFO_CONTENT_LENGTH_DOWNLOAD_T),
            isConnected: easy.offset(CCURLINFO_PRETRANSFER_TIME_T) > 0,
            connectStatus: easy.number(CCURLINFO_HTTP_CONNECTCODE),
            verifyResult: easy.number(CCURLINFO_SSL_VERIFYRESULT),
            proxyVerifyResult: easy.number(CCURLINFO_PROXY_SSL_VERIFYRESULT))
        if let address = easy.text(CCURLINFO_PRIMARY_IP), !address.isEmpty {
            let port = easy.number(CCURLINFO_PRIMARY_PORT)
            peer = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
        }
    }

    /// `text` without user and password: what stands before the last `@` in a quoted URL or proxy, or in a word with `://`.
    static func withoutPasswords(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        let bytes = text.exactBytes[...]
        let quote = UInt8(ascii: "'")
        // What starts in quotes ends with the last one: a password may hold quotes and blanks.
        let isOpening = { (index: Int) in bytes[index] == quote && (index == 0 || bytes[index - 1] == 0x20) }
        guard let start = bytes.indices.first(where: isOpening) else {
            return String(exactBytes: withoutUsers(inWordsOf: bytes))
        }
        let end = bytes[(start + 1)...].lastIndex(of: quote) ?? bytes.endIndex
        return String(
            exactBytes: withoutUsers(inWordsOf: bytes[..<start]) + [quote]
                + withoutUser(bytes[(start + 1)..<end], startsWithout: true) + withoutUsers(inWordsOf: bytes[end...]))
    }

    private static func withoutUsers(inWordsOf text: ArraySlice<UInt8>) -> [UInt8] {
        let words = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        return Array(words.map { withoutUser($0, startsWithout: false) }.joined(separator: [UInt8(ascii: " ")]))
    }

    /// `startsWithout` tells whether user and password may stand there without a scheme before them.
    private static func withoutUser(_ text: ArraySlice<UInt8>, startsWithout: Bool) -> [UInt8] {
        let scheme = text.indices.first { text[$0...].starts(with: "://".utf8) }.map { $0 + 3 }
        guard let at = text.lastIndex(of: UInt8(ascii: "@")),
            let start = scheme ?? (startsWithout ? text.startIndex : nil),
            at >= start
        else { return Array(text) }
        return Array(text[..<start] + text[(at + 1)...])
    }
}
