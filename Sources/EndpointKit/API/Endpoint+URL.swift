extension Endpoint {
    /// Makes it a finished request: `url` and the headers as they are sent.
    ///
    /// What has the name of a credential is a secret. A `+` in the query is a space, as servers read it, and is sent as one.
    package mutating func become(_ url: String, headers: [(key: String, value: String)], body: [UInt8]?) {
        let parts = url.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let items = FormText.items(parts.count == 2 ? String(parts[1]) : "").map { item in
            let value = SensitiveText(item.value)
            return QueryItem(item.name, SecretName.isCredential(item.name) ? value.asSecret : value)
        }
        let fields = headers.map { name, value in
            let isSecret = SecretName.isCredential(name) && !Header.isConfidential(name)
            return Header(name, isSecret ? SensitiveText(value).asSecret : SensitiveText(value))
        }
        let type = headers.first { $0.key.isSameName(as: "Content-Type") }?.value ?? "application/octet-stream"
        (query, self.headers) = (Query(items), Headers(fields))
        self.body = body.map { .data($0, contentType: type) }
        self.url = parts.first.map(String.init) ?? ""
    }
}

extension API {
    /// ``endpoint``; of one with a whole URL, the path is what comes after that of the server.
    package var placedEndpoint: Endpoint {
        var endpoint = endpoint
        guard let url = endpoint.url else { return endpoint }
        let bases = Self.servers.compactMap { try? $0.base().text }.filter { url == $0 || url.hasPrefix($0 + "/") }
        guard let base = bases.max(by: { $0.utf8.count < $1.utf8.count }) else { return endpoint }
        let texts = (try? CallValue.texts(of: self, caseName).map(\.text)) ?? []
        endpoint.path = Endpoint.Path(encoded: String(url.dropFirst(base.count)), values: texts)
        endpoint.url = nil
        return endpoint
    }
}
