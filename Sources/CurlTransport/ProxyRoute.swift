import EndpointKit
import SystemCalls

/// The way of a transfer to its server, as far as it is known.
enum ProxyRoute: Sendable, Equatable {
    case direct
    /// Through a proxy, whose address is nil if it can't be read from its URL.
    case proxy(TransportError.Peer?, sendsCredentials: Bool)
    /// A proxy is configured, but `no_proxy` may exempt the server and this version of libcurl does not tell.
    case unknown

    /// The way that libcurl chooses.
    ///
    /// - Parameters:
    ///   - server: The server, or the socket in its place, which needs no proxy.
    ///   - option: The proxy of the request's options; empty: none. It replaces that of the variables.
    ///   - usedProxy: libcurl's answer after the transfer; nil if it has none (before 8.7).
    ///   - variable: Looks up an environment variable.
    init(
        to server: TransportError.Peer, option: String?, usedProxy: Bool?,
        variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) {
        // To libcurl, an empty variable is not set.
        func value(_ name: String) -> String? {
            guard let value = variable(name), !value.isEmpty else { return nil }
            return value
        }
        let proxy = option ?? Self.variables(for: server).compactMap(value).first
        guard server.unixSocket == nil, usedProxy != false, let proxy, !proxy.isEmpty else {
            self = .direct
            return
        }
        // The variable may list this server as one to be reached without the proxy.
        let hasExemptions = value("no_proxy") != nil || value("NO_PROXY") != nil
        if usedProxy == nil, hasExemptions {
            self = .unknown
        } else {
            self = .proxy(TransportError.Peer(proxy: proxy), sendsCredentials: proxy.contains("@"))
        }
    }

    /// The address of the proxy; nil if there is none, or it is not known.
    var peer: TransportError.Peer? {
        guard case .proxy(let peer, _) = self else { return nil }
        return peer
    }

    /// Returns the variables from which libcurl takes the proxy, in order.
    ///
    /// `HTTP_PROXY` is not one: in a CGI program it would be a header of the client's request.
    private static func variables(for server: TransportError.Peer) -> [String] {
        let ofScheme = server.usesTLS ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return ofScheme + ["all_proxy", "ALL_PROXY"]
    }
}

extension TransportError.Peer {
    /// The proxy that a URL such as `http://user:password@squid:3128/` names, here `squid:3128`. Nil if the URL has no
    /// host.
    init?(proxy url: String) {
        var hostAndPath = url.utf8[...]
        // A password may hold an unencoded slash: the host is always after the last @.
        if let at = hostAndPath.lastIndex(of: UInt8(ascii: "@")) {
            hostAndPath = hostAndPath[hostAndPath.index(after: at)...]
        } else if let colon = hostAndPath.firstIndex(of: UInt8(ascii: ":")),
            hostAndPath[colon...].starts(with: "://".utf8)
        {
            hostAndPath = hostAndPath[colon...].dropFirst("://".utf8.count)
        }
        let authority = Substring(hostAndPath.prefix { $0 != UInt8(ascii: "/") })
        guard !authority.isEmpty else { return nil }
        var host = authority
        var port: Int?
        // The last colon of an IPv6 address in brackets does not start a port: a bracket follows.
        if let colon = authority.lastIndex(of: ":"), let number = Int(authority[authority.index(after: colon)...]) {
            host = authority[..<colon]
            port = number
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        self.init(host: String(host), port: port, usesTLS: url.lowercased().hasPrefix("https://"))
    }
}
