import CCurl
import EndpointKit
import SystemCalls

extension TransferFacts {
    /// What went wrong before the server itself was involved: at the proxy, at the unix socket, at the attempt to reconnect.
    func proxyOrSocketError(_ code: Int32, _ reason: String) -> TransportError? {
        let isUnconnected = code == CCURLE_COULDNT_CONNECT || code == CCURLE_COULDNT_RESOLVE_HOST
        // While a response is waited for, it is the operation that times out.
        let isLate = code == CCURLE_OPERATION_TIMEDOUT && !text.hasPrefix("Operation timed out")
        if isLost, isUnconnected || isLate { return .lostRequest(method, to: server) }
        if server.unixSocket != nil, isUnconnected {
            return failure(.notConnected, detail: systemReason ?? reason)
        }
        if reason.hasPrefix("Unsupported proxy") {
            return code == CCURLE_NOT_BUILT_IN
                ? TransportError(
                    .unsupportedOption, party: .proxy, detail: "this machine's libcurl does not support HTTPS proxies")
                : TransportError(.invalidRequest, party: .proxy, detail: "libcurl does not accept the proxy's URL")
        }
        if code == CCURLE_COULDNT_RESOLVE_PROXY {
            let name = reason.split(separator: " ").last.map(String.init).flatMap { $0.contains("@") ? nil : $0 }
            return proxyFailure(.nameNotResolved, at: name.map { .init(host: $0) })
        }
        if code == CCURLE_COULDNT_CONNECT, let proxy = unreachedProxy {
            return proxyFailure(.notConnected, at: proxy, detail: systemReason ?? reason)
        }
        // 2xx is a tunnel; what goes wrong inside it is the server's.
        if connectStatus > 0, !(200..<300).contains(connectStatus), !hasHeaders {
            return proxyFailure(.proxy(refusal), at: proxy)
        }
        let isAboutConnect = (code == CCURLE_RECV_ERROR || code == CCURLE_SEND_ERROR) && reason.contains("CONNECT")
        if code == CCURLE_PROXY || isAboutConnect || isBeforeTunnel && Self.tunnelCodes.contains(code) {
            let isBroken = reason.hasPrefix("Recv failure") || reason.hasPrefix("Send failure")
            let why = isBroken ? systemReason ?? reason : reason
            return proxyFailure(.proxy(.refused(status: nil)), at: proxy, detail: why)
        }
        return nil
    }

    private func proxyFailure(
        _ cause: TransportError.Cause, at proxy: TransportError.Peer?, detail: String = ""
    ) -> TransportError {
        var error = failure(cause, party: .proxy, detail: detail)
        error.proxy = proxy
        return error
    }

    /// How the way to a tunnel may end: the connection broke, or the proxy's response is not HTTP.
    private static let tunnelCodes: Set<Int32> = [
        CCURLE_RECV_ERROR, CCURLE_SEND_ERROR, CCURLE_GOT_NOTHING, CCURLE_TOO_LARGE, CCURLE_OUT_OF_MEMORY,
        CCURLE_WEIRD_SERVER_REPLY, CCURLE_UNSUPPORTED_PROTOCOL,
    ]

    /// Whether a proxy was connected to that should make a tunnel to the server, and has not.
    ///
    /// All that is known of a proxy from a variable is that the connection does not go to the server's port.
    private var isBeforeTunnel: Bool {
        guard server.usesTLS, !isConnected, let address else { return false }
        return options.proxyPeer != nil || address.port != server.port
    }

    private var refusal: TransportError.ProxyProblem {
        // Some proxies refuse a wrong password as a server would, with 401.
        if options.proxy?.contains("@") == true, connectStatus == 407 || connectStatus == 401 {
            return .credentialsRejected(status: connectStatus)
        }
        return connectStatus == 407 ? .credentialsRequired(status: 407) : .refused(status: connectStatus)
    }

    /// The proxy that was connected to.
    private var proxy: TransportError.Peer? { options.proxyPeer ?? address }

    /// The proxy that could not be connected to: one from a variable is named only in libcurl's text, such as
    /// `Failed to connect to 10.0.0.1 port 3128 after 2 ms: …`.
    private var unreachedProxy: TransportError.Peer? {
        let words = text.split(separator: " ")
        guard text.hasPrefix("Failed to connect to "), words.count > 6, words[5] == "port" else {
            return options.proxyPeer
        }
        let tried = TransportError.Peer(host: String(words[4]), port: Int(words[6]))
        let isHost =
            tried.host.lowercased() == server.host.lowercased()
            || Self.address(tried.host) != nil && Self.address(tried.host) == Self.address(server.host)
        // With a proxy that no_proxy turns off, the server itself was tried.
        return isHost && tried.port == server.port ? nil : tried
    }

    /// The address that `host` is, whichever way it is written: libcurl says `127.0.0.1` for `127.1` and `::1` for `[0:0:0:0:0:0:0:1]`.
    private static func address(_ host: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16)
        // The zone is told apart by a percent sign, which a URL encodes (RFC 6874).
        let bare = String(host.prefix { $0 != "%" })
        if inet_pton(AF_INET6, bare, &bytes) == 1 { return bytes }
        var address = in_addr()
        guard inet_aton(bare, &address) == 1 else { return nil }
        return withUnsafeBytes(of: &address) { Array($0) }
    }
}
