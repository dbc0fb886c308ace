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
    public var fields: [Field]
    /// The body without its transfer coding.
    public var body: [UInt8]
    /// The exact bytes of the request line and the headers, with the empty line that ends them.
    package var head: [UInt8]
    /// The number of its connection; the server's first is 1.
    package var connection: Int

    /// A header, or an item of a query or form; names and values of items are decoded.
    public typealias Field = ResponseHead.Field

    package init(
        method: String = "GET", target: String, version: String = "HTTP/1.1", fields: [Field] = [],
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

    /// The value of the first field of that name; case does not matter.
    public subscript(_ name: String) -> String? { fields.first { $0.name.isSameName(as: name) }?.value }

    /// The values of all fields of that name, in order; case does not matter.
    package func values(of name: String) -> [String] {
        fields.filter { $0.name.isSameName(as: name) }.map(\.value)
    }

    /// The path of the target, percent-encoded. The target may be an absolute URL, as a proxy gets it.
    public var path: String {
        let path = pathAndQuery.prefix { $0 != UInt8(ascii: "?") }
        return path.isEmpty ? "/" : String(Substring(path))
    }

    /// Host and port that the request is for: those of an absolute target, else of `Host` (RFC 9112, section 3.2.2).
    package var authority: String? {
        let rest = target[...].utf8.dropFirst(schemeLength)
        guard schemeLength > 0 else { return self["Host"] }
        return String(Substring(rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }))
    }

    /// The query of the target, percent-encoded and without its `?`; nil if there is none.
    package var query: String? {
        let rest = pathAndQuery.drop { $0 != UInt8(ascii: "?") }
        return rest.isEmpty ? nil : String(Substring(rest.dropFirst()))
    }

    /// The `name=value` pairs of the query, decoded as a web form: a `+` is a space.
    public var queryItems: [Field] { Self.formItems(query ?? "") }

    /// The `name=value` pairs of a web form, decoded.
    static func formItems(_ text: String) -> [Field] {
        text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return Field(formDecoded(name), formDecoded(pair.dropFirst(name.count + 1)))
        }
    }

    /// The body as text, with U+FFFD for bytes that are not UTF-8.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The length of `http://` at the start of an absolute target; 0 for any other.
    private var schemeLength: Int { target.prefix(7).lowercased() == "http://" ? 7 : 0 }

    /// Bytes, not Characters: a `?` before a combining mark is no `?` to a Character.
    private var pathAndQuery: Substring.UTF8View {
        guard schemeLength > 0 else { return target[...].utf8 }
        return target[...].utf8.dropFirst(schemeLength).drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    }

    private static func formDecoded(_ text: Substring.UTF8View) -> String {
        guard text.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else {
            return String(Substring(text))
        }
        let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return PercentEncoding.decode(String(decoding: spaced, as: UTF8.self))
    }
}
