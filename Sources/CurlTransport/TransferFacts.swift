import CSystem
import EndpointKit
import SystemCalls

/// The facts that libcurl and the callbacks know of a transfer that has ended, and the error that follows from them.
///
/// The error follows from libcurl's result code and numbers alone. Its text, which differs between versions, is only
/// shown.
struct TransferFacts {
    var server: TransportError.Peer
    var options = ConnectionOptions()
    var route = ProxyRoute.direct
    /// The limit to name in an error.
    var maxTime: Duration?
    /// The time that was left of ``maxTime`` when the transfer began.
    var remainingTime: Duration?
    var connectTimeout: Duration?
    /// Whether the final response's headers have arrived.
    var hasHeaders: Bool
    /// Whether libcurl decompresses the body.
    var isCompressed = false
    /// libcurl's text for this very error, without passwords; may be empty.
    var text: String
    /// The system's number for the error of the last connection that could not be made, or 0 if there was none.
    var systemError: Int32
    /// The number of bytes of the body that have arrived.
    var receivedByteCount: Int64
    /// The length of the body that the server has announced, or a negative number if there is none.
    var announcedByteCount: Int64
    /// Whether everything was ready to send the request: the connection, and TLS if there is any.
    var isConnected: Bool
    /// The proxy's status for the request to connect, or 0 if it was not asked.
    var connectStatus = 0
    /// OpenSSL's code for what is wrong with the server's certificate. It is 0 if nothing is wrong, and nil if libcurl
    /// uses another TLS library.
    var verifyResult: Int?
    /// OpenSSL's code for what is wrong with the certificate of an HTTPS proxy, as ``verifyResult`` for the server's.
    var proxyVerifyResult: Int?
    /// The files and directories of trusted certificates, as far as they are known.
    var trustedPaths: [String] = []

    /// Returns the error of the transfer, or nil if it succeeded.
    ///
    /// The steps of a transfer are asked in their order: an error belongs to the first step that knows its code.
    ///
    /// - Parameters:
    ///   - code: libcurl's result code (`CURLE_…`).
    ///   - generalText: libcurl's words for the code, for an error without a text of its own.
    func error(code: Int32, generalText: String) -> TransportError? {
        // The server has responded without reading the whole request, which breaks the connection.
        let isAnsweredEarly = code == CCURLE_SEND_ERROR && hasHeaders && receivedByteCount == announcedByteCount
        if isAnsweredEarly { return nil }
        let reason = text.isEmpty ? generalText : text
        if let error = proxyError(code: code, reason: reason) { return error }
        if let error = preparationError(code: code, reason: reason) { return error }
        if let error = securityError(code: code, reason: reason) { return error }
        if let error = connectionError(code: code, reason: reason) { return error }
        return responseError(code: code, reason: reason)
    }

    // MARK: Each step of a transfer

    /// Returns the error of a transfer that failed at the proxy, before the server itself was involved. It is nil if
    /// the proxy has not failed.
    ///
    /// - Parameters:
    ///   - code: libcurl's result code (`CURLE_…`).
    ///   - reason: libcurl's text for the error, which is only shown.
    private func proxyError(code: Int32, reason: String) -> TransportError? {
        if code == CCURLE_COULDNT_RESOLVE_PROXY {
            return proxyFailure(.nameNotResolved, detail: reason)
        }
        if code == CCURLE_COULDNT_CONNECT, case .proxy = route {
            return proxyFailure(.notConnected, detail: systemReason ?? reason)
        }
        // With a 2xx the proxy has made a tunnel to the server. A failure inside the tunnel is the server's.
        let didAnswerConnect = connectStatus > 0
        let didRefuseTunnel = didAnswerConnect && !(200..<300).contains(connectStatus)
        // Headers that have arrived are those of the server's response. Then the proxy has let the request through.
        if didRefuseTunnel, !hasHeaders { return proxyFailure(.proxy(refusal)) }
        let didConnectionBreakBeforeTunnel = isBeforeTunnel && Self.tunnelCodes.contains(code)
        if code == CCURLE_PROXY || didConnectionBreakBeforeTunnel {
            return proxyFailure(.proxy(.refused(status: nil)), detail: reason)
        }
        return nil
    }

