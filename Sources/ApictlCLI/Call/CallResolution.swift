import EndpointKit
import EndpointTools
import JSONText
import Synchronization

/// Makes the plan of one call: reads its files, makes the call from its parameters, and builds the request.
///
/// This takes two steps. ``draft()`` reads everything that can be read only once. ``plan(_:)`` builds the request
/// from the draft, and may be called again when a credential has been loaded.
struct CallResolution {
    let resolver: CallResolver
    /// The call, completed by the configuration.
    let request: CallRequest
    /// When everything that is read for the call must have come; nil is no limit.
    let deadline: ContinuousClock.Instant?

    var settings: Settings { resolver.settings }
    var options: CallOptions { request.options }
    var purpose: CallPurpose { options.purpose }
    var variables: Variables { settings.variables(of: declaration.api) }
    var logins: LoginVariables { settings.logins(of: declaration.api) }
    var context: CommandContext { resolver.context.with(deadline: deadline) }
    var declaration: EndpointDeclaration { request.declaration }

    /// A call whose parameters, body and connection are known, and whose request is not built yet.
    struct Draft {
        let call: EndpointCall
        let endpoint: Endpoint
        /// The URL that is requested in place of the endpoint, with the data of `--get`.
        let url: CalledURL?
        /// The body of `--body`.
        let body: RequestBody?
        let view: ResultView?
        let connection: ConnectionOptions
        let writeOut: WriteOut?
    }

    /// A variable whose source takes time to answer and must be loaded before the request is built.
    private struct VariableNotLoaded: Error {
        let name: String
        /// The server for which a login gives the value; nil if the configuration names the source.
        var loginServer: BaseURL?
    }

    /// Makes the plan of the call. Waits for the slow sources, such as programs, of the credentials that the request
    /// needs.
    ///
    /// - Throws: The errors of ``draft()`` and ``plan(_:)``, and `CancellationError`.
    func plan() async throws -> CallPlan { try await loadedPlan(try draft()) }

    /// Makes the plan of a draft. Waits for the slow sources of the credentials that the request needs.
    private func loadedPlan(_ draft: Draft) async throws -> CallPlan {
        // Without `--max-time`, all sources together may take twice the time that a single one may take.
        let deadline = deadline ?? .now + CredentialSource.timeLimit * 2
        // Of several credentials, the endpoint decides which one the request needs. So building it is tried first. If
        // it needs a variable that is not loaded, that one is loaded, and building is tried again.
        while true {
            do {
                return try plan(draft)
            } catch let error as VariableNotLoaded {
                guard let server = error.loginServer else {
                    try await variables.load(error.name, until: deadline)
                    continue
                }
                var transfer = TransferOptions()
                transfer.maxTime = options.transfer.tokenTimeLimit
                transfer.deadline = self.deadline
                let isSameServer = logins.tokenServer(of: error.name, at: server)?.origin == server.origin
                transfer.connection = isSameServer ? draft.connection : draft.connection.forTokenServer
                try await logins.load(error.name, at: server, transfer, until: deadline)
            }
        }
    }

    /// Reads what the request refers to: files, stdin, the parameters of the call.
    ///
    /// It may be called only once for each call, because stdin can be read only once.
    ///
    /// - Throws: ``UsageError`` and ``FileError``.
    func draft() throws -> Draft {
        let writeOut = try writeOut()
        let call = try request.call ?? self.call()
        // Only a request that is sent needs the files of certificates, so only then are they checked.
        let connection = purpose == .send ? try connection() : options.connection.resolved
        // A printed command reads stdin and pipes itself.
        let body = try options.request.body.map { try context.environment.body($0, isRead: purpose != .curl) }
        let data = try URLData(options.data.pieces, context.environment)
        let form = try URLForm.parts(options.data.form, context.environment)
        var endpoint = try endpoint(of: call, body, data)
        if !form.isEmpty { endpoint.body = .multipart(form) }
        let url = options.data.isQuery ? request.url?.withQuery(adding: data?.bytes ?? []) : request.url
        return Draft(
            call: call, endpoint: endpoint, url: url, body: body, view: try view(of: endpoint),
            connection: connection, writeOut: writeOut)
    }

