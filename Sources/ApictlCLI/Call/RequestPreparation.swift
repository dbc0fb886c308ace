import EndpointKit

/// Turns a call and its options into the request: which server, which additions, which credentials.
struct RequestPreparation {
    let declaration: EndpointDeclaration
    let invocation: EndpointInvocation
    let environment: ProcessEnvironment
    /// The User-Agent to send where no other is given; nil leaves it to the transport.
    var userAgent: String?
    /// Whether `--netrc` reads its file and `--body` stdin; else whoever sends the request does.
    var readsInput = true

    private var options: CallOptions { invocation.options }

    /// The request of `call`. Throws ``UsageError``, `MissingCredential`, ``FileError``, and what building a request throws.
    func request(_ call: any API, missing: Credential.MissingPolicy) throws -> Request {
        var additions = RequestOptions(variables: environment.variable, missingCredential: missing)
        additions.base = try base(of: type(of: call))
        for header in options.headers { try add(header, to: &additions) }
        additions.query = try options.query.map(queryItem)
        if options.netrc { additions.fallbackHeaders = try netrcHeaders(additions.base, type(of: call)) }
        do {
            var request = try call.request(additions)
            request.headers.removeAll { $0 == NetrcFile.placeholder }
            if options.body != nil {
                try replaceBody(of: &request, call, additions)
            } else if case .json? = call.endpoint.body {
                try checkUTF8(request.body)
            }
            if let userAgent, !request.settles("User-Agent") {
                request.headers.append(Header("User-Agent", userAgent))
            }
            return request
        } catch let problem as Endpoint.Path.InvalidValue {
            // The path knows its values only: where several parameters have this one, none is named.
            let words = invocation.parameters.filter { $0.text == problem.value }
            let word = words.count == 1 ? words[0] : nil
            throw UsageError.invalidPathValue(
                problem.value, parameter: word.map { declaration.shown($0.path) }, problem: problem.sentence,
                position: word?.position)
        } catch let problem as InvalidHeader {
            throw UsageError.invalidHeader(name: problem.name, problem: problem.sentence)
        } catch let EncodingError.invalidValue(_, context) {
            throw UsageError.bodyWithoutJSON(context.debugDescription)
        }
    }

    /// JSON can't carry bytes that are not UTF-8 (RFC 8259, section 8.1). Throws ``UsageError`` where an argument holds some.
    private func checkUTF8(_ body: RequestBody?) throws(UsageError) {
        if let bytes = body?.bytes, String(decoding: bytes, as: UTF8.self).holdsRawBytes {
            throw .bodyWithoutJSON("it holds text that is not UTF-8")
        }
    }

    /// `--base-url`, `--env`, `APICTL_<API>_URL`, `APICTL_ENV`, the API's first environment: the first that is there.
    private func base(of api: any API.Type) throws -> BaseURL? {
        if let url = options.baseURL {
            if options.environment != nil { throw UsageError.conflict("--base-url", "--env") }
            return try baseURL(url, source: "--base-url")
        }
        if let name = options.environment { return try namedBase(name, api, source: "--env") }
        let variable = Self.urlVariable(of: api)
        if let url = environment.variable(variable), !url.isEmpty { return try baseURL(url, source: variable) }
        if let name = environment.variable("APICTL_ENV"), !name.isEmpty {
            return try namedBase(name, api, source: "APICTL_ENV")
        }
        return nil
    }

    /// What the netrc file signs requests to `base` with; a sample needs nothing.
    private func netrcHeaders(_ base: BaseURL?, _ api: any API.Type) throws -> [Header] {
        guard !options.sample else { return [] }
        guard readsInput else { return [NetrcFile.placeholder] }
        guard let host = try (base ?? api.servers.first?.base())?.host else { return [] }
        return try NetrcFile(environment: environment).header(for: host).map { [$0] } ?? []
    }

