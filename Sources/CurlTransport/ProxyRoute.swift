import EndpointKit
import SystemCalls

/// The way of a transfer to its server, as far as it is known.
enum ProxyRoute: Sendable, Equatable {
    case direct
    /// Through a proxy, whose address is nil if it can't be read from its URL.
    case proxy(TransportError.Peer?, sendsCredentials: Bool)
    /// A proxy is configured, but `no_proxy` may exempt the server and this version of libcurl does not tell.
    case unknown

    /// Finds out which way libcurl has taken to a server: directly, or through the proxy of the request's options or of
    /// the environment variables.
    ///
    /// - Parameters:
    ///   - server: The server, or the unix socket in its place, which needs no proxy.
    ///   - option: The proxy of the request's options, which replaces that of the variables. An empty text means no
    ///     proxy.
    ///   - usedProxy: What libcurl says after the transfer, or nil if it does not say (before 8.7).
    ///   - variable: Looks up an environment variable.
    init(
        to server: TransportError.Peer, option: String?, usedProxy: Bool?,
        variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) {
        // To libcurl, an empty variable is not set.
        func nonEmptyValue(ofVariable name: String) -> String? {
            guard let value = variable(name), !value.isEmpty else { return nil }
            return value
        }
        let proxyOfVariables = Self.variables(for: server).compactMap(nonEmptyValue).first
        let proxy = option ?? proxyOfVariables ?? ""
        let isDirect = server.unixSocket != nil || usedProxy == false || proxy.isEmpty
        if isDirect {
            self = .direct
            return
        }
        // The variable may list this server as one to be reached without the proxy.
        let hasExemptions =
            nonEmptyValue(ofVariable: "no_proxy") != nil || nonEmptyValue(ofVariable: "NO_PROXY") != nil
        if usedProxy == nil, hasExemptions {
            self = .unknown
        } else {
            self = .proxy(TransportError.Peer(proxy: proxy), sendsCredentials: proxy.contains("@"))
        }
    }

    /// The address of the proxy, or nil if there is no proxy or its address is not known.
    var peer: TransportError.Peer? {
        guard case .proxy(let peer, _) = self else { return nil }
        return peer
    }

    /// Returns the names of the variables from which libcurl takes the proxy for a server, in order.
    ///
    /// `HTTP_PROXY` is missing, as in libcurl: a CGI program has the header `Proxy` of a client's request in it.
    private static func variables(for server: TransportError.Peer) -> [String] {
        let variablesOfScheme = server.usesTLS ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return variablesOfScheme + ["all_proxy", "ALL_PROXY"]
    }
}

extension TransportError.Peer {
    /// Makes the host and port of a proxy from its URL: `squid` and 3128 for `http://user:password@squid:3128/`.
    ///
    /// It is nil if the URL has no host.
    init?(proxy url: String) {
        let hostAndPort = Self.hostAndPort(ofProxy: url)
        guard !hostAndPort.isEmpty else { return nil }
        var host = hostAndPort
        var port: Int?
        // In `[::1]` the text after the last colon is not a number.
        if let colon = hostAndPort.lastIndex(of: ":"),
            let number = Int(hostAndPort[hostAndPort.index(after: colon)...])
        {
            host = hostAndPort[..<colon]
            port = number
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        self.init(host: String(host), port: port, usesTLS: url.lowercased().hasPrefix("https://"))
    }

    /// Returns the part of a proxy's URL after the user's name and password and before the path: `squid:3128` for
    /// `http://user:password@squid:3128/`.
    private static func hostAndPort(ofProxy url: String) -> Substring {
        var remaining = url.utf8[...]
        // A password may hold an unencoded slash, but the host is always after the last @.
        if let at = remaining.lastIndex(of: UInt8(ascii: "@")) {
            remaining = remaining[remaining.index(after: at)...]
        } else if let colon = remaining.firstIndex(of: UInt8(ascii: ":")), remaining[colon...].starts(with: "://".utf8)
        {
            remaining = remaining[colon...].dropFirst("://".utf8.count)
        }
        return Substring(remaining.prefix { $0 != UInt8(ascii: "/") })
    }
}
