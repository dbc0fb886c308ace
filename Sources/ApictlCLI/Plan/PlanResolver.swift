import EndpointKit

/// Resolves arguments into a plan: parameters, server, extra headers and query items, credentials, body.
struct PlanResolver {
    let arguments: CallArguments
    let purpose: CallPlan.Purpose
    let context: RunContext

    private var declaration: EndpointDeclaration { arguments.declaration }
    private var options: CallOptions { arguments.options }

    /// The plan. Throws ``UsageError``, `MissingCredential`, ``FileError``, and what building a request throws.
    func plan() throws -> CallPlan {
        try checkStdin()
        let input = ArgumentInput(environment: context.environment)
        let call = try call(input)
        // A printed command reads stdin and pipes itself.
        let body = try options.body.map { try input.body($0, isRead: purpose != .print) }
        return try plan(for: call, body: body)
    }

    /// The plan of a call that is already known, such as an example, or of a request like its own. Throws as ``plan()`` does.
    func plan(for call: any API, sending other: Endpoint? = nil, body: RequestBody? = nil) throws -> CallPlan {
        var view = try options.view()
        let endpoint = other ?? call.resolvedEndpoint
        if purpose == .sample, endpoint.sample == nil { throw UsageError.noSample(declaration.name) }
        if options.followsPages, endpoint.pages == nil { throw UsageError.noPages(declaration.name) }
        // In this order: whether a type conforms to a protocol takes the runtime 60 µs to find out.
        if !options.raw, let whole = view, endpoint.response.canBeWritten {
            view = try whole.checked(endpoint, declaration.api.coding, followsPages: options.followsPages)
        }
        let (request, headersOfCurl): (Request, [Header])
        do {
            (request, headersOfCurl) = try self.request(endpoint, body)
        } catch let error as MissingCredential {
            // The source that the configuration names for it says why.
            throw context.variables?.failure ?? error
        }
        if let failure = context.variables?.failure, purpose == .send { throw failure }
        if options.resumes { try checkResuming(request) }
        let connection =
            purpose == .send
            ? try ConnectionResolver(context: context).connection(options.connection) : options.connection
        return CallPlan(
            declaration: declaration, call: call, endpoint: endpoint, request: request, headersOfCurl: headersOfCurl,
            options: options, view: view, connection: connection)
    }

    /// Throws ``UsageError`` if stdin would be read twice.
    private func checkStdin() throws(UsageError) {
        let words = arguments.parameters.filter(\.mayBeJSON).map(\.word) + (options.body.map { [$0] } ?? [])
        let readers = words.filter(\.isStdin).sorted { $0.position < $1.position }
        if readers.count > 1 { throw .stdinTwice(readers[1].text, position: readers[1].position) }
    }

    /// The request, and which of its headers a curl command does not name.
    private func request(_ endpoint: Endpoint, _ body: RequestBody?) throws -> (Request, [Header]) {
        var additions = RequestOptions(
            variables: context.environment.variable, missingCredential: purpose == .send ? .fail : .placeholder)
        additions.base = try ServerResolver(api: declaration.api, context: context).base(options)
        for header in options.headers { try HeaderArgument(header).add(to: &additions) }
        additions.query = try options.query.map(QueryItem.init(argument:))
        additions.fallbackHeaders = try netrcHeaders(additions.base)
        additions.body = body
        additions.credential = options.auth
        do {
            var request = try declaration.api.request(endpoint, additions)
            if body == nil, endpoint.body?.contentType == "application/json" { try checkUTF8(request.body) }
            guard !request.specifies(header: "User-Agent") else { return (request, additions.fallbackHeaders) }
            let own = Header("User-Agent", "\(context.tool)/\(context.version)")
            request.headers.append(own)
            return (request, additions.fallbackHeaders + [own])
        } catch let problem as Endpoint.Path.InvalidValue {
            // The error only has the value: if several parameters have the same one, none is named.
            let words = arguments.parameters.filter { $0.word.text == problem.value }
            let parameter = words.count == 1 ? words[0] : nil
            throw UsageError.invalidPathValue(
                problem.value, parameter: parameter.map { declaration.shown($0.path) }, problem: problem.sentence,
                position: parameter?.word.position)
        } catch let problem as UnknownCredential {
            let known =
                problem.known.isEmpty ? "no name, as it needs no credential" : problem.known.joined(separator: " or ")
            throw UsageError.invalidValue(option: "--auth", value: problem.name, expected: known, position: nil)
        } catch let problem as InvalidHeader {
            throw UsageError.invalidHeader(name: problem.name, problem: problem.sentence)
        } catch let EncodingError.invalidValue(_, context) {
            throw UsageError.bodyWithoutJSON(context.debugDescription)
        }
    }

    /// Throws ``UsageError`` if the JSON body contains bytes that are not UTF-8 (RFC 8259, section 8.1).
    private func checkUTF8(_ body: RequestBody?) throws(UsageError) {
        if let bytes = body?.bytes, String(decoding: bytes, as: UTF8.self).holdsRawBytes {
            throw .bodyWithoutJSON("it contains text that is not UTF-8")
        }
    }

    /// The credentials of the netrc file for the server; a sample needs none.
    private func netrcHeaders(_ base: BaseURL?) throws -> [Header] {
        guard options.netrc, purpose != .sample else { return [] }
        if purpose == .print { return [NetrcFile.placeholder] }
        guard let host = try (base ?? declaration.api.servers.first?.base())?.host else { return [] }
        return try NetrcFile(environment: context.environment).header(for: host).map { [$0] } ?? []
    }

    /// Throws ``UsageError`` if a response to `request` can't be resumed.
    private func checkResuming(_ request: Request) throws(UsageError) {
        if let obstacle = request.obstacleToResuming { throw .conflict("--continue", obstacle) }
    }
}

extension Request {
    /// Why a response to this request can't be resumed; nil if it can.
    var obstacleToResuming: String? {
        // Range requests are only defined for GET (RFC 9110, section 14.2).
        if method != .get { return "the method \(method)" }
        return ["Range", "If-Range"].first { name in headers.contains { $0.isNamed(name) } }.map { "the header \($0)" }
    }
}

extension Endpoint.Path.InvalidValue {
    fileprivate var sentence: String {
        switch reason {
        case .empty: "it would name another resource"
        case .invalidCharacter: "it contains a character that is not allowed in a path"
        case .dotSegment: "servers resolve it to another path, even if encoded"
        }
    }
}
