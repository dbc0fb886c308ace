import EndpointKit

/// A request as the server received it.
public struct ReceivedRequest: Sendable, Equatable {
    /// The method as sent, such as `GET`.
    public var method: String
    /// The request target as sent, such as `/movie/popular?page=2` (RFC 9112, section 3.2).
    package var target: String
    /// `HTTP/1.1` or `HTTP/1.0`.
    package var version: String
    /// The headers in order, repeated ones included.
    package var fields: [HTTPField]
    /// The body without its transfer coding.
    public var body: [UInt8]
    /// The exact bytes of the request line and the headers, with the empty line that ends them.
    package var head: [UInt8]
    /// The number of the connection on which the request came. The server's first one is 1.
    package var connection: Int

    /// Creates a request, without reading it from a connection.
    ///
    /// - Parameters:
    ///   - method: The method, such as `GET`.
    ///   - target: The request target: `/movie/popular?page=2`.
    ///   - version: `HTTP/1.1` or `HTTP/1.0`.
    ///   - fields: The headers in order, repeated ones included.
    ///   - body: The body without its transfer coding.
    ///   - head: The exact bytes of the request line and the headers, if they are known.
    ///   - connection: The number of the connection. The server's first one is 1.
    package init(
        method: String = "GET", target: String, version: String = "HTTP/1.1", fields: [HTTPField] = [],
        body: [UInt8] = [], head: [UInt8] = [], connection: Int = 1
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
        self.body = body
        self.head = head
        self.connection = connection
    }

    /// Returns the value of the first header with this name, ignoring case; nil if there is none.
    public subscript(_ name: String) -> String? { values(of: name).first }

    /// Returns the values of all headers with this name in order, ignoring case.
    package func values(of name: String) -> [String] {
        fields.filter { $0.name.isSameName(as: name) }.map(\.value)
    }

    /// The path of the target, percent-encoded. The target may be an absolute URL, as a proxy gets it.
    public var path: String {
        let path = String(Substring(pathAndQuery.prefix { $0 != UInt8(ascii: "?") }))
        return path.isEmpty ? "/" : path
    }

    /// The host and port that the request is for: `example.com:8080`. Nil if the request has neither an absolute target
    /// nor the header `Host`.
    ///
    /// An absolute target counts more than the header (RFC 9112, section 3.2.2).
    package var authority: String? {
        guard let afterScheme else { return self["Host"] }
        return String(Substring(afterScheme.prefix { !"/?".utf8.contains($0) }))
    }

    /// The query of the target, percent-encoded and without its `?`; nil if there is none.
    package var query: String? {
        let queryWithMark = pathAndQuery.drop { $0 != UInt8(ascii: "?") }
        if queryWithMark.isEmpty { return nil }
        return String(Substring(queryWithMark.dropFirst()))
    }

    /// The `name=value` pairs of the query, decoded as a web form: a `+` is a space.
    public var queryItems: [QueryItem] { FormText.items(query ?? "") }

    /// The body as text, with U+FFFD for bytes that are not UTF-8.
    package var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The part of an absolute target after `http://`, which starts with the host; nil for any other target.
    private var afterScheme: Substring.UTF8View? {
        let scheme = "http://"
        guard target.prefix(scheme.count).lowercased() == scheme else { return nil }
        return target[...].utf8.dropFirst(scheme.utf8.count)
    }

    /// The target without scheme and authority: `/movie?page=2` for `http://example.com/movie?page=2`.
    ///
    /// It is searched as bytes, because a `?` before a combining mark is no `?` to a Character.
    private var pathAndQuery: Substring.UTF8View {
        guard let afterScheme else { return target[...].utf8 }
        return afterScheme.drop { !"/?".utf8.contains($0) }
    }
}
