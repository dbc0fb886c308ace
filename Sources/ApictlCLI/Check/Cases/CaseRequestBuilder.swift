import EndpointKit
import EndpointTools
import JSONText

/// Makes the request of a case from its members.
struct CaseRequestBuilder {
    private let entry: CaseEntry
    private let declaration: EndpointDeclaration
    /// The options of the command, which count for all cases.
    private let options: CallOptions

    /// Makes a builder for the requests of one case.
    ///
    /// - Parameters:
    ///   - entry: The case, from whose file errors get their places.
    ///   - declaration: The endpoint that the case calls; for a URL, the one that stands for all URLs.
    ///   - options: The options of the command, which count for all cases.
    init(for entry: CaseEntry, calling declaration: EndpointDeclaration, options: CallOptions) {
        self.entry = entry
        self.declaration = declaration
        self.options = options
    }

    /// Decides which values of a case are used in its request.
    private enum ValueRule {
        /// All values are used, because all are known.
        case allKnown
        /// A value with a placeholder is not used. If it is an argument, it is replaced by the stand-in for its
        /// parameter.
        case standIns([String: JSONValue])

        /// Whether a value of the case is used in the request.
        func uses(_ value: JSONValue) -> Bool {
            switch self {
            case .allKnown: true
            case .standIns: value.placeholders().isEmpty
            }
        }

        /// Returns the value to use for an argument: the value of the case, or the stand-in if the value is not used.
        /// A parameter without a stand-in keeps the value of the case.
        func argument(_ value: JSONValue, parameterName: String) -> JSONValue {
            guard case .standIns(let standIns) = self, !uses(value) else { return value }
            return standIns[parameterName] ?? value
        }
    }

