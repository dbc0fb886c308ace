import CCurl
import EndpointKit
import SystemCalls

/// What libcurl knows of a transfer that has ended.
struct TransferFacts {
    var server: TransportError.Peer
    var method: HTTPMethod = .get
    var options = ConnectionOptions()
    /// The limit to name in an error.
    var maxTime: Duration?
    /// What was left of it when the transfer began.
    var remainingTime: Duration?
    var connectTimeout: Duration?
    var hasHeaders: Bool
    /// Whether a request that must not be repeated was sent over a used connection: if libcurl connects again, it was lost.
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
    /// OpenSSL's number for what is wrong with the certificate; 0 if it finds nothing, nil if libcurl's TLS library is another one.
    var verifyResult: Int?
    var proxyVerifyResult: Int?
    /// The files and directories of trusted certificates, as far as they are known.
    var trusted: [String] = []
    /// The address and port that was connected to.
    var address: TransportError.Peer?

    /// The error that libcurl's result stands for; nil if the transfer succeeded.
    func error(code: Int32, generalText: String) -> TransportError? {
        let reason = text.isEmpty ? generalText : text
        if code != CCURLE_OK, let error = proxyOrSocketError(code, reason) { return error }
        switch code {
        case CCURLE_OK:
            return hasHeaders ? nil : failure(.cutShort(.inHeaders))
        case CCURLE_COULDNT_RESOLVE_HOST:
            return failure(.nameNotResolved)
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
            let how = reason.hasPrefix("Connection died") ? reason : systemReason ?? reason
            return failure(.cutShort(.broken), phase: .sending, detail: how)
        case CCURLE_SEND_ERROR, CCURLE_RECV_ERROR:
            return receiveError(reason)
        case CCURLE_HTTP2, CCURLE_HTTP2_STREAM:
            return failure(.cutShort(.http2), detail: reason)
        case CCURLE_UNSUPPORTED_PROTOCOL where !text.hasPrefix("Protocol"), CCURLE_WEIRD_SERVER_REPLY:
            return .malformedResponse(reason, from: server)
        case CCURLE_BAD_FUNCTION_ARGUMENT where isConnected:
            // What libcurl calls a header that it can't take apart.
            return .malformedResponse("invalid header", from: server)
        case CCURLE_TOO_LARGE where !hasHeaders, CCURLE_OUT_OF_MEMORY where !hasHeaders && isConnected:
            // Before 8.6 libcurl calls headers above its limits "out of memory".
            return failure(.headersTooLarge)
        case CCURLE_SEND_FAIL_REWIND:
            return TransportError(.invalidRequest, detail: "the request's body can't be sent a second time")
        case CCURLE_URL_MALFORMAT:
            return TransportError(.invalidRequest, detail: "libcurl does not accept the URL")
        case CCURLE_PEER_FAILED_VERIFICATION:
            return certificateError(reason)
        case CCURLE_SSL_CERTPROBLEM:
            let isKey = options.clientKey != nil && reason.contains("private key")
            return failure(
                isKey
                    ? .credentialFile(.clientKey, path: options.clientKey)
                    : .credentialFile(.clientCertificate, path: options.clientCertificate),
                phase: .handshaking, detail: reason)
        case CCURLE_SSL_CLIENTCERT:
            let isMissing = options.clientCertificate == nil
            return failure(isMissing ? .clientCertificateRequired : .clientCertificateRejected, detail: reason)
        case CCURLE_SSL_CACERT_BADFILE:
            return failure(
                .credentialFile(.certificateAuthorities, path: options.certificateAuthorities), phase: .handshaking,
                detail: reason)
        case CCURLE_SSL_CONNECT_ERROR:
            let isProxys = options.proxyPeer?.usesTLS == true && connectStatus == 0
            return failure(.handshake(openSSL: reason), party: isProxys ? .proxy : .server, detail: reason)
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
            cause, phase: phase, party: party, server: server, proxy: options.proxyPeer, receivedBytes: received,
            detail: detail)
    }

    /// The system's words for the error underneath, if there is one.
    var systemReason: String? { systemError == 0 ? nil : SystemError(number: systemError).inSentence }

    private var timeout: TransportError {
        guard !isConnected else { return failure(.timedOut(.whole(maxTime))) }
        // libcurl's own limit for connecting is five minutes.
        let connecting = connectTimeout ?? .seconds(300)
        let isWhole = remainingTime.map { $0 <= connecting } ?? false
        return failure(.timedOut(isWhole ? .whole(maxTime) : .connecting(connecting)), phase: .connecting)
    }

