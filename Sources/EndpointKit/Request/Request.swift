/// A request as a value: everything that is sent, with its secrets kept apart.
///
/// Printing any part of it shows `(redacted)` in place of secrets.
public struct Request: Sendable, Hashable, CustomStringConvertible {
    /// The method as it is sent.
    public var method: HTTPMethod
    /// The server, and the prefix of the path.
    package var base: BaseURL
    /// The path after the base URL's own, percent-encoded, with its leading slash.
    package var path: String
    /// The query items in the order they are sent; ``verbatimQuery`` overrides them.
    package var query: [QueryItem]
    /// The query as a server or a person wrote it, without its `?`; it is sent in place of ``query``, and **may hold
    /// secrets**.
    package var verbatimQuery: String?
    /// The headers in the order they are sent.
    public var headers: [HTTPField]
    /// Names of headers that the transport must not add on its own.
    package var withheldHeaders: [String] = []
    /// The body; nil sends none.
    public var body: RequestBody?
    /// The signatures that are added when the request is sent; nil for none.
    package var signing: RequestSigning?
    /// Secrets of earlier requests that were redirected to this one: not sent any more, but still redacted.
    var formerSecrets: [Secret] = []

    /// A request, unchecked; `path` must be percent-encoded and start with a slash.
    package init(
        _ method: HTTPMethod, _ base: BaseURL, path: String, query: [QueryItem] = [], headers: [HTTPField] = [],
        body: RequestBody? = nil
    ) {
        self.method = method
        self.base = base
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The URL with `(redacted)` in place of secrets, also where the path repeats one.
    ///
    /// A query item that was given as plain text is searched by the rules of ``SecretRules``.
    public var redactedURL: String {
        let searchedQuery = verbatimQuery == nil ? Self.queryText(query.map(\.searched)) : redactedQuery
        return String(exactBytes: Redactor(self).redact(url(query: searchedQuery).exactBytes))
    }

    /// The URL with `(redacted)` in place of the query's secrets.
    package var urlWithRedactedQuery: String { url(query: redactedQuery) }

    /// The query with `(redacted)` in place of secrets; nil if there is none.
    var redactedQuery: String? {
        if let verbatimQuery { return Redactor(self).redact(SecretRules.redacted(query: verbatimQuery)) }
        return Self.queryText(query.map(\.redacted))
    }

    /// The request line and the headers, with `(redacted)` in place of secrets.
    public var description: String {
        let lines = ["\(method) \(redactedURL)"] + headers.map(\.redacted.description)
        return lines.joined(separator: "\n")
    }

    /// Returns the URL as it is sent.
    ///
    /// - Throws: ``MissingCredential`` if a secret has no value.
    public func revealedURL() throws(MissingCredential) -> String {
        var items: [String] = []
        for item in query { items.append(try item.revealed()) }
        return url(query: verbatimQuery ?? Self.queryText(items))
    }

    /// Returns the URL with `query`, which is encoded; nil leaves out the `?` too.
    private func url(query: String?) -> String {
        let url = base.text + path
        guard let query else { return url }
        return url + "?" + query
    }

    /// Returns encoded items as one query; nil if there are none.
    private static func queryText(_ items: [String]) -> String? {
        items.isEmpty ? nil : items.joined(separator: "&")
    }

    /// Whether the request sets or withholds the header `name`, so that no default applies.
    package func specifies(header name: String) -> Bool {
        headers.contains { $0.isNamed(name) } || withheldHeaders.contains { $0.isSameName(as: name) }
    }

    /// All secrets of the request, in order. Those of signers come last.
    package var secrets: [Secret] {
        query.flatMap(\.content.secrets) + headers.flatMap(\.content.secrets) + signersSecrets
    }

    /// The secrets of signers. They are not sent.
    private var signersSecrets: [Secret] { signing?.signers.flatMap(\.secrets) ?? [] }

    /// The variables whose secrets are sent, in order and each once.
    package var usedVariables: [String] {
        let variables = secrets.filter(\.isSet).compactMap(\.variable)
        return variables.grouped { $0 }.map(\.key)
    }
}