    /// Returns the request of a case whose values are all known.
    ///
    /// - Parameter content: The case of the entry, with values in place of placeholders.
    /// - Throws: ``UsageError`` with the place of a value that can't be used.
    func request(of content: CaseFile.Case) throws -> CallRequest {
        var request = try request(of: content, using: .allKnown)
        if let retry = try content.retry?.knownValue() {
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
    /// - Returns: The request; nil for a URL or a method with a placeholder, because no server or method is known.
    /// - Throws: ``UsageError`` with the place of a value that can't be used.
    func requestWithStandIns(of content: CaseFile.Case) throws -> CallRequest? {
        if let url = content.url, !url.placeholders.isEmpty { return nil }
        if let method = content.method, (try? method.knownValue()) == nil { return nil }
        var standIns: [String: JSONValue] = [:]
        for (name, value) in try declaration.firstCall.values().parameters { standIns[name] = value }
        return try request(of: content, using: .standIns(standIns))
    }

    /// Returns the request of a case: its call, and the options of the command with those of the case.
    ///
    /// - Parameters:
    ///   - content: The case.
    ///   - valueRule: Decides which values of the case are used. It leaves out values that are not known yet.
    private func request(of content: CaseFile.Case, using valueRule: ValueRule) throws -> CallRequest {
        var request = try requestWithoutOptions(of: content, using: valueRule)
        request.options = options
        request.options.request.query += queryItems(of: content)
        let changesOfCase = try headerChanges(of: content, using: valueRule)
        // A header of the case replaces one of the same name that the command line gives for all cases.
        let changedNames = Set(changesOfCase.map { $0.name.lowercased() })
        request.options.request.headers.removeAll { changedNames.contains($0.name.lowercased()) }
        request.options.request.headers += changesOfCase
        // For a URL, the body is part of the endpoint.
        if let body = content.body, content.url == nil {
            request.options.request.body = SourcedText(body.json.description, entry.source(.key("body")))
        }
        if let auth = content.auth, valueRule.uses(JSONValue(auth)) {
            request.options.request.auth = SourcedText(auth, entry.source(.key("auth")))
        }
        return request
    }

    /// Returns the request of a case without options: its endpoint or URL, and its arguments.
    ///
    /// - Throws: ``UsageError`` with the place of a URL or an argument that can't be used.
    private func requestWithoutOptions(of content: CaseFile.Case, using valueRule: ValueRule) throws -> CallRequest {
        if let url = content.url {
            var request = try CallRequest(CalledURL(try fullURL(url)))
            request.endpoint = try Self.endpointOfURL(of: content)
            return request
        }
        var request = CallRequest(declaration)
        for (name, value) in (content.arguments ?? [:]).sorted(by: { $0.key < $1.key }) {
            let source = entry.source(.key("arguments"), .key(name))
            let parameter = try declaration.parameter(named: name, from: source)
            let argument = valueRule.argument(value, parameterName: parameter.name)
            try request.addValue(argument, ofParameter: name, from: source)
        }
        return request
    }

    // MARK: URLs

    /// Returns the URL of a case. If the case has only a path, the server of `--base-url` comes before it.
    ///
    ///     /items   →   https://shop.example/items
    ///
    /// - Throws: ``UsageError`` for a path without `--base-url`.
    private func fullURL(_ url: String) throws(UsageError) -> SourcedText {
        let source = entry.source(.key("url"))
        guard url.hasPrefix("/") else { return SourcedText(url, source) }
        // `--server` chooses a server by the name that an API declares, but a path belongs to no API.
        guard let server = options.request.server, server.isURL else {
            throw UsageError("the path '\(url)' needs a server: --base-url URL", from: source)
        }
        var baseURL = server.word.text
        // The path begins with the slash that a base URL may end with.
        if baseURL.hasSuffix("/") { baseURL.removeLast() }
        return SourcedText(baseURL + url, source)
    }

    /// Returns the endpoint that stands for the URL of a case, with the method and the body of the case. Any response
    /// fits it.
    ///
    /// - Throws: ``UsageError`` for a captured method that can't be used.
    static func endpointOfURL(of content: CaseFile.Case) throws -> Endpoint {
        let defaultMethod: HTTPMethod = content.body == nil ? .get : .post
        let method = try content.method?.knownValue() ?? defaultMethod
        var endpoint = Endpoint(method, "/", returns: RawResponse.self, summary: "")
        if let body = content.body { endpoint.body = Self.body(of: content, json: body.json) }
        return endpoint
    }

    /// Returns the body for a URL: JSON, or a text as it is if a header of the case says that it is not JSON.
    private static func body(of content: CaseFile.Case, json: JSONValue) -> Body {
        let header = content.headers?.first { $0.key.lowercased() == "content-type" }
        guard let contentType = header?.value.string else {
            return .data(Array(json.written), contentType: "application/json")
        }
        let isJSON = contentType.lowercased().contains("json")
        if !isJSON, let text = json.string { return .data(text.exactBytes, contentType: contentType) }
        return .data(Array(json.written), contentType: contentType)
    }

    // MARK: Query and headers

    /// Returns the items that `query` adds, sorted by their names: `{"a": [1, 2], "b": null}` is `a=1&a=2`.
    private func queryItems(of content: CaseFile.Case) -> [QueryItem] {
        var items: [QueryItem] = []
        for (name, value) in (content.query ?? [:]).sorted(by: { $0.key < $1.key }) where !value.isNull {
            // A value that is no list is a list of itself.
            items += value.list.map { QueryItem(name, $0.text) }
        }
        return items
    }

    /// Returns the changes that the member `headers` of a case makes, sorted by the names of the headers.
    ///
    /// A header is left out if the rule does not use its name or its value, because a placeholder in it has no value
    /// yet.
    ///
    /// - Throws: ``UsageError`` for a header that can't be sent.
    private func headerChanges(
        of content: CaseFile.Case, using valueRule: ValueRule
    ) throws(UsageError) -> [HeaderChange] {
        var changes: [HeaderChange] = []
        for (name, value) in (content.headers ?? [:]).sorted(by: { $0.key < $1.key })
        where valueRule.uses(JSONValue(name)) && valueRule.uses(value) {
            changes.append(try headerChange(named: name, value: value))
        }
        return changes
    }

    /// Returns the change that a member of `headers` in a case makes. Null removes the header.
    ///
    /// - Throws: ``UsageError`` for a header that can't be sent, and for an invalid name of a header to remove.
    private func headerChange(named name: String, value: JSONValue) throws(UsageError) -> HeaderChange {
        do {
            // The value does not matter if the header is removed.
            let header = try HTTPField(name, value.isNull ? "" : value.text).checked()
            return value.isNull ? .remove(name) : .add(header)
        } catch {
            let source = entry.source(.key("headers"), .key(name))
            throw .invalidHeader(name: name, problem: error.headerFault, source: source)
        }
    }
}
