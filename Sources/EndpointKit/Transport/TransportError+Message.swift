extension TransportError {
    public var description: String { message }

    /// The failure in one sentence without a full stop, such as `could not connect to 127.0.0.1 port 9: connection refused`.
    public var message: String {
        switch cause {
        case .nameNotResolved:
            party == .proxy
                ? "could not resolve the proxy's host name\(proxy.map { " \($0.host)" } ?? "")"
                : "could not resolve the host name\(server.map { " \($0.host)" } ?? "")"
        case .notConnected: withReason("could not connect to \(connected)")
        case .timedOut(let limit): timeoutMessage(limit)
        case .tls(let problem): tlsMessage(problem)
        case .certificate(let problem): withDetail("the certificate of \(name) \(problem.rawValue)\(search)")
        case .clientCertificate(.required): withDetail("\(serverName) requires a client certificate")
        case .clientCertificate(.rejected): withDetail("\(serverName) does not accept the client certificate")
        case .credentialFile(let file, let path): fileMessage(file, path)
        case .proxy(let problem): proxyMessage(problem)
        case .cutShort(let cut): cutMessage(cut)
        case .notHTTP(.headersTooLarge): withDetail("the response headers of \(serverName) are too large")
        case .notHTTP(.noStatusLine), .notHTTP(.malformed): withDetail("the response of \(serverName) is not HTTP")
        case .contentCoding: withDetail("the response of \(serverName) can't be decompressed")
        case .tooManyRedirects(let limit, let chain):
            "more than \(limit) redirects\(cause.isRedirectLoop ? ", in a loop" : ""): "
                + chain.joined(separator: " → ")
        case .unsafeRedirect(let problem, let from): "\(from) redirects \(problem.words)"
        case .unreadableBody(let path): withReason("can't read \(path)")
        case .invalidRequest, .libraryMissing, .unsupportedOption: detail
        case .other: server == nil ? detail : withReason("the transfer from \(serverName) failed")
        }
    }

    private var serverName: String { server?.host ?? "the server" }
    private var serverAddress: String {
        server.map { server in server.host + (server.port.map { " port \($0)" } ?? "") } ?? "the server"
    }
    private var proxyName: String {
        proxy.map { "the proxy at \($0.authority)" } ?? "the proxy"
    }
    /// The name of the failed party.
    private var name: String { party == .proxy ? proxyName : serverName }
    /// The failed party with its port.
    private var address: String { party == .proxy ? proxyName : serverAddress }
    /// The address or unix socket to connect to.
    private var connected: String { server?.unixSocket.map { "the unix socket \($0)" } ?? address }

    private func withDetail(_ text: String) -> String { detail.isEmpty ? text : "\(text) (\(detail))" }
    private func withReason(_ text: String) -> String { detail.isEmpty ? text : "\(text): \(detail)" }

    /// Where a certificate's issuer was looked for.
    private var search: String { searched.isEmpty ? "" : ": it is not in \(searched.joined(separator: " or "))" }

    private var received: String { receivedBytes.map { " (\($0) bytes received)" } ?? "" }

    private func timeoutMessage(_ limit: Limit) -> String {
        let way = proxy == nil ? "" : "through \(proxyName) "
        switch limit {
        case .connecting(let time): return "no connection \(way)to \(serverName) within \(time.inWords)"
        case .idle(let time):
            return "\(serverName) was silent for \(time.map(\.inWords) ?? "too long")\(received)"
        case .whole(let time):
            let within = time.map { " within \($0.inWords)" } ?? " in time"
            return switch phase {
            case .receiving, .sending: "no complete response from \(serverName)\(within)\(received)"
            case .decoding: "the response of \(serverName) was not decoded\(within)"
            case .redirecting: "no response\(within)\(detail.isEmpty ? "" : ", \(detail)")"
            default: "no connection \(way)to \(serverName)\(within)"
            }
        }
    }

    private func tlsMessage(_ problem: TLSProblem) -> String {
        switch problem {
        case .notTLS: withDetail("\(address) does not speak TLS")
        case .closed: withDetail("\(name) closed the connection during the TLS handshake")
        case .failed: withReason("no secure connection to \(address)")
        }
    }

    private func fileMessage(_ file: CredentialFile, _ path: String?) -> String {
        let shown = path.map { $0.isEmpty ? "''" : $0 }
        let subject =
            switch file {
            case .certificateAuthorities: "the certificate authorities\(shown.map { " in \($0)" } ?? "")"
            case .clientCertificate: "the client certificate\(shown.map { " \($0)" } ?? "")"
            case .clientKey: "the client's key\(shown.map { " \($0)" } ?? "")"
            }
        if phase == .preparing { return withReason("can't read \(subject)") }
        if file == .certificateAuthorities { return withReason("can't use \(subject)") }
        let advice = file == .clientKey ? "; it belongs to another certificate, or its passphrase is wrong" : ""
        return withDetail("can't use \(subject)") + advice
    }

    private func proxyMessage(_ problem: ProxyProblem) -> String {
        switch problem {
        case .credentialsRequired(let status): "\(proxyName) requires credentials (\(status))"
        case .credentialsRejected(let status): "\(proxyName) does not accept the credentials (\(status))"
        case .refused(let status?): "\(proxyName) did not connect to \(serverAddress) (\(status))"
        case .refused(nil): withReason("\(proxyName) did not connect to \(serverAddress)")
        }
    }

    private func cutMessage(_ cut: CutShort) -> String {
        switch cut {
        case .noResponse: return withDetail("\(serverName) closed the connection without a response")
        case .inHeaders: return "\(serverName) closed the connection in the middle of the response headers"
        case .inBody(let expected):
            guard let expected, let receivedBytes else {
                return "\(serverName) closed the connection before the end of the response\(received)"
            }
            return "\(serverName) closed the connection after \(receivedBytes) of \(expected) bytes"
        case .inContentCoding: return withDetail("the response of \(serverName) can't be decompressed")
        case .broken:
            if phase == .sending {
                return withReason("the connection to \(serverName) broke while the request was sent")
            }
            let place =
                receivedBytes.map { "after \($0) bytes of the response" } ?? "before the end of the response"
            return withReason("the connection to \(serverName) broke \(place)")
        case .http2Connection: return withDetail("the HTTP/2 connection to \(serverName) broke")
        case .http2Stream(hasResponse: true): return withDetail("\(serverName) ended the response early")
        case .http2Stream(hasResponse: false):
            return withDetail("the HTTP/2 stream to \(serverName) ended without a response")
        case .http2Refused: return withDetail("\(serverName) refused to respond")
        case .requestLost(let method):
            return "\(serverName) closed the connection without a response; "
                + "the \(method.rawValue) is not repeated because the server may have processed it"
        }
    }
}

extension TransportError.Cause {
    /// Whether the redirects form a loop: the last URL was visited before.
    package var isRedirectLoop: Bool {
        guard case .tooManyRedirects(_, let chain) = self, let last = chain.last else { return false }
        return chain.dropLast().contains(last)
    }
}

extension TransportError.RedirectProblem {
    fileprivate var words: String {
        switch self {
        case .credentialsInPlainText(let target): "a request with credentials to plain http: \(target)"
        case .leaksCredential(let target): "a credential to another origin: \(target)"
        case .invalidURL: "to an invalid URL"
        case .unsupportedScheme(let scheme): "to \(scheme):, which is not followed"
        }
    }
}

extension Duration {
    /// `250 ms`, `2 s`, `1.05 s`; at most 30,000 years, so that the milliseconds fit.
    fileprivate var inWords: String {
        let milliseconds = Int((max(.zero, min(self, .seconds(1_000_000_000_000))) / .milliseconds(1)).rounded())
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        if rest == 0 { return "\(seconds) s" }
        var digits = String(String(1000 + rest).dropFirst())
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(seconds).\(digits) s"
    }
}
