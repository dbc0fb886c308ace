import EndpointKit
import SystemCalls

/// Checks the values of connection options; each check returns what is wrong, or nil.
///
/// The messages do not repeat values that may hold a password.
enum ConnectionValues {
    private static let proxySchemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// Checks for `[SCHEME://]HOST[:PORT]`, as in curl; empty means no proxy.
    static func problem(proxy text: String) -> String? {
        if text.isEmpty { return nil }
        let expected = "expected a proxy such as http://HOST:PORT or socks5h://HOST:PORT"
        var rest = text[...]
        if let mark = text.firstRange(of: "://") {
            let scheme = text[..<mark.lowerBound].lowercased()
            guard proxySchemes.contains(scheme) else {
                // A word with other characters is not a scheme and may be a password.
                let isWord = !scheme.isEmpty && scheme.utf8.allSatisfy(isSchemeByte)
                return (isWord ? "'\(scheme)' is not a proxy scheme" : "that is not a proxy URL")
                    + "; use one of \(proxySchemes.joined(separator: ", "))"
            }
            rest = text[mark.upperBound...]
        }
        let authority = rest.prefix { $0 != "/" }
        guard !rest.utf8.contains(UInt8(ascii: "@")) else {
            return "the proxy URL holds credentials; they would show in process lists: "
                + "set http_proxy or https_proxy instead"
        }
        guard authority.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), !"?#".contains(where: rest.contains),
            rest.dropFirst(authority.count).allSatisfy({ $0 == "/" })
        else { return expected }
        guard let (host, port) = hostAndPort(authority), !host.isEmpty else { return expected }
        if let port, !ResolveEntry.isPort(port) { return expected }
        return nil
    }

    /// Checks that the system allows a socket path of that length.
    static func problem(unixSocket path: String) -> String? {
        let longest = Socket.longestUnixPath
        let count = path.utf8.count
        return count <= longest
            ? nil : "a socket path can have at most \(longest) bytes; this one has \(count)"
    }

    /// The host, and the port if there is one; nil if brackets are wrong.
    private static func hostAndPort(_ authority: Substring) -> (host: Substring, port: Substring?)? {
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]"), ResolveEntry.isAddress(authority[authority.startIndex...end])
            else {
                return nil
            }
            let rest = authority[authority.index(after: end)...]
            if rest.isEmpty { return (authority, nil) }
            return rest.first == ":" ? (authority, rest.dropFirst()) : nil
        }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first else { return nil }
        return (host, parts.count == 2 ? parts[1] : nil)
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
    }
}