    /// The variable that sets an API's base URL: `APICTL_MOVIES_URL`.
    static func urlVariable(of api: any API.Type) -> String {
        "APICTL_" + api.name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() + "_URL"
    }

    private func namedBase(_ name: String, _ api: any API.Type, source: String) throws -> BaseURL {
        guard let environment = api.servers.first(where: { $0.name == name }) else {
            let names = api.servers.map(\.name)
            throw UsageError.unknownEnvironment(
                name, api: api.name, environments: names, source: source, nearest: Nearest.match(name, in: names))
        }
        return try environment.base()
    }

    private func baseURL(_ text: String, source: String) throws(UsageError) -> BaseURL {
        do {
            return try BaseURL(text)
        } catch {
            // A password is not shown, not even to the one who typed it.
            let holdsPassword = text.contains("@")
            let problem = error.sentence(holdsPassword ? "" : text)
            throw .invalidBaseURL(holdsPassword ? nil : text, problem: problem, source: source)
        }
    }

    /// `Name: value` adds, `Name:` leaves the field out, `Name;` sends it empty, as in curl.
    private func add(_ text: String, to additions: inout RequestOptions) throws(UsageError) {
        // Scalars, not characters: a value may start with a mark that combines with what is before it.
        let scalars = text.unicodeScalars
        let end = scalars.firstIndex { $0 == ":" || $0 == ";" } ?? scalars.endIndex
        let name = String(text[..<end])
        let header: Header
        if end == text.endIndex || end == text.startIndex {
            // What stands behind a first word may be a token.
            throw .invalidHeader(name: String(text.prefix { $0 != " " }), problem: "expected 'Name: value'")
        } else if scalars[end] == ";" {
            guard scalars.index(after: end) == scalars.endIndex else {
                throw .invalidHeader(name: name, problem: "expected 'Name: value', or 'Name;' for an empty one")
            }
            header = Header(name, "")
        } else {
            let value = scalars[scalars.index(after: end)...].drop { $0 == " " || $0 == "\t" }
            header = Header(name, String(value))
        }
        do {
            let checked = try header.checked()
            if checked.value.description.isEmpty, scalars[end] == ":" {
                additions.withheldHeaders.append(name)
            } else {
                additions.headers.append(checked)
            }
        } catch {
            throw .invalidHeader(name: error.name, problem: error.sentence)
        }
    }

    private func queryItem(_ text: String) throws(UsageError) -> QueryItem {
        guard let equals = text.unicodeScalars.firstIndex(of: "="), equals != text.startIndex else {
            throw .invalidValue(option: "--query", value: text, expected: "NAME=VALUE", position: nil)
        }
        let value = text.unicodeScalars[equals...].dropFirst()
        return QueryItem(String(text[..<equals]), String(value))
    }
}

extension BaseURL.Problem {
    /// What is wrong, to follow the URL.
    fileprivate func sentence(_ text: String) -> String {
        switch self {
        case .notAURL: "is not a URL such as https://api.example.com"
        case .noHost: "has no host"
        case .scheme(let scheme):
            text.isEmpty || text.contains("://")
                ? "has the scheme \(text.isEmpty ? "of something else" : scheme); only http and https are spoken"
                : "has no scheme; did you mean http://\(text)?"
        case .query: "has a query; use --query NAME=VALUE"
        case .fragment: "has a fragment, which is never sent"
        case .credentials: "the URL holds credentials; they would show in process lists and logs"
        }
    }
}

extension Endpoint.Path.InvalidValue {
    fileprivate var sentence: String {
        switch reason {
        case .empty: "the segment would be empty and name another resource"
        case .dotSegment: "servers resolve it to another path, encoded or not"
        }
    }
}

extension InvalidHeader {
    fileprivate var sentence: String {
        switch reason {
        case .name: "the name may hold letters, digits and !#$%&'*+-.^_`|~ only"
        case .value:
            "the value\(variable.map { " of \($0)" } ?? "") holds a line break or another control character"
        }
    }
}