    /// Returns the error of a transfer that could not begin, because of the request, its files, or libcurl itself. It
    /// is nil for any other result code.
    ///
    /// - Parameters:
    ///   - code: libcurl's result code (`CURLE_…`).
    ///   - reason: libcurl's text for the error, which is only shown.
    private func preparationError(code: Int32, reason: String) -> TransportError? {
        switch code {
        case CCURLE_URL_MALFORMAT:
            TransportError(.invalidRequest, detail: "libcurl does not accept the URL")
        case CCURLE_SEND_FAIL_REWIND:
            TransportError(.invalidRequest, detail: "the request's body can't be sent a second time")
        case CCURLE_NOT_BUILT_IN:
            TransportError(.unsupportedOption, detail: "this machine's libcurl lacks a part: \(reason)")
        case CCURLE_SSL_CERTPROBLEM:
            failure(
                .credentialFile(.clientCertificate, path: options.clientCertificate), phase: .handshaking,
                detail: reason)
        case CCURLE_SSL_CACERT_BADFILE:
            failure(
                .credentialFile(.certificateAuthorities, path: options.certificateAuthorities), phase: .handshaking,
                detail: reason)
        default: nil
        }
    }

    /// Returns the error of a transfer that failed in the TLS handshake, or nil for any other result code.
    ///
    /// - Parameters:
    ///   - code: libcurl's result code (`CURLE_…`).
    ///   - reason: libcurl's text for the error, which is only shown.
    private func securityError(code: Int32, reason: String) -> TransportError? {
        switch code {
        case CCURLE_PEER_FAILED_VERIFICATION:
            return certificateError(reason)
        case CCURLE_SSL_CLIENTCERT:
            if options.clientCertificate == nil { return failure(.clientCertificateRequired, detail: reason) }
            return failure(.clientCertificateRejected, detail: reason)
        case CCURLE_SSL_CONNECT_ERROR:
            // An HTTPS proxy that has not been asked to connect yet is the other end of the handshake.
            let isHandshakeWithProxy = route.peer?.usesTLS == true && connectStatus == 0
            return failure(.tls, party: isHandshakeWithProxy ? .proxy : .server, detail: reason)
        default:
            return nil
        }
    }

    /// Returns the error of a transfer that could not connect, or that could not send the request. It is nil for any
    /// other result code.
    ///
    /// - Parameters:
    ///   - code: libcurl's result code (`CURLE_…`).
    ///   - reason: libcurl's text for the error, which is only shown.
    private func connectionError(code: Int32, reason: String) -> TransportError? {
        switch code {
        case CCURLE_COULDNT_RESOLVE_HOST where server.unixSocket != nil:
            // libcurl's code for a path that is too long.
            return failure(.notConnected, detail: reason)
        case CCURLE_COULDNT_RESOLVE_HOST:
            return failure(.nameNotResolved)
        case CCURLE_COULDNT_CONNECT:
            // Where a proxy may be involved, only libcurl's text says whom it tried to connect to.
            if route == .unknown { return failure(.notConnected, detail: reason) }
            return failure(.notConnected, detail: systemReason ?? reason)
        case CCURLE_OPERATION_TIMEDOUT:
            return timeout
        case CCURLE_SEND_ERROR where !hasHeaders:
            return failure(.cutShort(.broken), phase: .sending, detail: reason)
        default:
            return nil
        }
    }

    /// Returns the error of a transfer whose response is invalid or incomplete, or nil if it succeeded.
    ///
    /// This is the last step of a transfer, so a code that no step knows becomes an error here too. Several codes mean
    /// different things before and after the headers have arrived, or in different versions of libcurl.
    ///
    /// - Parameters:
    ///   - code: libcurl's result code (`CURLE_…`).
    ///   - reason: libcurl's text for the error, which is only shown.
    private func responseError(code: Int32, reason: String) -> TransportError? {
        switch code {
        case CCURLE_OK:
            return hasHeaders ? nil : failure(.cutShort(.inHeaders))
        case CCURLE_GOT_NOTHING:
            return failure(.cutShort(.noResponse))
        case CCURLE_PARTIAL_FILE:
            guard hasHeaders else { return failure(.cutShort(.noResponse)) }
            let announcedLength = announcedByteCount > 0 ? announcedByteCount : nil
            return failure(.cutShort(.inBody(expected: announcedLength)))
        case CCURLE_SEND_ERROR, CCURLE_RECV_ERROR:
            return failure(.cutShort(.broken), detail: reason)
        case CCURLE_HTTP2, CCURLE_HTTP2_STREAM:
            return failure(.cutShort(.http2), detail: reason)
        case CCURLE_UNSUPPORTED_PROTOCOL where isConnected:
            // The status line is missing, as in HTTP/0.9, or it names a version of HTTP that libcurl does not know.
            return TransportError(.notHTTP, server: server, detail: reason)
        case CCURLE_WEIRD_SERVER_REPLY:
            return TransportError(.malformedResponse, server: server, detail: reason)
        case CCURLE_BAD_FUNCTION_ARGUMENT where isConnected:
            // This is libcurl's code for a header that it can't parse.
            return TransportError(.malformedResponse, server: server, detail: "invalid header")
        case CCURLE_TOO_LARGE, CCURLE_OUT_OF_MEMORY:
            return sizeError(code: code, reason: reason)
        case CCURLE_BAD_CONTENT_ENCODING, CCURLE_WRITE_ERROR:
            // The write callback itself never fails, so the data before it could not be decompressed.
            return failure(.contentCoding, detail: reason)
        default:
            return failure(.other, detail: reason)
        }
    }