    private func receiveError(_ reason: String) -> TransportError {
        if reason.contains("chunk") { return .malformedResponse(reason, from: server) }
        if reason.contains("response headers") { return failure(.headersTooLarge) }
        if reason.hasPrefix("Connection died") { return failure(.cutShort(.noResponse), detail: reason) }
        return failure(.cutShort(.broken), detail: systemReason ?? reason)
    }

    private func certificateError(_ reason: String) -> TransportError {
        let isProxys = (proxyVerifyResult ?? 0) != 0
        let problem = (isProxys ? proxyVerifyResult : verifyResult).map(Self.certificateProblem) ?? .other
        var error = failure(.certificate(problem), party: isProxys ? .proxy : .server, detail: reason)
        if problem == .unknownIssuer || problem == .selfSigned { error.searched = trusted }
        return error
    }

    /// What OpenSSL's number for a certificate means (`X509_V_ERR_…`).
    static func certificateProblem(_ verifyResult: Int) -> TransportError.CertificateProblem {
        switch verifyResult {
        // libcurl itself compares the names, before it asks for the number: until then it is 1.
        case 0, 1, 62, 64: .wrongHost
        case 9: .notYetValid
        case 10: .expired
        case 18: .selfSigned
        case 2, 19, 20, 21: .unknownIssuer
        default: .other
        }
    }
}

extension TransferFacts {
    /// The facts of a transfer that has just ended.
    init(_ transfer: Transfer, hasHeaders: Bool, isLost: Bool) {
        let plan = transfer.plan
        let usesOpenSSL = transfer.easy.usesOpenSSL
        self.init(
            server: plan.server, method: plan.method, options: plan.connection.options,
            maxTime: plan.maxTime, remainingTime: plan.maxMilliseconds.map { .milliseconds($0) },
            connectTimeout: plan.connectMilliseconds.map { .milliseconds($0) }, hasHeaders: hasHeaders,
            isLost: isLost, text: transfer.easy.lastErrorText.withoutUserInformation,
            systemError: Int32(truncatingIfNeeded: transfer.easy.number(CCURLINFO_OS_ERRNO)),
            received: transfer.easy.receivedBytes,
            announced: transfer.easy.offset(CCURLINFO_CONTENT_LENGTH_DOWNLOAD_T),
            isConnected: transfer.easy.offset(CCURLINFO_PRETRANSFER_TIME_T) > 0,
            connectStatus: transfer.easy.number(CCURLINFO_HTTP_CONNECTCODE),
            verifyResult: usesOpenSSL ? transfer.easy.number(CCURLINFO_SSL_VERIFYRESULT) : nil,
            proxyVerifyResult: usesOpenSSL ? transfer.easy.number(CCURLINFO_PROXY_SSL_VERIFYRESULT) : nil,
            trusted: transfer.trustedPlaces)
        if let host = transfer.easy.text(CCURLINFO_PRIMARY_IP), !host.isEmpty {
            address = TransportError.Peer(host: host, port: transfer.easy.number(CCURLINFO_PRIMARY_PORT))
        }
    }
}

extension TransportError {
    /// The response breaks a rule of HTTP's framing.
    static func malformedResponse(_ reason: String, from server: Peer) -> TransportError {
        // libcurl takes bytes without a status line for HTTP/0.9, which had none.
        TransportError(reason.contains("HTTP/0.9") ? .notHTTP : .malformedResponse, server: server, detail: reason)
    }

    /// A request that must not be sent twice was sent over a connection that ended without a response.
    static func lostRequest(_ method: HTTPMethod, to server: Peer) -> TransportError {
        TransportError(.cutShort(.requestLost(method: method)), server: server)
    }
}

extension String {
    /// This text of libcurl's without user and password: without all from the start of the first URL or quotation to the last `@`.
    ///
    /// libcurl quotes a proxy with its password, which may hold quotes and spaces.
    var withoutUserInformation: String {
        let bytes = exactBytes
        guard let end = bytes.lastIndex(of: UInt8(ascii: "@")),
            let start = bytes[...end].indices.first(where: { index in
                bytes[..<index].suffix(3).elementsEqual("://".utf8)
                    || bytes[..<index].suffix(2).elementsEqual(" '".utf8)
            })
        else { return self }
        return String(exactBytes: bytes[..<start] + bytes[(end + 1)...])
    }
}
