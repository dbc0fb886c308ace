/// A request as a value: everything that is sent.
///
/// Its secrets are kept apart. Printing any part of a request shows `(redacted)` in their place.
public struct Request: Sendable, Hashable, CustomStringConvertible {
    /// The method as it is sent.
    public var method: HTTPMethod
    /// The server, and the prefix of the path.
    package var base: BaseURL
    /// The path after the base URL's own, percent-encoded, with its leading slash.
    package var path: String
    /// The query items in the order in which they are sent. ``verbatimQuery`` overrides them.
    package var query: [QueryItem]
    /// The query as a server or a person wrote it, without its `?`. It is sent in place of ``query``, and **may hold
    /// secrets**. Nil sends ``query``.
    package var verbatimQuery: String?
    /// The headers in the order they are sent.
    public var headers: [HTTPField]
    /// Names of headers that the transport must not add on its own.
    package var withheldHeaders: [String] = []
    /// The body; nil sends none.
    public var body: RequestBody?
    /// The signatures that are added when the request is sent; nil for none.
    package var signing: RequestSigning?
    /// The secrets of earlier requests that were redirected to this one. They are not sent any more, but still
    /// redacted.
    var formerSecrets: [Secret] = []

    /// Creates a request without checking it. `path` must be percent-encoded and start with a slash.
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
    /// Query items that were given as plain text are searched for secrets by the rules of `help credentials`.
    public var redactedURL: String {
        var shownQuery = redactedQuery
        if verbatimQuery == nil { shownQuery = Self.queryText(query.map(\.redactedByRules)) }
        return String(exactBytes: Redactor(self).redact(url(query: shownQuery).exactBytes))
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
        var encodedItems: [String] = []
        for item in query { encodedItems.append(try item.revealed()) }
        return url(query: verbatimQuery ?? Self.queryText(encodedItems))
    }

    /// Returns the URL with a query that is percent-encoded; nil leaves out the `?` too.
    private func url(query encodedQuery: String?) -> String {
        let urlWithoutQuery = base.text + path
        guard let encodedQuery else { return urlWithoutQuery }
        return urlWithoutQuery + "?" + encodedQuery
    }

    /// Returns percent-encoded items `name=value` as one query; nil if there are none.
    private static func queryText(_ encodedItems: [String]) -> String? {
        encodedItems.isEmpty ? nil : encodedItems.joined(separator: "&")
    }

    /// Returns whether the request sets or withholds the header `name`, so that no default applies.
    package func specifies(header name: String) -> Bool {
        headers.contains { $0.isNamed(name) } || withheldHeaders.contains { $0.isSameName(as: name) }
    }

    /// All secrets of the request, in order. Those of signers come last.
    package var secrets: [Secret] {
        // The keys of signers are not sent, but must be redacted too.
        let signingKeys = signing?.signers.flatMap(\.secrets) ?? []
        return query.flatMap(\.content.secrets) + headers.flatMap(\.content.secrets) + signingKeys
    }

    /// The variables whose secrets are sent, in order and each once.
    package var usedVariables: [String] {
        let variables = secrets.filter(\.isSet).compactMap(\.variable)
        return variables.withoutRepetitions
    }
}