    /// Returns the error of a response of which a part is larger than libcurl can hold, or for which memory is short.
    ///
    /// - Parameters:
    ///   - code: libcurl's result code: `CURLE_TOO_LARGE` or `CURLE_OUT_OF_MEMORY`.
    ///   - reason: libcurl's text for the error, which is only shown.
    private func sizeError(code: Int32, reason: String) -> TransportError {
        // Before version 8.6, libcurl calls headers above its limits "out of memory". Without a connection there are no
        // headers, so memory is really short.
        let areHeadersTooLarge = !hasHeaders && (code == CCURLE_TOO_LARGE || isConnected)
        if areHeadersTooLarge { return failure(.headersTooLarge) }
        if isCompressed {
            return failure(.contentCoding, detail: "a part of it is larger than libcurl can hold")
        }
        return failure(.other, detail: reason)
    }

    // MARK: Details

    /// Returns an error that names the server, the proxy and the number of bytes received.
    ///
    /// - Parameters:
    ///   - cause: The cause of the error.
    ///   - phase: The step of the transfer that failed. Unless given, it is the usual step of `cause`.
    ///   - party: The peer that failed: the server or the proxy.
    ///   - detail: A text for people, such as that of libcurl. It may be empty.
    private func failure(
        _ cause: TransportError.Cause, phase: TransportError.Phase? = nil, party: TransportError.Party = .server,
        detail: String = ""
    ) -> TransportError {
        TransportError(
            cause, phase: phase, party: party, server: server, proxy: route.peer, receivedBytes: receivedByteCount,
            detail: detail)
    }

    /// Returns an error for which the proxy is responsible, and not the server.
    private func proxyFailure(_ cause: TransportError.Cause, detail: String = "") -> TransportError {
        failure(cause, party: .proxy, detail: detail)
    }

    /// The system's words for the error underneath, if there is one.
    private var systemReason: String? { systemError == 0 ? nil : SystemError(number: systemError).reason }

    /// The codes with which the way to a tunnel may end: the connection broke, or the proxy's response is not HTTP.
    private static let tunnelCodes: Set<Int32> = [
        CCURLE_RECV_ERROR, CCURLE_SEND_ERROR, CCURLE_GOT_NOTHING, CCURLE_TOO_LARGE, CCURLE_OUT_OF_MEMORY,
        CCURLE_WEIRD_SERVER_REPLY, CCURLE_UNSUPPORTED_PROTOCOL,
    ]

    /// Whether a proxy should make a tunnel to the server, and has not.
    private var isBeforeTunnel: Bool {
        guard case .proxy = route else { return false }
        return server.usesTLS && !isConnected
    }

    /// Why the proxy refused the request to connect to the server, by the status of its response.
    ///
    /// A 407 asks for credentials (RFC 9110, section 15.5.8). With credentials sent, it means that they are wrong.
    private var refusal: TransportError.ProxyProblem {
        if case .proxy(_, sendsCredentials: true) = route, connectStatus == 407 || connectStatus == 401 {
            // Some proxies refuse a wrong password as a server would, with 401.
            return .credentialsRejected(status: connectStatus)
        }
        if connectStatus == 407 { return .credentialsRequired(status: 407) }
        return .refused(status: connectStatus)
    }

    /// The error for a limit that has passed: the limit of the whole transfer, or that of connecting.
    ///
    /// libcurl has one code for both. Before the connection is ready, the shorter limit is the one that has passed.
    private var timeout: TransportError {
        if isConnected { return failure(.timedOut(.whole(maxTime))) }
        // libcurl's own limit for connecting is five minutes.
        let connectLimit = connectTimeout ?? .seconds(300)
        if let remainingTime, remainingTime <= connectLimit {
            return failure(.timedOut(.whole(maxTime)), phase: .connecting)
        }
        return failure(.timedOut(.connecting(connectLimit)), phase: .connecting)
    }

