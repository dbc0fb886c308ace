import CCurl
import EndpointKit

extension TransferFacts {
    /// What went wrong at the proxy, or nil where it was not the proxy. What libcurl says of its URL may hold a password.
    func proxyError(_ code: Int32, _ reason: String) -> TransportError? {
        if reason.hasPrefix("Unsupported proxy") {
            if code == CCURLE_NOT_BUILT_IN {
                return TransportError(.unsupportedOption, "this machine's libcurl can't do HTTPS to a proxy")
            }
            return TransportError(.other, "libcurl does not accept the proxy's URL")
        }
        if code == CCURLE_COULDNT_RESOLVE_PROXY {
            let name = reason.split(separator: " ").last.map(String.init).flatMap { $0.contains("@") ? nil : $0 }
            return TransportError(
                .nameNotResolved, "could not resolve the proxy's host name\(name.map { " \($0)" } ?? "")")
        }
        if code == CCURLE_COULDNT_CONNECT, let proxy = unreachedProxy {
            return TransportError(
                .notConnected, "could not connect to the proxy at \(proxy): \(systemReason ?? reason)")
        }
        // 2xx is a tunnel; what goes wrong within is the server's.
        if connectStatus > 0, !(200..<300).contains(connectStatus), !hasHead {
            return refusal
        }
        let isAboutConnect = (code == CCURLE_RECV_ERROR || code == CCURLE_SEND_ERROR) && reason.contains("CONNECT")
        if code == CCURLE_PROXY || isAboutConnect || isBeforeTunnel && Self.tunnelCodes.contains(code) {
            let isBroken = reason.hasPrefix("Recv failure") || reason.hasPrefix("Send failure")
            let why = isBroken ? systemReason ?? reason : reason
            return TransportError(.proxy, "\(proxy) did not connect to \(server.host) port \(server.port): \(why)")
        }
        return nil
    }

    /// What the way to a tunnel may end with: the connection broke, or the proxy's answer is none.
    private static let tunnelCodes: Set<Int32> = [
        CCURLE_RECV_ERROR, CCURLE_SEND_ERROR, CCURLE_GOT_NOTHING, CCURLE_TOO_LARGE, CCURLE_OUT_OF_MEMORY,
        CCURLE_WEIRD_SERVER_REPLY, CCURLE_UNSUPPORTED_PROTOCOL,
    ]

    /// Whether a proxy was connected to that is to make a tunnel to the server, and has not.
    ///
    /// Of a variable's proxy nothing is known but that the connection does not go to the server's port.
    private var isBeforeTunnel: Bool {
        guard server.usesTLS, !isConnected, let peer else { return false }
        return names.proxy != nil || !peer.hasSuffix(":\(server.port)")
    }

    private var refusal: TransportError {
        // Some proxies refuse a wrong password as a server would, with 401.
        if names.hasProxyCredentials, connectStatus == 407 || connectStatus == 401 {
            return TransportError(.proxy, "\(proxy) does not accept the credentials (\(connectStatus))")
        }
        if connectStatus == 407 { return TransportError(.proxy, "\(proxy) wants credentials (407)") }
        return TransportError(
            .proxy, "\(proxy) did not connect to \(server.host) port \(server.port) (\(connectStatus))")
    }

    /// The proxy that was connected to.
    var proxy: String { (names.proxy ?? peer).map { "the proxy at \($0)" } ?? "the proxy" }

    /// The proxy that could not be connected to: a variable's is only in libcurl's text, such as
    /// `Failed to connect to 10.0.0.1 port 3128 after 2 ms: …`.
    private var unreachedProxy: String? {
        let words = text.split(separator: " ")
        guard text.hasPrefix("Failed to connect to "), words.count > 6, words[5] == "port" else { return names.proxy }
        let isServer = words[4].lowercased() == server.host.lowercased() && words[6] == "\(server.port)"
        // With a proxy that no_proxy turns off, the server itself was tried.
        return isServer ? nil : "\(words[4]):\(words[6])"
    }
}
