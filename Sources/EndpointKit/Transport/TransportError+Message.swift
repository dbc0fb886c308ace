extension TransportError {
    /// The failure in one sentence without a full stop, such as `could not connect to 127.0.0.1 port 9: connection refused`.
    public var description: String { message }

    package var message: String {
        switch cause {
        case .nameNotResolved where party == .proxy:
            "could not resolve the proxy's host name" + (proxy.map { " \($0.host)" } ?? reason)
        case .nameNotResolved: "could not resolve the host name" + (server.map { " \($0.host)" } ?? "")
        case .notConnected:
            "could not connect to \(server?.unixSocket.map { "the unix socket \($0)" } ?? address)\(reason)"
        case .timedOut(let limit): timeoutMessage(limit)
        case .tls: "no secure connection to \(address)\(reason)"
        case .certificate(let problem):
            "the certificate of \(name) \(problem.rawValue)"
                + (searched.isEmpty ? "" : ": it is not in \(searched.joined(separator: " or "))") + note
        case .clientCertificateRequired: "\(serverName) requires a client certificate\(note)"
        case .clientCertificateRejected: "\(serverName) does not accept the client certificate\(note)"
        case .credentialFile(let file, let path): fileMessage(file, path)
        case .proxy(.credentialsRequired(let status)): "\(proxyName) requires credentials (\(status))"
        case .proxy(.credentialsRejected(let status)): "\(proxyName) does not accept the credentials (\(status))"
        case .proxy(.refused(let status)):
            "\(proxyName) did not connect to \(serverAddress)" + (status.map { " (\($0))" } ?? reason)
        case .cutShort(let cut): cutMessage(cut)
        case .headersTooLarge: "the response headers of \(serverName) are too large\(note)"
        case .notHTTP, .malformedResponse: "the response of \(serverName) is not HTTP\(note)"
        case .contentCoding: "the response of \(serverName) can't be decompressed\(note)"
        case .tooManyRedirects(let limit, let chain):
            "more than \(limit) redirect\(limit == 1 ? "" : "s")\(cause.isRedirectLoop ? ", in a loop" : ""): "
                + chain.joined(separator: " → ")
        case .unreadableBody(let path): "can't read \(path)\(reason)"
        case .unsafeRedirect, .invalidRequest, .libraryMissing, .unsupportedOption: detail
        case .other: server == nil ? detail : "the transfer from \(serverName) failed\(reason)"
        }
    }

    /// The library's text as the reason for what is said before it, or beside that.
    private var reason: String { detail.isEmpty ? "" : ": \(detail)" }
    private var note: String { detail.isEmpty ? "" : " (\(detail))" }

    private var serverName: String { server?.host ?? "the server" }
    private var serverAddress: String {
        server.map { server in server.host + (server.port.map { " port \($0)" } ?? "") } ?? "the server"
    }
    private var proxyName: String { proxy.map { "the proxy at \($0.authority)" } ?? "the proxy" }
    /// The failed party, and the same with its port.
    private var name: String { party == .proxy ? proxyName : serverName }
    private var address: String { party == .proxy ? proxyName : serverAddress }

    private var received: String { receivedBytes.map { " (\($0) bytes received)" } ?? "" }

    private func timeoutMessage(_ limit: Limit) -> String {
        let way = "no connection " + (proxy == nil ? "" : "through \(proxyName) ") + "to \(serverName)"
        switch limit {
        case .connecting(let time): return "\(way) within \(time.inWords)"
        case .idle(let time):
            return "\(serverName) was silent for \(time.map(\.inWords) ?? "too long")\(received)"
        case .whole(let time):
            let within = time.map { " within \($0.inWords)" } ?? " in time"
            return switch phase {
            case .receiving, .sending: "no complete response from \(serverName)\(within)\(received)"
            case .decoding: "the response of \(serverName) was not decoded\(within)"
            case .redirecting: "no response\(within)\(detail.isEmpty ? "" : ", \(detail)")"
            default: way + within
            }
        }
    }

    private func fileMessage(_ file: CredentialFile, _ path: String?) -> String {
        let place = path.map { (file == .certificateAuthorities ? " in " : " ") + ($0.isEmpty ? "''" : $0) } ?? ""
        if phase == .preparing { return "can't read \(file.rawValue)\(place)\(reason)" }
        return "can't use \(file.rawValue)\(place)" + (file == .certificateAuthorities ? reason : note)
    }

    private func cutMessage(_ cut: CutShort) -> String {
        let closed = "\(serverName) closed the connection"
        let broke = "the connection to \(serverName) broke"
        return switch cut {
        case .noResponse: "\(closed) without a response\(note)"
        case .inHeaders: "\(closed) in the middle of the response headers"
        case .inBody(let expected):
            expected.flatMap { all in receivedBytes.map { "\(closed) after \($0) of \(all) bytes" } }
                ?? "\(closed) before the end of the response\(received)"
        case .broken where phase == .sending: "\(broke) while the request was sent\(reason)"
        case .broken:
            "\(broke) \(receivedBytes.map { "after \($0) bytes" } ?? "before the end") of the response\(reason)"
        case .http2: "the HTTP/2 connection to \(serverName) broke\(note)"
        case .requestLost(let method):
            "\(closed) without a response; "
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
