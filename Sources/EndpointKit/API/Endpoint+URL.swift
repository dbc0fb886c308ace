extension Endpoint {
    /// Replaces the URL, query, headers and body of this endpoint by those of a finished request, such as a
    /// `URLRequest` of an existing app.
    ///
    /// A `+` in the query is a space, as servers read it, and is sent as one.
    ///
    /// - Parameters:
    ///   - url: The whole URL. Its fragment is dropped.
    ///   - headers: The headers as they are sent.
    ///   - body: The body as it is sent, whose type is that of the `Content-Type` header. Nil sends none.
    package mutating func setURL(_ url: String, headers: [(key: String, value: String)], body: [UInt8]?) {
        let withoutFragment = url.prefix { $0 != "#" }
        let urlAndQuery = withoutFragment.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.url = String(urlAndQuery[0])
        let queryText = urlAndQuery.count == 2 ? String(urlAndQuery[1]) : ""
        query = Query(FormText.items(queryText))
        self.headers = Headers(headers.map { HTTPField($0.key, SensitiveText($0.value)) })
        self.body = nil
        if let body {
            let contentType = headers.first { $0.key.isSameName(as: "Content-Type") }?.value
            self.body = .data(body, contentType: contentType ?? "application/octet-stream")
        }
    }
}

extension API {
    /// The ``endpoint`` of this case, from which a request to any of the API's servers can be made.
    ///
    /// An endpoint may be made of a finished request, such as a `URLRequest` of an existing app. Then it has a whole
    /// URL, of which the part that follows the URL of a server becomes the path:
    ///
    ///     https://api.example.com/v2/pets/7  at the server  https://api.example.com/v2    →    /pets/7
    ///
    /// The server with the longest matching URL counts. An endpoint whose URL is at none of the servers stays as it is.
    package var placedEndpoint: Endpoint {
        var endpoint = endpoint
        guard let url = endpoint.url else { return endpoint }
        let serverURLs = Self.api.servers.compactMap { try? $0.base().text }
        let matchingURLs = serverURLs.filter { serverURL in url == serverURL || url.hasPrefix(serverURL + "/") }
        guard let serverURL = matchingURLs.max(by: { $0.utf8.count < $1.utf8.count }) else { return endpoint }
        let parameters = (try? CallValue.texts(of: self, caseName)) ?? []
        let path = String(url.dropFirst(serverURL.count))
        endpoint.path = Endpoint.Path(encoded: path, parameterTexts: parameters.map(\.text))
        endpoint.url = nil
        return endpoint
    }
}