    /// Returns the error for a certificate that could not be verified: that of the proxy, if OpenSSL has found a
    /// problem with it, or else that of the server.
    ///
    /// OpenSSL's code for a certificate is 0 if it has found no problem. The code is nil if libcurl uses another TLS
    /// library, which does not tell the problem.
    ///
    /// If the issuer is not trusted, the error lists the files and directories in which it was looked for.
    ///
    /// - Parameter reason: libcurl's text for the error, which is only shown.
    private func certificateError(_ reason: String) -> TransportError {
        let owner: TransportError.Party
        let openSSLCode: Int?
        if let proxyVerifyResult, proxyVerifyResult != 0 {
            owner = .proxy
            openSSLCode = proxyVerifyResult
        } else {
            owner = .server
            openSSLCode = verifyResult
        }
        let problem = openSSLCode.map(Self.certificateProblem) ?? .other
        var error = failure(.certificate(problem), party: owner, detail: reason)
        if problem.isIssuerUntrusted { error.searched = trustedPaths }
        return error
    }

    /// Returns the problem that OpenSSL has found with a certificate: `expired` for 10 (`X509_V_ERR_CERT_HAS_EXPIRED`).
    ///
    /// - Parameter verifyResult: OpenSSL's result of verifying the certificate. The numbers are in its `x509_vfy.h`.
    static func certificateProblem(_ verifyResult: Int) -> TransportError.CertificateProblem {
        switch verifyResult {
        // libcurl itself compares the names, before it asks OpenSSL for the result: until then it is 1. 62 and 64 are
        // OpenSSL's own results for another host name and another IP address.
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
    /// Collects what is known of a transfer that has just ended: from its plan, and from libcurl's answers about it.
    ///
    /// - Parameters:
    ///   - transfer: The transfer, whose handle still exists.
    ///   - hasHeaders: Whether the final response's headers have arrived.
    init(_ transfer: Transfer, hasHeaders: Bool) {
        let plan = transfer.plan
        let options = plan.connection.options
        server = plan.server
        self.options = options
        let usedProxy = transfer.easy.knownNumber(CCURLINFO_USED_PROXY).map { $0 != 0 }
        route = ProxyRoute(to: plan.server, option: options.proxy, usedProxy: usedProxy)
        maxTime = plan.maxTime
        remainingTime = plan.maxMilliseconds.map { .milliseconds($0) }
        connectTimeout = plan.connectMilliseconds.map { .milliseconds($0) }
        self.hasHeaders = hasHeaders
        isCompressed = transfer.isCompressed
        text = transfer.easy.lastErrorText.withoutUserInformation
        systemError = Int32(truncatingIfNeeded: transfer.easy.number(CCURLINFO_OS_ERRNO))
        receivedByteCount = transfer.easy.receivedBytes
        announcedByteCount = transfer.easy.offset(CCURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        // The time at which the request could be sent is 0 until then.
        isConnected = transfer.easy.offset(CCURLINFO_PRETRANSFER_TIME_T) > 0
        connectStatus = transfer.easy.number(CCURLINFO_HTTP_CONNECTCODE)
        if transfer.easy.usesOpenSSL {
            verifyResult = transfer.easy.number(CCURLINFO_SSL_VERIFYRESULT)
            proxyVerifyResult = transfer.easy.number(CCURLINFO_PROXY_SSL_VERIFYRESULT)
        }
        trustedPaths = transfer.trustedPaths
    }
}

extension String {
    /// A message of libcurl without the user and password of the URL in it.
    ///
    ///     Could not resolve proxy 'me:secret@squid'    Could not resolve proxy 'squid'
    ///
    /// Everything from the start of the first URL or quotation to the last `@` is removed. The last `@` counts, because
    /// a password may hold quotes, blanks and further `@`.
    var withoutUserInformation: String {
        let bytes = exactBytes
        guard let lastAt = bytes.lastIndex(of: UInt8(ascii: "@")) else { return self }
        let start = bytes[...lastAt].indices.first { index in
            let prefix = bytes[..<index]
            let followsScheme = prefix.suffix(3).elementsEqual("://".utf8)
            let followsQuote = prefix.suffix(2).elementsEqual(" '".utf8)
            return followsScheme || followsQuote
        }
        guard let start else { return self }
        return String(exactBytes: bytes[..<start] + bytes[(lastAt + 1)...])
    }
}
