import EndpointKit
import EndpointTools
import JSONText

/// Makes the request of a case from its members.
struct CaseRequest {
    private let entry: CaseEntry
    private let declaration: EndpointDeclaration
    /// The options of the command, which count for all cases.
    private let options: CallOptions

    init(_ entry: CaseEntry, _ declaration: EndpointDeclaration, _ options: CallOptions) {
        self.entry = entry
        self.declaration = declaration
        self.options = options
    }

    /// Returns the request of a case whose values are all known.
    ///
    /// - Parameter content: The case of the entry, with values in place of placeholders.
    /// - Throws: ``UsageError`` with the place of a value that can't be used.
    func request(_ content: CaseFile.Case) throws -> CallRequest {
        var request = try request(content, isKnown: { _ in true }, standIns: [:])
        if let retry = try content.retry?.known() {
            request.options.transfer.retry = Sourced(retry, entry.source(.key("retry")))
        }
        return request
    }

    /// Returns a request that shows whether the case can be sent at all, before the captured values are known.
    ///
    /// An argument with a placeholder gets the value that the endpoint's first call has. Headers and a credential
    /// with a placeholder are left out.
    ///
    /// - Parameter content: The case of the entry, with generated values in place of their placeholders.
    /// - Returns: The request; nil for a URL that is not known.
    /// - Throws: ``UsageError`` with the place of a value that can't be used.
    func requestWithStandIns(_ content: CaseFile.Case) throws -> CallRequest? {
        if let url = content.url {
            let method = content.method.map { (try? $0.known()) != nil } ?? true
            guard url.placeholders.isEmpty, method else { return nil }
        }
        var standIns: [String: JSONValue] = [:]
        for (name, value) in try declaration.firstCall.values().parameters { standIns[name] = value }
        return try request(content, isKnown: { $0.description.placeholders.isEmpty }, standIns: standIns)
    }

    /// Returns the request of a case.
    ///
    /// - Parameters:
    ///   - isKnown: Whether a value of the case can be used.
    ///   - standIns: The arguments to use in place of others, by the names of the parameters.
    private func request(
        _ content: CaseFile.Case, isKnown: (JSONValue) -> Bool, standIns: [String: JSONValue]
    ) throws -> CallRequest {
        var request = try content.url.map { try requestOfURL($0, content) } ?? CallRequest(declaration)
        for (name, value) in (content.arguments ?? [:]).sorted(by: { $0.key < $1.key }) {
            let source = entry.source(.key("arguments"), .key(name))
            let parameter = try declaration.parameter(named: name, from: source)
            let usedValue = isKnown(value) ? value : standIns[parameter.name] ?? value
            try request.take(usedValue, for: name, from: source)
        }
        request.options = options
        request.options.request.query += queryItems(content)
        let changes = try headerChanges(content, isKnown: isKnown)
        // A header of the case replaces one of the same name that the command line gives for all cases.
        let ownNames = Set(changes.map { $0.name.lowercased() })
        request.options.request.headers.removeAll { ownNames.contains($0.name.lowercased()) }
        request.options.request.headers += changes
        if let body = content.body, content.url == nil {
            request.options.request.body = SourcedText(body.json.description, entry.source(.key("body")))
        }
        if let auth = content.auth, isKnown(JSONValue(auth)) {
            request.options.request.auth = SourcedText(auth, entry.source(.key("auth")))
        }
        return request
    }

    // MARK: URLs

    /// Returns the request of a URL with the method and the body of the case.
    ///
    /// - Throws: ``UsageError`` with the place of a text that is no URL.
    private func requestOfURL(_ text: String, _ content: CaseFile.Case) throws -> CallRequest {
        var request = try CallRequest(CalledURL(try fullURL(text)))
        request.endpoint = try Self.endpointOfURL(content)
        return request
    }

    /// Returns a URL of a case with its server. A URL that is only a path is one of the server of `--base-url`.
    ///
    /// - Throws: ``UsageError`` for a path without `--base-url`.
    private func fullURL(_ text: String) throws(UsageError) -> SourcedText {
        let source = entry.source(.key("url"))
        guard text.hasPrefix("/") else { return SourcedText(text, source) }
        guard let server = options.request.server, server.isURL else {
            throw UsageError("the path '\(text)' needs a server: --base-url URL", from: source)
        }
        let base = server.word.text
        return SourcedText((base.hasSuffix("/") ? String(base.dropLast()) : base) + text, source)
    }

    /// Returns the endpoint that stands for the URL of a case. Any response fits it.
    ///
    /// - Throws: ``UsageError`` for a captured method that can't be used.
    static func endpointOfURL(_ content: CaseFile.Case) throws -> Endpoint {
        let method = try content.method?.known() ?? (content.body == nil ? .get : .post)
        var endpoint = Endpoint(method, "/", returns: RawResponse.self, summary: "")
        endpoint.body = content.body.map { body(of: $0.json, content) }
        return endpoint
    }

    /// Returns the body for a URL: JSON, or a text as it is if a header of the case says that it is not JSON.
    private static func body(of json: JSONValue, _ content: CaseFile.Case) -> Body {
        let header = content.headers?.first { $0.key.lowercased() == "content-type" }
        guard let contentType = header?.value.string else {
            return .data(Array(json.written), contentType: "application/json")
        }
        let isJSON = contentType.lowercased().contains("json")
        guard !isJSON, let text = json.string else { return .data(Array(json.written), contentType: contentType) }
        return .data(text.exactBytes, contentType: contentType)
    }

    // MARK: Parts

    /// Returns the items of `query`: `{"a": [1, 2], "b": null}` is `a=1&a=2`.
    private func queryItems(_ content: CaseFile.Case) -> [QueryItem] {
        let members = (content.query ?? [:]).sorted { $0.key < $1.key }
        return members.filter { !$0.value.isNull }.flatMap { name, value in
            value.list.map { QueryItem(name, $0.text) }
        }
    }

    /// Returns the changes that `headers` makes.
    ///
    /// - Parameter isKnown: Whether a name or value can be used; otherwise the header is left out.
    /// - Throws: ``UsageError`` for a header that can't be sent.
    private func headerChanges(
        _ content: CaseFile.Case, isKnown: (JSONValue) -> Bool
    ) throws(UsageError) -> [HeaderChange] {
        var changes: [HeaderChange] = []
        for (name, value) in (content.headers ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard isKnown(JSONValue(name)), isKnown(value) else { continue }
            changes.append(try headerChange(name, value))
        }
        return changes
    }

    /// Returns the change that a member of `headers` makes. Null removes the header.
    ///
    /// - Throws: ``UsageError`` for a header that can't be sent.
    private func headerChange(_ name: String, _ value: JSONValue) throws(UsageError) -> HeaderChange {
        do {
            let header = try HTTPField(name, value.isNull ? "" : value.text).checked()
            return value.isNull ? .remove(name) : .add(header)
        } catch {
            let source = entry.source(.key("headers"), .key(name))
            throw .invalidHeader(name: name, problem: error.headerFault, source: source)
        }
    }
}