    /// Returns the endpoint that is requested: the one of the call, changed as the options ask for.
    ///
    /// - Throws: ``UsageError`` if the endpoint has no sample, but an option asks for it.
    private func endpoint(
        of call: EndpointCall, _ body: RequestBody?, _ data: URLData?
    ) throws(UsageError) -> Endpoint {
        var endpoint = request.endpoint ?? call.endpoint
        if request.url != nil, request.endpoint == nil { endpoint = endpointOfURL(data) }
        // The endpoint declares no body, so nothing says which type `--body` has. JSON is sent with the type of JSON.
        if endpoint.body == nil, isJSON(body) { endpoint.body = .data([], contentType: "application/json") }
        if options.sendsNoCredential { endpoint.credentials = [] }
        if purpose == .sample, endpoint.sample == nil { throw UsageError("\(declaration.name) has no sample") }
        if options.pages.areFollowed {
            // Where nothing is declared, pages are followed over the links in `Link` headers.
            let paging = endpoint.pages ?? .link()
            endpoint.pages = options.pages.items.map { paging.withItems(at: $0) } ?? paging
        }
        return endpoint
    }

    /// Returns an endpoint for a URL, which has none. It accepts any response. Its path does not matter, because the
    /// path of the URL replaces it later.
    ///
    /// - Parameter data: The data to send; nil if there is none.
    private func endpointOfURL(_ data: URLData?) -> Endpoint {
        let body = options.data.isQuery ? nil : data
        let sendsData = body != nil || !options.data.form.isEmpty
        var endpoint = Endpoint(
            options.request.method ?? (sendsData ? .post : .get), "/", returns: RawResponse.self, summary: "")
        guard let body else { return endpoint }
        endpoint.body = .data(body.bytes, contentType: body.contentType)
        if body.isJSON { endpoint.headers = ["Accept": "application/json"] }
        return endpoint
    }

    /// Returns the part of the result to show, such as that of `--select`; nil is the whole result.
    ///
    /// - Throws: ``UsageError`` if the endpoint's model has no such part. With `--raw`, no model is applied, so the
    ///   names are not checked. With `--any-status` and `--fail-with-body`, the part may be one of an error, which has
    ///   another structure.
    private func view(of endpoint: Endpoint) throws -> ResultView? {
        guard let view = try options.selection.view() else { return nil }
        if options.output.raw || options.output.unsuccessful != .fail { return view }
        return try view.checked(declaration, endpoint, followsPages: options.pages.areFollowed)
    }

    /// Reads the text of `--write-out`; nil if there is none.
    ///
    /// - Throws: ``UsageError`` for a text that can't be used, and ``FileError`` for a file that can't be read.
    private func writeOut() throws -> WriteOut? {
        guard let word = options.output.writeOut, purpose != .curl else { return nil }
        // A request that is only shown reads no file for it.
        if word.file != nil, purpose == .dryRun { return nil }
        let file = try word.file == nil ? nil : context.environment.bytes(word, of: "--write-out").bytes
        let text = file.map { String(line: $0) } ?? word.text
        let writeOut = try WriteOut(text, from: word.source)
        if options.common.reportsJSON, !writeOut.isForStdout {
            throw UsageError("with --json-errors, --write-out begins with %{stdout}: stderr has the failure alone")
        }
        return writeOut
    }

    /// Whether the body of `--body` is JSON, by the name of its file or by its text. This matters if the endpoint
    /// declares no body.
    private func isJSON(_ body: RequestBody?) -> Bool {
        guard let word = options.request.body else { return false }
        if word.file?.lowercased().hasSuffix(".json") == true { return true }
        // A printed command will read stdin itself, probably JSON.
        if word.isStdin, purpose == .curl { return true }
        guard let bytes = body?.bytes else { return false }
        return (try? JSONDocument(bytes)) != nil
    }

    /// Builds the request of a draft.
    ///
    /// - Throws: ``VariableNotLoaded`` if the request is to be sent and a variable must be loaded first. Also
    ///   ``UsageError``, `MissingCredential` and ``CredentialSourceFailure``.
    func plan(_ draft: Draft) throws -> CallPlan {
        let (request, omitted): (Request, [HTTPField])
        do {
            (request, omitted) = try self.request(draft)
        } catch let error as MissingCredential {
            // A credential may be missing because its source failed. Then the failure of the source is the cause to
            // report. But an interruption also ends the programs that are sources, and then there is nothing to
            // report.
            if Task.isCancelled || context.environment.signals.exitCode() != nil { throw CancellationError() }
            throw variables.failure ?? logins.failure ?? missingLogin(error, draft) ?? error
        }
        // One credential of several may be enough to build the request. A source that failed is still reported,
        // because the user has configured it.
        if let failure = variables.failure ?? logins.failure, purpose == .send { throw failure }
        if options.output.resumes, let reason = request.reasonNotResumable {
            throw UsageError.conflict("--continue", reason)
        }
        var asked = self.request
        asked.options.output = try options.output.namingFile(afterPath: request.path)
        return CallPlan(
            draft, asked: asked, request: request, headersOmittedFromCurl: omitted, deadline: deadline,
            login: refreshableLogin(of: request, draft), loginSecrets: loginSecrets(of: request))
    }

