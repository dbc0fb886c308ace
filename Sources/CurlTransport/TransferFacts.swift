import CCurl
import EndpointKit
import SystemCalls

/// What libcurl knows of a transfer that has ended.
struct TransferFacts {
    var server: TransportError.Peer
    var method: HTTPMethod = .get
    var names = ConnectionPlan.Names()
    /// The limit to name in an error.
    var maxTime: Duration?
    /// What was left of it when the transfer began.
    var remainingTime: Duration?
    var connectTimeout: Duration?
    var hasHeaders: Bool
    /// Whether a request that must not be repeated was sent, and lost with its connection.
    var isLost = false
    /// libcurl's text for this very error; may be empty.
    var text: String
    var systemError: Int32
    var received: Int64
    /// The body's announced length; negative if there is none.
    var announced: Int64
    var isConnected: Bool
    /// The proxy's status for the request to connect; 0 if it was not asked.
    var connectStatus = 0
    /// The TLS library's number for what is wrong with the certificate; 0 if it has none.
    var verifyResult = 0
    var proxyVerifyResult = 0
    /// The files and directories of trusted certificates, as far as they are known.
    var trusted: [String] = []
    /// The address and port that was connected to.
    var address: TransportError.Peer?

    /// The error that libcurl's result stands for; nil if the transfer succeeded.
    func error(code: Int32, generalText: String) -> TransportError? {
        let reason = text.isEmpty ? generalText : text
        if code != CCURLE_OK, let error = detourError(code, reason) { return error }
        switch code {
        case CCURLE_OK:
            return hasHeaders ? nil : failure(.cutShort(.inHeaders))
        case CCURLE_COULDNT_RESOLVE_HOST:
            return failure(.nameNotResolved, party: .resolver)
        case CCURLE_COULDNT_CONNECT:
            return failure(.notConnected, detail: systemReason ?? reason)
        case CCURLE_OPERATION_TIMEDOUT:
            return timeout
        case CCURLE_GOT_NOTHING:
            return failure(.cutShort(.noResponse))
        case CCURLE_PARTIAL_FILE:
            guard hasHeaders else { return failure(.cutShort(.noResponse)) }
            return failure(.cutShort(.inBody(expected: announced > 0 ? announced : nil)))
        case CCURLE_SEND_ERROR where hasHeaders && received == announced:
            // The server responded before it had the whole request; what it did not read broke the connection.
            return nil
        case CCURLE_SEND_ERROR where !hasHeaders:
            return sendError(reason)
        case CCURLE_SEND_ERROR, CCURLE_RECV_ERROR:
            return receiveError(reason)
        case CCURLE_HTTP2:
            return failure(.cutShort(.http2Connection), detail: reason)
        case CCURLE_HTTP2_STREAM:
            // libcurl does not distinguish a stream that the server reset from one whose response broke a rule.
            let isRefused = !hasHeaders && reason.contains("REFUSED_STREAM")
            return failure(
                .cutShort(isRefused ? .http2Refused : .http2Stream(hasResponse: hasHeaders)), detail: reason)
        case CCURLE_UNSUPPORTED_PROTOCOL where !text.hasPrefix("Protocol"), CCURLE_WEIRD_SERVER_REPLY:
            return CurlErrors.malformedResponse(reason, from: server)
        case CCURLE_BAD_FUNCTION_ARGUMENT where isConnected:
            // What libcurl calls a header that it can't take apart.
            return CurlErrors.malformedResponse("invalid header", from: server)
        case CCURLE_TOO_LARGE where !hasHeaders, CCURLE_OUT_OF_MEMORY where !hasHeaders && isConnected:
            // Before 8.6 libcurl calls headers above its limits "out of memory".
            return failure(.notHTTP(.headersTooLarge))
        case CCURLE_SEND_FAIL_REWIND:
            return CurlErrors.invalidRequest("the request's body can't be sent a second time")
        case CCURLE_URL_MALFORMAT:
            return CurlErrors.invalidRequest("libcurl does not accept the URL")
        case _ where Self.tlsCodes.contains(code):
            return tlsError(code, reason)
        default:
            return failure(.other, detail: reason)
        }
    }

