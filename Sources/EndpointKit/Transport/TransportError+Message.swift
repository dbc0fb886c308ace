extension TransportError {
    /// The failure in one sentence without a full stop, such as `could not connect to 127.0.0.1 port 9: connection
    /// refused`.
    public var description: String { message }

    /// The failure in one sentence for a person, without a full stop: the text of ``description``.
    ///
    /// It ends with what the system or a library says about it: `: connection refused`, or the same in parentheses.
    package var message: String {
        switch cause {
        case .nameNotResolved: nameMessage
        case .notConnected: connectMessage
        case .timedOut(let limit): timeoutMessage(limit)
        case .tls: "no secure connection to \(partyAddress)\(reasonAfterColon)"
        case .certificate(let problem): certificateMessage(problem)
        case .clientCertificateRequired: "\(serverName) requires a client certificate\(reasonInParentheses)"
        case .clientCertificateRejected: "\(serverName) does not accept the client certificate\(reasonInParentheses)"
        case .credentialFile(let file, let path): fileMessage(file, path: path)
        case .proxy(let problem): proxyMessage(problem)
        case .cutShort(let ending): cutShortMessage(ending)
        case .headersTooLarge: "the response headers of \(serverName) are too large\(reasonInParentheses)"
        case .notHTTP, .malformedResponse: "the response of \(serverName) is not HTTP\(reasonInParentheses)"
        case .contentCoding: "the response of \(serverName) can't be decompressed\(reasonInParentheses)"
        case .tooManyRedirects(let limit, let chain): redirectsMessage(limit: limit, chain: chain)
        case .unreadableBody(let path): "can't read \(path)\(reasonAfterColon)"
        case .unsafeRedirect, .invalidRequest, .libraryMissing, .unsupportedOption: detail
        case .other: server == nil ? detail : "the transfer from \(serverName) failed\(reasonAfterColon)"
        }
    }

    // MARK: Parts of messages

    /// The text of the system or library as a reason after a colon: `: connection refused`. Empty if there is none.
    private var reasonAfterColon: String { detail.isEmpty ? "" : ": \(detail)" }
    /// The text of the system or library in parentheses: ` (connection refused)`. Empty if there is none.
    private var reasonInParentheses: String { detail.isEmpty ? "" : " (\(detail))" }

    /// The server's host name: `api.example.com`.
    private var serverName: String { server?.host ?? "the server" }

    /// The server with its port: `api.example.com port 443`.
    private var serverAddress: String {
        guard let server else { return "the server" }
        guard let port = server.port else { return server.host }
        return "\(server.host) port \(port)"
    }

    /// The proxy with its address: `the proxy at localhost:8080`.
    private var proxyName: String {
        guard let proxy else { return "the proxy" }
        return "the proxy at \(proxy.authority)"
    }

    /// The server or proxy that failed.
    private var partyName: String { party == .proxy ? proxyName : serverName }
    /// The server or proxy that failed, with its port.
    private var partyAddress: String { party == .proxy ? proxyName : serverAddress }

    /// ` (1024 bytes received)`; empty if the number is unknown.
    private var receivedInParentheses: String {
        guard let receivedBytes else { return "" }
        return " (\(receivedBytes) bytes received)"
    }

    // MARK: Messages of a cause

    /// The message for a host name without an address.
    private var nameMessage: String {
        switch party {
        case .proxy:
            guard let proxy else { return "could not resolve the proxy's host name\(reasonAfterColon)" }
            return "could not resolve the proxy's host name \(proxy.host)"
        case .server:
            guard let server else { return "could not resolve the host name" }
            return "could not resolve the host name \(server.host)"
        }
    }

    /// The message for a connection that could not be made.
    private var connectMessage: String {
        if let socket = server?.unixSocket {
            return "could not connect to the unix socket \(socket)\(reasonAfterColon)"
        }
        return "could not connect to \(partyAddress)\(reasonAfterColon)"
    }

    /// Returns the message for a certificate that is not accepted, with the files in which its issuer was looked for.
    private func certificateMessage(_ problem: CertificateProblem) -> String {
        let fault = "the certificate of \(partyName) \(problem.rawValue)"
        if searched.isEmpty { return fault + reasonInParentheses }
        return "\(fault): it is not in \(searched.joined(separator: " or "))\(reasonInParentheses)"
    }

    /// Returns the message for a proxy that did not connect to the server.
    private func proxyMessage(_ problem: ProxyProblem) -> String {
        switch problem {
        case .credentialsRequired(let status): return "\(proxyName) requires credentials (\(status))"
        case .credentialsRejected(let status): return "\(proxyName) does not accept the credentials (\(status))"
        case .refused(let status):
            let refusal = "\(proxyName) did not connect to \(serverAddress)"
            guard let status else { return refusal + reasonAfterColon }
            return "\(refusal) (\(status))"
        }
    }

    /// Returns the message for too many redirects: `more than 10 redirects, in a loop: https://a.example → …`.
    private func redirectsMessage(limit: Int, chain: [String]) -> String {
        let redirects = limit == 1 ? "redirect" : "redirects"
        let loop = cause.isRedirectLoop ? ", in a loop" : ""
        return "more than \(limit) \(redirects)\(loop): \(chain.joined(separator: " → "))"
    }

    /// Returns the message for a time limit that ended, such as `no connection to api.example.com within 5 s`.
    private func timeoutMessage(_ limit: Limit) -> String {
        switch limit {
        case .connecting(let time):
            return "\(noConnection) within \(time.inWords)"
        case .idle(let time):
            let silence = time?.inWords ?? "too long"
            return "\(serverName) was silent for \(silence)\(receivedInParentheses)"
        case .whole(let time):
            guard let time else { return wholeTimeoutMessage("in time") }
            return wholeTimeoutMessage("within \(time.inWords)")
        }
    }

    /// Returns the message for the limit of the whole transfer, by the phase in which it ended.
    ///
    /// - Parameter limitInWords: The limit as it ends the sentence: `within 30 s`, or `in time` if it is not known.
    private func wholeTimeoutMessage(_ limitInWords: String) -> String {
        switch phase {
        case .receiving, .sending: "no complete response from \(serverName) \(limitInWords)\(receivedInParentheses)"
        case .decoding: "the response of \(serverName) was not decoded \(limitInWords)"
        case .redirecting: "no response \(limitInWords)\(detail.isEmpty ? "" : ", \(detail)")"
        case .preparing, .resolving, .connecting, .tunnelling, .handshaking: "\(noConnection) \(limitInWords)"
        }
    }

    /// The start of a sentence: `no connection through the proxy at localhost:8080 to api.example.com`.
    private var noConnection: String {
        let route = proxy == nil ? "" : " through \(proxyName)"
        return "no connection\(route) to \(serverName)"
    }

    /// Returns the message for a file that can't be read, or whose content a library refuses.
    private func fileMessage(_ file: CredentialFile, path: String?) -> String {
        var name = file.rawValue
        if let path {
            // Certificate authorities are many, so they are in the file. The others are the file.
            name += file == .certificateAuthorities ? " in " : " "
            name += path.isEmpty ? "''" : path
        }
        if phase == .preparing { return "can't read \(name)\(reasonAfterColon)" }
        return "can't use \(name)" + (file == .certificateAuthorities ? reasonAfterColon : reasonInParentheses)
    }

    /// Returns the message for a connection that ended before the response did, such as `api.example.com closed the
    /// connection after 100 of 2000 bytes`.
    ///
    /// - Parameter ending: How the connection ended.
    private func cutShortMessage(_ ending: CutShort) -> String {
        let serverClosed = "\(serverName) closed the connection"
        switch ending {
        case .noResponse:
            return "\(serverClosed) without a response\(reasonInParentheses)"
        case .inHeaders:
            return "\(serverClosed) in the middle of the response headers"
        case .inBody(let expectedBytes):
            guard let expectedBytes, let receivedBytes else {
                return "\(serverClosed) before the end of the response\(receivedInParentheses)"
            }
            return "\(serverClosed) after \(receivedBytes) of \(expectedBytes) bytes"
        case .broken:
            return "the connection to \(serverName) broke \(breakMomentInWords)\(reasonAfterColon)"
        case .http2:
            return "the HTTP/2 connection to \(serverName) broke\(reasonInParentheses)"
        case .requestLost(let method):
            let consequence = "the \(method.rawValue) is not repeated because the server may have processed it"
            return "\(serverClosed) without a response; \(consequence)"
        }
    }

    /// When a connection broke: `after 1024 bytes of the response`.
    private var breakMomentInWords: String {
        if phase == .sending { return "while the request was sent" }
        guard let receivedBytes else { return "before the end of the response" }
        return "after \(receivedBytes) bytes of the response"
    }
}

extension TransportError.Cause {
    /// Whether the redirects form a loop: the last URL was visited before.
    package var isRedirectLoop: Bool {
        guard case .tooManyRedirects(_, let chain) = self, let last = chain.last else { return false }
        return chain.dropLast().contains(last)
    }
}

extension Duration {
    /// The duration for a message, rounded to milliseconds: `250 ms`, `2 s`, `1.05 s`.
    fileprivate var inWords: String {
        // The limit of 30,000 years keeps the milliseconds within an `Int`.
        let limitedDuration = max(.zero, min(self, .seconds(1_000_000_000_000)))
        let totalMilliseconds = Int((limitedDuration / .milliseconds(1)).rounded())
        if totalMilliseconds < 1000 { return "\(totalMilliseconds) ms" }
        let (seconds, milliseconds) = totalMilliseconds.quotientAndRemainder(dividingBy: 1000)
        if milliseconds == 0 { return "\(seconds) s" }
        // Adding 1000 keeps the leading zeros: 50 becomes 1050, whose last three digits are 050.
        var decimals = String(1000 + milliseconds).dropFirst()
        while decimals.hasSuffix("0") { decimals.removeLast() }
        return "\(seconds).\(decimals) s"
    }
}