    /// Returns the error that names the command which logs in; nil if no login would give the missing credential.
    private func missingLogin(_ missing: MissingCredential, _ draft: Draft) -> MissingLogin? {
        let variables = missing.alternatives.flatMap(\.self)
        let login = declaration.api.logins.first { variables.contains($0.variable) }
        guard let login, let server = try? server(of: draft.endpoint, base()) else { return nil }
        return MissingLogin(
            missing: missing,
            command: LoginCommand.commandLine(
                for: login, of: declaration.api, at: server, invocation: context.invocation),
            isExpired: logins.isExpired(login.variable, at: server))
    }

    /// Returns the login whose value a request has; nil if there is none that can be refreshed.
    private func refreshableLogin(of request: Request, _ draft: Draft) -> RefreshableLogin? {
        guard purpose == .send, self.request.url == nil else { return nil }
        let server = request.base
        let secrets = request.secrets.filter { secret in
            secret.variable.map { logins.canRefresh($0, at: server) } ?? false
        }
        guard let secret = secrets.first, let variable = secret.variable, let value = secret.reveal() else {
            return nil
        }
        return RefreshableLogin(isRejected: { logins.isRejected(value, of: variable, at: server) }) { deadline in
            logins.reject(value, of: variable, at: server)
            let resolution = CallResolution(resolver: resolver, request: self.request, deadline: deadline)
            return try await resolution.loadedPlan(draft)
        }
    }

    /// Returns the secrets of the request's logins that the request does not have.
    private func loginSecrets(of request: Request) -> Set<String> {
        guard purpose == .send, self.request.url == nil else { return [] }
        let variables = request.secrets.compactMap(\.variable)
        return Set(variables.flatMap { logins.otherSecrets(of: $0, at: request.base) })
    }

    /// Returns the server that a request goes to; nil if the API declares none.
    private func server(of endpoint: Endpoint, _ base: BaseURL?) throws -> BaseURL? {
        try base ?? endpoint.server?.base() ?? declaration.api.servers.first?.base()
    }

    // MARK: Request

    /// Returns the request, and those of its headers that a printed curl command leaves out.
    ///
    /// - Throws: ``UsageError`` for a problem with what was typed; ``VariableNotLoaded`` and `MissingCredential`.
    private func request(_ draft: Draft) throws -> (Request, omitted: [HTTPField]) {
        let (endpoint, body) = (draft.endpoint, draft.body)
        let additions = try additions(draft)
        var request: Request
        do {
            request = try build(endpoint, additions)
            try draft.url?.address(&request)
        } catch let problem as RequestError {
            // A problem that is not about what was typed is thrown as it is.
            throw usageError(problem) ?? problem
        } catch let EncodingError.invalidValue(_, context) {
            throw UsageError("the body can't be written as JSON: \(context.debugDescription)")
        }
        // A body that is made of arguments must be valid JSON. One that is given as a whole is sent as it is.
        if body == nil, draft.url == nil, endpoint.body?.contentType == "application/json" {
            try checkJSON(request.body)
        }
        // curl has its own `User-Agent`, so a printed command leaves ours out, but not one that the user gave.
        if request.specifies(header: "User-Agent") { return (request, additions.fallbackHeaders) }
        let own = HTTPField("User-Agent", "\(context.tool)/\(context.version)")
        request.headers.append(own)
        return (request, additions.fallbackHeaders + [own])
    }

