import EndpointKit
import MockServer

/// Changes the links in responses, which lead to the APIs' real servers, so that they lead to `mock`.
struct LocalLinks: Sendable {
    /// The address of an API's real server, and the path that the API is under at `mock`.
    private struct ServedAddress {
        let address: String
        let mountPath: String
    }

    /// The addresses of all servers. Longer ones come first, because a longer one may begin with a shorter one.
    private let servedAddresses: [ServedAddress]

    /// Collects the addresses of all servers that the APIs declare.
    ///
    /// - Throws: `RequestError` for a server whose address is no base URL.
    init(_ mounts: [CallRoutes.Mount]) throws {
        let addresses = try mounts.flatMap { mount in
            try mount.api.servers.map { ServedAddress(address: try $0.base().text, mountPath: mount.path) }
        }
        servedAddresses = addresses.sorted { $0.address.utf8.count > $1.address.utf8.count }
    }

    /// Returns a response whose links lead to this server.
    ///
    ///     "next": "https://api.example.com/3/list?page=2"  →  "next": "http://127.0.0.1:8080/movies/3/list?page=2"
    ///
    /// - Parameters:
    ///   - response: A response of the real server, or of a file with links to it.
    ///   - request: The request. The links get the address that it was sent to, which may be `localhost` or an address
    ///     in the network.
    func applied(to response: Response, for request: ReceivedRequest) -> Response {
        var response = response
        for served in servedAddresses {
            let localAddress = "http://\(request.authority ?? "")\(served.mountPath)"
            response = response.replacingLinks(to: served.address, with: localAddress)
        }
        return response
    }
}

extension Response {
    /// Returns this response with another address in the links of headers and text.
    ///
    ///     https://api.example.com  →  http://127.0.0.1:8080/movies
    ///     "next": "https://api.example.com/3/list?page=2"  →  "next": "http://127.0.0.1:8080/movies/3/list?page=2"
    ///
    /// Addresses with `\/` for each slash, which JSON allows, are replaced too. Bodies that are neither JSON nor text
    /// stay as they are.
    ///
    /// - Parameters:
    ///   - address: The address to look for, without a slash at its end.
    ///   - replacement: The address to put in its place.
    func replacingLinks(to address: String, with replacement: String) -> Response {
        if address == replacement { return self }
        var copy = self
        copy.head.fields = head.fields.map { field in
            let value = field.value.exactBytes.replacingAddress(address, with: replacement)
            return HTTPField(field.name, String(exactBytes: value))
        }
        let isText = head.mediaType?.hasPrefix("text/") == true
        guard isText || head.isJSON == true else { return copy }
        func escapingSlashes(_ text: String) -> String { text.replacingBytes(of: "/", with: "\\/") }
        let bodyWithPlainLinks = body.replacingAddress(address, with: replacement)
        copy.body = bodyWithPlainLinks.replacingAddress(escapingSlashes(address), with: escapingSlashes(replacement))
        return copy
    }
}

extension [UInt8] {
    /// Returns these bytes with `replacement` in place of each `address`.
    ///
    /// An address that is only the beginning of another host or port stays: `https://example.com` in
    /// `https://example.com.net`.
    fileprivate func replacingAddress(_ address: String, with replacement: String) -> [UInt8] {
        var result: [UInt8] = []
        var remaining = self[...]
        while let match = remaining.firstRange(of: address.utf8) {
            result += remaining[..<match.lowerBound]
            let isStartOfOtherAddress =
                match.upperBound < endIndex && Self.continuesAuthority(self[match.upperBound])
            result += isStartOfOtherAddress ? address.utf8 : replacement.utf8
            remaining = remaining[match.upperBound...]
        }
        return result + remaining
    }

    /// Whether a byte after an address is still part of the host, port or user name (RFC 3986, section 3.2).
    private static func continuesAuthority(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "-._~%:@".utf8.contains(byte)
    }
}