    /// An error of this transfer.
    func failure(
        _ cause: TransportError.Cause, phase: TransportError.Phase? = nil, party: TransportError.Party = .server,
        detail: String = ""
    ) -> TransportError {
        TransportError(
            cause, phase: phase, party: party, server: server, proxy: names.proxy, receivedBytes: received,
            detail: detail)
    }

    /// What went wrong before the server itself was involved: at the proxy, at the unix socket, at the attempt to reconnect.
    private func detourError(_ code: Int32, _ reason: String) -> TransportError? {
        let isUnconnected = code == CCURLE_COULDNT_CONNECT || code == CCURLE_COULDNT_RESOLVE_HOST
        if isLost, isUnconnected { return CurlErrors.lostRequest(method, to: server) }
        if server.unixSocket != nil, isUnconnected {
            return failure(.notConnected, detail: systemReason ?? reason)
        }
        return proxyError(code, reason)
    }

    /// The system's words for the error underneath, if there is one.
    var systemReason: String? { systemError == 0 ? nil : SystemError(number: systemError).inSentence }

    private var timeout: TransportError {
        if !isConnected {
            // libcurl's own limit for connecting is five minutes.
            let connecting = connectTimeout ?? .seconds(300)
            let limit: TransportError.Limit =
                if let remainingTime, remainingTime <= connecting { .whole(maxTime) } else { .connecting(connecting) }
            return failure(.timedOut(limit), phase: .connecting)
        }
        return failure(.timedOut(.whole(maxTime)))
    }

    private func sendError(_ reason: String) -> TransportError {
        if let error = clientCertificateError(reason) { return error }
        let how = reason.hasPrefix("Connection died") ? reason : systemReason ?? reason
        return failure(.cutShort(.broken), phase: .sending, detail: how)
    }

    private func receiveError(_ reason: String) -> TransportError {
        if reason.contains("chunk") { return CurlErrors.malformedResponse(reason, from: server) }
        if reason.contains("response headers") { return failure(.notHTTP(.headersTooLarge)) }
        if let error = clientCertificateError(reason) { return error }
        if reason.hasPrefix("Connection died") { return failure(.cutShort(.noResponse), detail: reason) }
        return failure(.cutShort(.broken), detail: systemReason ?? reason)
    }
}

extension TransferFacts {
    /// The facts of a transfer that has just ended.
    init(_ transfer: Transfer, hasHeaders: Bool, isLost: Bool) {
        let easy = transfer.easy
        let plan = transfer.plan
        self.init(
            server: plan.server, method: plan.method, names: plan.connection.names,
            maxTime: plan.maxTime, remainingTime: plan.maxMilliseconds.map { .milliseconds($0) },
            connectTimeout: plan.connectMilliseconds.map { .milliseconds($0) }, hasHeaders: hasHeaders,
            isLost: isLost, text: PasswordFilter.withoutPasswords(easy.lastErrorText),
            systemError: Int32(truncatingIfNeeded: easy.number(CCURLINFO_OS_ERRNO)),
            received: easy.receivedBytes,
            announced: easy.offset(CCURLINFO_CONTENT_LENGTH_DOWNLOAD_T),
            isConnected: easy.offset(CCURLINFO_PRETRANSFER_TIME_T) > 0,
            connectStatus: easy.number(CCURLINFO_HTTP_CONNECTCODE),
            verifyResult: easy.number(CCURLINFO_SSL_VERIFYRESULT),
            proxyVerifyResult: easy.number(CCURLINFO_PROXY_SSL_VERIFYRESULT), trusted: transfer.trustedPlaces)
        if let host = easy.text(CCURLINFO_PRIMARY_IP), !host.isEmpty {
            address = TransportError.Peer(host: host, port: easy.number(CCURLINFO_PRIMARY_PORT))
        }
    }
}