    /// Builds the request with the values of variables.
    ///
    /// While it is built, the request asks for the values of variables. A value that is not loaded yet seems to be
    /// missing, which can lead to other errors. So the function first reports the variable and not those errors.
    ///
    /// - Throws: ``VariableNotLoaded`` for the first variable that must be loaded, and otherwise the errors of
    ///   building the request.
    private func build(_ endpoint: Endpoint, _ additions: RequestOptions) throws -> Request {
        let notLoaded = Mutex<VariableNotLoaded?>(nil)
        var additions = additions
        additions.variables = { [self, variables, logins, purpose, base = additions.base] name in
            // A curl command names the variable, whatever would give its value.
            if purpose == .curl, let source = variables.source(name) { return source.sentence }
            if purpose == .send, variables.mustBeLoaded(name) {
                notLoaded.withLock { $0 = $0 ?? VariableNotLoaded(name: name) }
                return nil
            }
            if let value = variables.value(name), !value.isEmpty { return value }
            // A printed command names the variable, whether or not there is a login.
            guard purpose != .curl, request.url == nil, let server = try? server(of: endpoint, base) else {
                return variables.value(name)
            }
            if purpose == .send, logins.mustBeLoaded(name, at: server) {
                notLoaded.withLock { $0 = $0 ?? VariableNotLoaded(name: name, loginServer: server) }
                return nil
            }
            return logins.value(name, at: server)
        }
        // The error is kept, because a variable that is not loaded may be its cause.
        let built = Result { try declaration.api.requestBuilder.request(endpoint, additions) }
        if let variable = notLoaded.withLock({ $0 }) { throw variable }
        return try built.get()
    }

    /// Checks that a body in JSON is UTF-8 (RFC 8259, section 8.1): an argument may hold any bytes.
    private func checkJSON(_ body: RequestBody?) throws(UsageError) {
        guard let bytes = body?.bytes, String(decoding: bytes, as: UTF8.self).holdsRawBytes else { return }
        throw UsageError("the body can't be written as JSON: it contains text that is not UTF-8")
    }

    /// Returns what options and configuration add to the request of an endpoint. The values of variables are not in
    /// it.
    private func additions(_ draft: Draft) throws -> RequestOptions {
        var additions = RequestOptions()
        for change in options.request.headers {
            switch change {
            case .add(let header): additions.headers.append(header)
            case .remove(let name): additions.withheldHeaders.append(name)
            }
        }
        additions.query = (draft.url?.items ?? []) + options.request.query
        additions.body = draft.body
        additions.base = try base()
        // A sample responds in place of a server, so that the API need not declare one.
        if purpose == .sample, try server(of: draft.endpoint, additions.base) == nil {
            additions.base = try BaseURL("http://localhost")
        }
        if !options.data.cookies.isEmpty {
            additions.headers.append(HTTPField("Cookie", options.data.cookies.map(\.text).joined(separator: "; ")))
        }
        // As in curl, a header that is given counts more than a user.
        let givesAuthorization = additions.headers.contains { $0.isNamed("Authorization") }
        if let user = options.data.user, !givesAuthorization {
            additions.headers.append(try authorization(of: user.text, additions.base))
        } else {
            additions.fallbackHeaders = try netrcHeaders(additions.base)
        }
        additions.credential = credential(of: draft.endpoint, at: additions.base)
        additions.missingCredential = purpose == .send ? .fail : .placeholder
        if purpose == .dryRun { additions.sources = { [variables] in variables.source($0)?.sentence } }
        return additions
    }

    /// Returns the base URL that is requested; nil is that of the API's first server.
    ///
    /// - Throws: ``UsageError`` for an unknown server.
    private func base() throws -> BaseURL? {
        if let url = request.url { return url.base }
        return try CallServerChoice(declaration.api, options.request.server, settings, context)?.base()
    }

    /// Returns the name of the credential that `--auth` or the configuration chooses. Nil lets the endpoint choose
    /// one.
    private func credential(of endpoint: Endpoint, at base: BaseURL?) -> String? {
        guard let auth = options.request.auth, !options.sendsNoCredential else { return nil }
        if !auth.source.isConfiguration { return auth.text }
        // The configuration is for all endpoints. Its choice counts only for those that accept the credential.
        let schemes = declaration.api.requestBuilder.credentials(of: endpoint, at: base).flatMap(\.alternatives)
        return schemes.contains { $0.isNamed(auth.text) } ? auth.text : nil
    }

    /// Returns the problem in words of the command line. Nil if it is not about what the user typed.
    private func usageError(_ problem: RequestError) -> UsageError? {
        // The error that names the parameter with an unusable value, if it is known which one that is.
        func unusable(_ value: String) -> UsageError {
            // The error only has the value: if several parameters have the same one, none is named.
            let words = request.parameters.filter { $0.word.text == value }
            let parameter = words.count == 1 ? words[0] : nil
            guard let parameter else { return UsageError(problem.description) }
            return .unusableValue(
                option: declaration.shown(parameter.path), problem: problem.description,
                source: parameter.word.source)
        }
        switch problem {
        case .noServer(let api):
            return UsageError("\(api) declares no server: give one with --base-url URL")
        case .urlOutsideServers, .invalidServer: return nil
        case .unknownCredential(let name, let known): return unknownCredential(name, known: known)
        case .invalidHeaderName, .invalidHeaderValue: return UsageError(problem.description)
        case .emptyPathValue: return unusable("")
        case .invalidPathCharacter(let value), .dotSegment(let value): return unusable(value)
        case .missingCredential, .ruleViolation, .wrongModel, .pagesNotDeclared, .notEncodable, .notAnEnum:
            return nil
        }
    }

