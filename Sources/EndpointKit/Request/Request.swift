/// A request as a value: everything that is sent, with its secrets kept apart.
///
/// Printing any part of it shows `(redacted)` where a secret stands.
public struct Request: Sendable, Hashable {
    /// The method as it is sent.
    public var method: HTTPMethod
    /// The server, and the prefix of the path.
    public var base: BaseURL
    /// The path behind the base URL's own, percent-encoded, with its leading slash.
    public var path: String
    /// The items behind the `?`, in the order they are sent; ``verbatimQuery`` goes before them.
    public var query: [QueryItem]
    /// A query that a server gave in a redirect, already encoded; it takes the place of ``query``.
    public var verbatimQuery: VerbatimQuery?
    /// The header fields in the order they are sent. ``Request/withheldHeaders`` names what a transport must not add.
    public var headers: [Header]
    /// Names of fields that a transport would add by itself and is to leave out.
    public var withheldHeaders: [String] = []
    /// The body; nil sends none.
    public var body: RequestBody?
    /// Secrets of requests that were redirected to this one: no longer sent, but never to be shown.
    var formerSecrets: [Secret] = []

    /// A request of those parts, unchecked; `path` is percent-encoded already and starts with a slash.
    public init(
        _ method: HTTPMethod, _ base: BaseURL, path: String, query: [QueryItem] = [], headers: [Header] = [],
        body: RequestBody? = nil
    ) {
        self.method = method
        self.base = base
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The URL with `(redacted)` where a secret stands.
    public var redactedURL: String {
        base.text + path + joined(query.map(\.redacted), verbatimQuery?.shown)
    }

    /// The URL as it is sent. Throws ``MissingCredential`` where a secret has no value.
    public func revealedURL() throws(MissingCredential) -> String {
        var items: [String] = []
        for item in query { items.append(try item.revealed()) }
        return base.text + path + joined(items, verbatimQuery?.sent)
    }

    /// Whether the request itself says what becomes of the header field `name`: it is sent, or withheld.
    public func settles(_ name: String) -> Bool {
        headers.contains { $0.isNamed(name) } || withheldHeaders.contains { $0.isSameName(as: name) }
    }

    /// All secrets of the request, in the order they stand in it.
    public var secrets: [Secret] {
        query.flatMap(\.value.secrets) + headers.flatMap(\.value.secrets)
    }

    private func joined(_ items: [String], _ verbatim: String?) -> String {
        if let verbatim { return "?" + verbatim }
        return items.isEmpty ? "" : "?" + items.joined(separator: "&")
    }
}

/// A query that a server wrote: it is sent as it came, and shown without the secrets that it repeats.
public struct VerbatimQuery: Sendable, Hashable {
    /// The query as the server wrote it, without its `?`: **it may hold secrets**.
    public var sent: String
    /// The same with `(redacted)` where it repeats a secret of the request.
    public var shown: String

    /// A query in both its forms; whoever makes it redacts `shown`.
    public init(sent: String, shown: String) {
        self.sent = sent
        self.shown = shown
    }
}