    /// Returns the error of a credential that the endpoint does not declare.
    ///
    /// - Parameters:
    ///   - name: The name given with `--auth`.
    ///   - known: The names of the credentials that the endpoint declares.
    private func unknownCredential(_ name: String, known: [String]) -> UsageError {
        let source = options.request.auth?.source ?? .preset
        if known.isEmpty {
            let problem = "\(declaration.name) declares no credential '\(name)'; -n and -H can give one"
            return .unusableValue(option: "--auth", problem: problem, source: source)
        }
        let expected = (known + [CallOptions.noCredential]).joinedAsAlternatives + " for \(declaration.name)"
        return .invalidValue(option: "--auth", value: name, expected: expected, source: source)
    }

    /// Returns the header with the user of `--user`. The password is that of the variable, or else the one that the
    /// netrc file has for the user and the server.
    ///
    /// - Throws: `MissingCredential` if the request is sent and there is no password, ``VariableNotLoaded``, and the
    ///   errors of reading the file.
    private func authorization(of user: String, _ base: BaseURL?) throws -> HTTPField {
        let name = context.variableNames.password
        if purpose == .send, variables.mustBeLoaded(name) { throw VariableNotLoaded(name: name) }
        var password = Secret(variable: name, value: purpose == .curl ? nil : variables.value(name))
        if purpose == .send, !password.isSet {
            let found = try base.flatMap { try Netrc.password(of: user, at: $0.host, context.environment) }
            guard let found else { throw MissingCredential(alternatives: [[name]]) }
            password = Secret(found)
        }
        return Netrc.header(user: Secret(user), password: password)
    }

    /// Returns the header with the user and password that the netrc file has for the server.
    ///
    /// - Returns: No header without `--netrc`, for a call that needs no credential, or if the file has no entry for
    ///   the server. For a printed curl command, which reads the file itself, a placeholder.
    private func netrcHeaders(_ base: BaseURL?) throws -> [HTTPField] {
        guard options.request.netrc, !options.sendsNoCredential, purpose != .sample else { return [] }
        if purpose == .curl { return [Netrc.placeholder] }
        guard let host = try (base ?? declaration.api.servers.first?.base())?.host else { return [] }
        return try Netrc.header(for: host, context.environment).map { [$0] } ?? []
    }

    /// Returns the connection options with the passphrase of the client's key.
    ///
    /// All files that the options name are checked first, because the message of a TLS library would be less clear, and
    /// the transport's does not know the place of a setting.
    ///
    /// - Throws: ``FileError`` for a file that can't be read. If the configuration names the file, ``UsageError``
    ///   with the place of the setting.
    private func connection() throws -> ConnectionOptions {
        for file in options.connection.files { try requireReadable(file) }
        var connection = options.connection.resolved
        let name = context.variableNames.keyPassphrase
        if connection.clientCertificate != nil, let value = context.environment.value(name) {
            connection.keyPassphrase = Secret(variable: name, value: value)
        }
        return connection
    }

    /// Checks that a TLS library can read a file.
    ///
    /// - Throws: ``FileError``, or ``UsageError`` with the place of the setting if the configuration names the file.
    private func requireReadable(_ file: SourcedText) throws {
        do {
            try context.environment.files.requireReadable(file.text)
        } catch var error as FileError {
            // In curl's syntax, `--cert FILE:PASSPHRASE`, a passphrase follows the colon. It must not be shown.
            if let colon = file.text.unicodeScalars.firstIndex(of: ":") {
                error = FileError(
                    .read, String(file.text[..<colon]) + ":…",
                    reason: "\(error.reason); put a passphrase into \(context.variableNames.keyPassphrase)")
            }
            if file.source.isConfiguration { throw UsageError(error.description, from: file.source) }
            throw error
        }
    }
}

extension ConnectionOptions {
    /// These options for the server that gives tokens, which is another one than that of the call.
    ///
    /// A socket and a client's certificate are for the server of the call. And a secret is not sent to a server whose
    /// certificate is not verified because that of the other server is not.
    fileprivate var forTokenServer: ConnectionOptions {
        var options = withoutClientCertificate
        options.unixSocket = nil
        options.verifiesCertificate = true
        return options
    }
}
