import EndpointKit
import EndpointTools
import JSONText
import Synchronization

/// Makes the plan of one call: reads its inputs, makes the endpoint's call from its parameters, and builds the request.
///
/// This takes two steps. ``readInputs()`` reads everything that can be read only once, such as stdin.
/// ``buildPlan(from:)`` builds the request from these inputs, and may be called again after a credential has been loaded.
struct CallResolution {
    let resolver: CallResolver
    /// The call, completed by the configuration.
    let callRequest: CallRequest
    /// The time by which all inputs must have been read; nil is no limit.
    let deadline: ContinuousClock.Instant?

    var settings: Settings { resolver.settings }
    var options: CallOptions { callRequest.options }
    var purpose: CallPurpose { options.purpose }
    var variables: Variables { settings.variables(of: declaration.api) }
    var logins: LoginVariables { settings.logins(of: declaration.api) }
    var context: CommandContext { resolver.context.with(deadline: deadline) }
    var declaration: EndpointDeclaration { callRequest.declaration }

    /// Everything from which the request of a call is built, except for credentials.
    struct Inputs {
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

    /// A request, together with those of its headers that a printed curl command leaves out.
    struct BuiltRequest {
        var request: Request
        var headersOmittedFromCurl: [HTTPField]
    }

    /// The error that a variable must be loaded before the request can be built, because its source is slow.
    private struct VariableNotLoaded: Error {
        let name: String
        /// The server for which a login gives the value; nil if the configuration names the source.
        var loginServer: BaseURL?
    }

    /// Reads the inputs of the call and makes its plan. Waits for the programs and servers that give the credentials
    /// of the request.
    ///
    /// - Throws: The errors of ``readInputs()`` and ``buildPlan(from:)``, and `CancellationError`.
    func resolve() async throws -> CallPlan { try await planLoadingVariables(for: try readInputs()) }

    /// Makes the plan of a call from its inputs. Loads the variables of its credentials from their slow sources, such
    /// as programs.
    ///
    /// An endpoint chooses one of several credentials while the request is built. So the request is built first. If
    /// that needs a variable that is not loaded, the variable is loaded and the request is built again.
    private func planLoadingVariables(for inputs: Inputs) async throws -> CallPlan {
        // Without `--max-time`, all sources together may take twice the time that a single one may take.
        let loadingDeadline = deadline ?? .now + CredentialSource.timeLimit * 2
        while true {
            do {
                return try buildPlan(from: inputs)
            } catch let variable as VariableNotLoaded {
                try await load(variable, over: inputs.connection, until: loadingDeadline)
            }
        }
    }

    /// Loads the value of a variable from its slow source, such as a program or a server that issues tokens. Keeps the
    /// value in ``variables`` or ``logins``.
    ///
    /// - Parameters:
    ///   - connection: The connection options of the call. A login that asks the call's own server for a token uses
    ///     them.
    ///   - loadingDeadline: When the value must have come.
    private func load(
        _ variable: VariableNotLoaded, over connection: ConnectionOptions,
        until loadingDeadline: ContinuousClock.Instant
    ) async throws {
        guard let server = variable.loginServer else {
            return try await variables.load(variable.name, until: loadingDeadline)
        }
        let tokenServer = logins.tokenServer(of: variable.name, at: server)
        let isServerOfCall = tokenServer?.origin == server.origin
        var transfer = TransferOptions()
        transfer.maxTime = options.transfer.tokenTimeLimit
        transfer.deadline = deadline
        // Another server gets no client's certificate, for example.
        transfer.connection = isServerOfCall ? connection : connection.forTokenServer
        try await logins.load(variable.name, at: server, using: transfer, until: loadingDeadline)
    }

    // MARK: Reading the inputs

    /// Reads everything that the call refers to: files, stdin, and the values of its parameters.
    ///
    /// The request is not built yet, because that may need credentials which are not loaded. This function may be
    /// called only once for each call, because stdin can be read only once.
    ///
    /// - Throws: ``UsageError`` and ``FileError``.
    func readInputs() throws -> Inputs {
        let writeOut = try readWriteOut()
        // The call of a URL or of an example is known already. Any other call is made from its parameters.
        let call = try callRequest.call ?? makeCall()
        // Only a request that is sent needs the files of certificates, so only then are they checked.
        let connection = purpose == .send ? try checkedConnection() : options.connection.resolved
        // A printed command reads stdin and pipes itself.
        let readsStreams = purpose != .curl
        let body = try options.request.body.map { word in
            try context.environment.readBody(word, readsStreams: readsStreams)
        }
        let data = try URLData(options.data.pieces, environment: context.environment)
        let formParts = try URLForm.parts(options.data.form, environment: context.environment)
        var endpoint = try requestedEndpoint(of: call, body: body, data: data)
        if !formParts.isEmpty { endpoint.body = .multipart(formParts) }
        var url = callRequest.url
        let sendsDataInQuery = options.data.isQuery
        if sendsDataInQuery { url = url?.withQuery(adding: data?.bytes ?? []) }
        return Inputs(
            call: call, endpoint: endpoint, url: url, body: body, view: try view(of: endpoint),
            connection: connection, writeOut: writeOut)
    }

    /// Returns the endpoint to request: the endpoint of the call, with the changes that the options ask for.
    ///
    /// - Parameters:
    ///   - body: The body of `--body`; nil without that option.
    ///   - data: The data of `--data` and its relatives, which only a URL can have.
    /// - Throws: ``UsageError`` for `--sample` if the endpoint has no sample.
    private func requestedEndpoint(
        of call: EndpointCall, body: RequestBody?, data: URLData?
    ) throws(UsageError) -> Endpoint {
        // A pasted curl command, for example, has its own endpoint. For a URL, the options make the endpoint.
        let endpointOfURL = callRequest.url == nil ? nil : makeEndpointOfURL(sending: data)
        var endpoint = callRequest.endpoint ?? endpointOfURL ?? call.endpoint
        // An endpoint without a declared body does not say which type `--body` has. JSON is sent with its own type.
        if endpoint.body == nil, isJSON(body) {
            // No bytes, because those of `--body` replace them when the request is built.
            endpoint.body = .data([], contentType: "application/json")
        }
        if options.sendsNoCredential { endpoint.credentials = [] }
        if purpose == .sample, endpoint.sample == nil { throw UsageError("\(declaration.name) has no sample") }
        if options.pages.areFollowed {
            // Without a declaration, pages are followed over the links in `Link` headers (RFC 8288).
            var paging = endpoint.pages ?? .link()
            if let pathOfItems = options.pages.items { paging = paging.withItems(at: pathOfItems) }
            endpoint.pages = paging
        }
        return endpoint
    }

    /// Returns the endpoint that stands for a URL. Its method and body come from the options, and it accepts any
    /// response.
    ///
    /// The path of the endpoint does not matter, because the path of the URL replaces it later.
    ///
    /// - Parameter data: The data of `--data` and its relatives; nil without them.
    private func makeEndpointOfURL(sending data: URLData?) -> Endpoint {
        let dataInBody = options.data.isQuery ? nil : data
        let hasBody = dataInBody != nil || !options.data.form.isEmpty
        let method = options.request.method ?? (hasBody ? .post : .get)
        var endpoint = Endpoint(method, "/", returns: RawResponse.self, summary: "")
        if let dataInBody {
            endpoint.body = .data(dataInBody.bytes, contentType: dataInBody.contentType)
            if dataInBody.isJSON { endpoint.headers = ["Accept": "application/json"] }
        }
        return endpoint
    }

    /// Returns the part of the result to show, such as that of `--select`; nil is the whole result.
    ///
    /// - Throws: ``UsageError`` if the endpoint's model has no such part. The names are not checked with `--raw`,
    ///   which applies no model, nor with `--any-status` and `--fail-with-body`, which also show the body of an error.
    private func view(of endpoint: Endpoint) throws -> ResultView? {
        guard let view = try options.selection.view() else { return nil }
        if options.output.raw || options.output.unsuccessful != .fail { return view }
        return try view.checked(against: declaration, endpoint: endpoint, followsPages: options.pages.areFollowed)
    }

    /// Reads the text of `--write-out`, and the file that it may name.
    ///
    /// - Returns: The text; nil without the option, for a printed curl command, and if a request that is only shown
    ///   would have to read a file.
    /// - Throws: ``UsageError`` for a text that can't be used, and ``FileError`` for a file that can't be read.
    private func readWriteOut() throws -> WriteOut? {
        guard let word = options.output.writeOut, purpose != .curl else { return nil }
        let namesFile = word.filePath != nil
        if namesFile, purpose == .dryRun { return nil }
        var text = word.text
        if namesFile { text = String(line: try context.environment.readBytes(of: word, for: "--write-out")) }
        let writeOut = try WriteOut(text, from: word.source)
        if options.common.reportsJSON, !writeOut.isForStdout {
            throw UsageError("with --json-errors, --write-out begins with %{stdout}: stderr has the failure alone")
        }
        return writeOut
    }

    /// Whether the body of `--body` is JSON, by the name of its file or by its text.
    private func isJSON(_ body: RequestBody?) -> Bool {
        guard let word = options.request.body else { return false }
        if word.filePath?.lowercased().hasSuffix(".json") == true { return true }
        // A printed command will read stdin itself, probably JSON.
        if word.isStdin, purpose == .curl { return true }
        guard let bytes = body?.bytes else { return false }
        return (try? JSONDocument(bytes)) != nil
    }

    // MARK: Plan

    /// Builds the request from the inputs of a call, and returns the plan of the call with everything that is needed to
    /// send it.
    ///
    /// - Throws: ``VariableNotLoaded`` if the request is to be sent and a variable must be loaded first. Also
    ///   ``UsageError``, `MissingCredential` and ``CredentialSourceFailure``.
    func buildPlan(from inputs: Inputs) throws -> CallPlan {
        let built: BuiltRequest
        do {
            built = try buildRequest(from: inputs)
        } catch let error as MissingCredential {
            throw reportedError(for: error, inputs: inputs)
        }
        // The request may have been built with another credential than the one whose source has failed. The failure is
        // reported nevertheless, because the user has configured the source.
        if purpose == .send, let failure = variables.failure ?? logins.failure { throw failure }
        if options.output.resumes, let conflictingPart = built.request.partThatPreventsResuming {
            throw UsageError.conflict("--continue", conflictingPart)
        }
        // `-O` and `-o DIR/` name the file after the URL, which is only known now.
        var callRequest = callRequest
        callRequest.options.output = try options.output.namingFile(afterPath: built.request.path)
        return CallPlan(
            inputs, callRequest: callRequest, builtRequest: built, deadline: deadline,
            login: refreshableLogin(of: built.request, builtFrom: inputs),
            loginSecrets: loginSecrets(missingIn: built.request))
    }

    /// Returns the error to report for a missing credential.
    ///
    /// The first of these counts: an interruption, the failure of a source that should have given the credential, a
    /// login that would give it, and the missing credential itself.
    private func reportedError(for missing: MissingCredential, inputs: Inputs) -> any Error {
        // A signal also ends the programs that are sources, so that their failure is not worth a report.
        let isInterrupted = Task.isCancelled || context.environment.signals.exitCode() != nil
        if isInterrupted { return CancellationError() }
        return variables.failure ?? logins.failure ?? missingLogin(for: missing, inputs: inputs) ?? missing
    }

    /// Returns the error with the command that logs in to get a missing credential; nil if no login gives it.
    private func missingLogin(for missing: MissingCredential, inputs: Inputs) -> MissingLogin? {
        let variables = missing.alternatives.flatMap(\.self)
        let login = declaration.api.logins.first { variables.contains($0.variable) }
        guard let login, let server = try? server(of: inputs.endpoint, chosen: chosenServer()) else { return nil }
        return MissingLogin(
            missing: missing,
            command: LoginCommand.commandLine(
                for: login, of: declaration.api, at: server, invocation: context.invocation),
            isExpired: logins.isExpired(login.variable, at: server))
    }

    /// Returns the login to refresh if the server rejects the request's token (401).
    ///
    /// To refresh the login, the token is marked as rejected, and the plan is made again from the same inputs. That
    /// loads a new token.
    ///
    /// - Returns: The login; nil if there is none, for a URL, and for a request that is not sent.
    private func refreshableLogin(of request: Request, builtFrom inputs: Inputs) -> RefreshableLogin? {
        guard purpose == .send, callRequest.url == nil else { return nil }
        let server = request.base
        let refreshableSecret = request.secrets.first { secret in
            guard let variable = secret.variable else { return false }
            return logins.canRefresh(variable, at: server)
        }
        guard let variable = refreshableSecret?.variable, let token = refreshableSecret?.reveal() else { return nil }
        return RefreshableLogin(
            isRejected: { logins.isRejected(token, of: variable, at: server) },
            refreshedPlan: { deadline in
                logins.reject(token, of: variable, at: server)
                let resolution = CallResolution(resolver: resolver, callRequest: callRequest, deadline: deadline)
                return try await resolution.planLoadingVariables(for: inputs)
            })
    }

    /// Returns the secrets of the request's logins that the request itself does not send, such as a refresh token. A
    /// server may still repeat them.
    private func loginSecrets(missingIn request: Request) -> Set<String> {
        guard purpose == .send, callRequest.url == nil else { return [] }
        let variables = request.secrets.compactMap(\.variable)
        return Set(variables.flatMap { logins.otherSecrets(of: $0, at: request.base) })
    }

    // MARK: Server

    /// Returns the server that the URL, the options, a variable or the configuration chooses.
    ///
    /// - Returns: Its base URL; nil leaves the choice to the endpoint and the API.
    /// - Throws: ``UsageError`` for an unknown server.
    private func chosenServer() throws -> BaseURL? {
        if let url = callRequest.url { return url.base }
        return try CallServerChoice(declaration.api, options.request.server, settings, context)?.base()
    }

    /// Returns the server that a request for an endpoint goes to: the chosen server, or else the endpoint's own server,
    /// or else the API's first server. Nil if there is none of them.
    private func server(of endpoint: Endpoint, chosen: BaseURL?) throws -> BaseURL? {
        try chosen ?? endpoint.server?.base() ?? declaration.api.servers.first?.base()
    }

    // MARK: Request

    /// Builds the request from the inputs of the call. Adds a `User-Agent` if neither the user nor the endpoint gives
    /// one.
    ///
    /// - Throws: ``UsageError`` for a problem with what was typed, other errors of building the request,
    ///   ``VariableNotLoaded`` and `MissingCredential`.
    private func buildRequest(from inputs: Inputs) throws -> BuiltRequest {
        let additions = try makeAdditions(for: inputs)
        let request = try buildCheckedRequest(from: inputs, with: additions)
        // The fallback headers have the user and password of the netrc file, which curl reads itself.
        var built = BuiltRequest(request: request, headersOmittedFromCurl: additions.fallbackHeaders)
        if !request.specifies(header: "User-Agent") {
            // curl sends a `User-Agent` of its own, so a printed command leaves this one out.
            let userAgent = HTTPField("User-Agent", "\(context.tool)/\(context.version)")
            built.request.headers.append(userAgent)
            built.headersOmittedFromCurl.append(userAgent)
        }
        return built
    }

    /// Builds the request from the inputs of the call, and checks that a JSON body made of parameters is UTF-8.
    ///
    /// - Parameter additions: The headers, query items and other things that the options add.
    /// - Throws: ``UsageError`` for a problem with what was typed, and other errors of building the request.
    private func buildCheckedRequest(from inputs: Inputs, with additions: RequestOptions) throws -> Request {
        do {
            var request = try buildRequestWithVariables(for: inputs.endpoint, with: additions)
            try inputs.url?.setTarget(of: &request)
            // A body that is made of parameters must be valid JSON. One that is given as a whole is sent as it is.
            let isMadeOfParameters = inputs.body == nil && inputs.url == nil
            if isMadeOfParameters, inputs.endpoint.body?.contentType == "application/json" {
                try requireUTF8(request.body)
            }
            return request
        } catch let problem as RequestError {
            // A problem that is not about what was typed is thrown as it is.
            throw usageError(for: problem) ?? problem
        } catch let EncodingError.invalidValue(_, encodingContext) {
            throw UsageError("the body can't be written as JSON: \(encodingContext.debugDescription)")
        }
    }

    /// Builds the request for an endpoint, with the values of the variables that its credentials name.
    ///
    /// A variable that is not loaded yet has no value, which can make building fail with an error about a missing
    /// credential. So the variable is reported in place of such an error.
    ///
    /// - Parameter additions: The headers, query items and other things that the options add, without the values of
    ///   variables.
    /// - Throws: ``VariableNotLoaded`` for the first variable that must be loaded, and otherwise the errors of
    ///   building the request.
    private func buildRequestWithVariables(for endpoint: Endpoint, with additions: RequestOptions) throws -> Request {
        // The builder asks for values with a function that can't throw. So variables to load are collected here.
        let variablesToLoad = Mutex<[VariableNotLoaded]>([])
        var additions = additions
        additions.variables = { [chosenServer = additions.base] name in
            do throws(VariableNotLoaded) {
                return try value(ofVariable: name, for: endpoint, at: chosenServer)
            } catch {
                variablesToLoad.withLock { $0.append(error) }
                return nil
            }
        }
        let buildResult = Result { try declaration.api.requestBuilder.request(endpoint, additions) }
        if let firstToLoad = variablesToLoad.withLock({ $0.first }) { throw firstToLoad }
        return try buildResult.get()
    }

    /// Returns the value that a request sends for a variable of a credential.
    ///
    /// It is the value of the variable itself, or else the token of a login for the server. A call of a URL uses no
    /// logins, and neither does a printed curl command.
    ///
    /// - Parameter chosenServer: The server that the user has chosen; nil stands for the server of the endpoint or the
    ///   API.
    /// - Returns: The value; nil if there is none.
    /// - Throws: ``VariableNotLoaded`` if the request is to be sent and the value must be loaded from a slow source,
    ///   such as a program or a server that refreshes tokens.
    private func value(
        ofVariable name: String, for endpoint: Endpoint, at chosenServer: BaseURL?
    ) throws(VariableNotLoaded) -> String? {
        // A printed command is not sent, so a sentence about the source may stand in place of the value.
        if purpose == .curl { return variables.source(name)?.sentence ?? variables.value(name) }
        if purpose == .send, variables.mustBeLoaded(name) { throw VariableNotLoaded(name: name) }
        let value = variables.value(name)
        if let value, !value.isEmpty { return value }
        guard callRequest.url == nil, let server = try? server(of: endpoint, chosen: chosenServer) else {
            // Nil, or the empty value with which a user has set the variable.
            return value
        }
        if purpose == .send, logins.mustBeLoaded(name, at: server) {
            throw VariableNotLoaded(name: name, loginServer: server)
        }
        return logins.value(name, at: server)
    }

    /// Checks that a body in JSON is UTF-8 (RFC 8259, section 8.1), because a word of the command line may hold any
    /// bytes.
    private func requireUTF8(_ body: RequestBody?) throws(UsageError) {
        guard let bytes = body?.bytes, String(decoding: bytes, as: UTF8.self).holdsRawBytes else { return }
        throw UsageError("the body can't be written as JSON: it contains text that is not UTF-8")
    }

    // MARK: Additions

    /// Returns what the options and the configuration add to the request of an endpoint.
    ///
    /// This is the server, headers, query items, the body, and the choice of a credential. The values of variables are
    /// not included.
    private func makeAdditions(for inputs: Inputs) throws -> RequestOptions {
        var additions = RequestOptions()
        additions.base = try chosenServer()
        // The sample responds in place of a server, so the API needs to declare none. Then any base URL will do.
        if purpose == .sample, try server(of: inputs.endpoint, chosen: additions.base) == nil {
            additions.base = try BaseURL("http://localhost")
        }
        additions.query = (inputs.url?.items ?? []) + options.request.query
        additions.body = inputs.body
        try addHeaders(to: &additions)
        additions.credential = credentialName(for: inputs.endpoint, at: additions.base)
        // A request that is not sent needs no credential. A placeholder such as `$TOKEN` stands for a missing one.
        additions.missingCredential = purpose == .send ? .fail : .placeholder
        // `--dry-run` shows where a value would come from, in place of the value.
        if purpose == .dryRun { additions.sources = { [variables] in variables.source($0)?.sentence } }
        return additions
    }

    /// Adds the headers of `--header`, `--cookie`, `--user` and `--netrc`.
    ///
    /// - Parameter additions: The additions to the request, whose server is known.
    private func addHeaders(to additions: inout RequestOptions) throws {
        for change in options.request.headers {
            switch change {
            case .add(let header): additions.headers.append(header)
            case .remove(let name): additions.withheldHeaders.append(name)
            }
        }
        let cookies = options.data.cookies
        if !cookies.isEmpty {
            additions.headers.append(HTTPField("Cookie", cookies.map(\.text).joined(separator: "; ")))
        }
        // As in curl, a header that is given counts more than a user.
        let givesAuthorization = additions.headers.contains { $0.isNamed("Authorization") }
        if let user = options.data.user, !givesAuthorization {
            additions.headers.append(try authorization(ofUser: user.text, at: additions.base))
        } else {
            // A fallback header is only sent if no other header has its name.
            additions.fallbackHeaders = try netrcHeaders(at: additions.base)
        }
    }

    /// Returns the name of the credential that `--auth` or the configuration chooses. Nil lets the endpoint choose
    /// one.
    private func credentialName(for endpoint: Endpoint, at server: BaseURL?) -> String? {
        guard let auth = options.request.auth, !options.sendsNoCredential else { return nil }
        if !auth.source.isConfiguration { return auth.text }
        // The configuration is for all endpoints. Its choice counts only for those that accept the credential.
        let accepted = declaration.api.requestBuilder.credentials(of: endpoint, at: server).flatMap(\.alternatives)
        return accepted.contains { $0.isNamed(auth.text) } ? auth.text : nil
    }

    /// Returns the `Authorization` header for `--user`.
    ///
    /// The password comes from a variable. If the variable is not set and the request is sent, the password comes from
    /// the entry of the netrc file for the user and the server.
    ///
    /// - Throws: `MissingCredential` if the request is sent and there is no password, ``VariableNotLoaded``, and the
    ///   errors of reading the file.
    private func authorization(ofUser user: String, at server: BaseURL?) throws -> HTTPField {
        let variable = context.variableNames.password
        if purpose == .send, variables.mustBeLoaded(variable) { throw VariableNotLoaded(name: variable) }
        // A printed command names the variable, whatever its value is.
        var password = Secret(variable: variable, value: purpose == .curl ? nil : variables.value(variable))
        if purpose == .send, !password.isSet {
            guard let server, let fromNetrc = try Netrc.password(of: user, at: server.host, context.environment) else {
                throw MissingCredential(alternatives: [[variable]])
            }
            password = Secret(fromNetrc)
        }
        return Netrc.header(user: Secret(user), password: password)
    }

    /// Returns the `Authorization` header for `--netrc`, with the user and password that the netrc file has for the
    /// server.
    ///
    /// - Returns: The header. A printed curl command reads the file itself, so it gets a placeholder. The result is
    ///   empty without `--netrc`, for a call that needs no credential, and if the file has no entry for the server.
    private func netrcHeaders(at server: BaseURL?) throws -> [HTTPField] {
        guard options.request.netrc, !options.sendsNoCredential, purpose != .sample else { return [] }
        if purpose == .curl { return [Netrc.placeholder] }
        guard let server = try server ?? declaration.api.servers.first?.base() else { return [] }
        guard let header = try Netrc.header(for: server.host, context.environment) else { return [] }
        return [header]
    }

    // MARK: Errors of what was typed

    /// Returns the error of the command line for a request that can't be built.
    ///
    /// - Returns: The error, in words of the command line. Nil if the user has typed nothing wrong, because the
    ///   declaration of the API is wrong, for example.
    private func usageError(for problem: RequestError) -> UsageError? {
        switch problem {
        case .noServer(let api):
            UsageError("\(api) declares no server: give one with --base-url URL")
        case .unknownCredential(let name, let declaredNames):
            unknownCredentialError(name, declaredNames: declaredNames)
        case .invalidHeaderName, .invalidHeaderValue: UsageError(problem.description)
        case .emptyPathValue: unusableValue("", problem: problem.description)
        case .invalidPathCharacter(let value), .dotSegment(let value):
            unusableValue(value, problem: problem.description)
        case .urlOutsideServers, .invalidServer, .missingCredential, .ruleViolation, .wrongModel,
            .pagesNotDeclared, .notEncodable, .notAnEnum:
            nil
        }
    }

    /// Returns the error of a value that the path of the request can't have. It names the parameter whose value it is,
    /// unless several parameters have the same value.
    private func unusableValue(_ value: String, problem: String) -> UsageError {
        let candidates = callRequest.parameters.filter { $0.word.text == value }
        guard let parameter = candidates.first, candidates.count == 1 else { return UsageError(problem) }
        return .unusableValue(
            option: declaration.shown(parameter.path), problem: problem, source: parameter.word.source)
    }

    /// Returns the error of a credential that the endpoint does not declare.
    ///
    /// - Parameters:
    ///   - name: The name given with `--auth`.
    ///   - declaredNames: The names of the credentials that the endpoint declares.
    private func unknownCredentialError(_ name: String, declaredNames: [String]) -> UsageError {
        let source = options.request.auth?.source ?? .preset
        if declaredNames.isEmpty {
            let problem = "\(declaration.name) declares no credential '\(name)'; -n and -H can give one"
            return .unusableValue(option: "--auth", problem: problem, source: source)
        }
        let expectedNames = declaredNames + [CallOptions.noCredential]
        let expected = expectedNames.joinedAsAlternatives + " for \(declaration.name)"
        return .invalidValue(option: "--auth", value: name, expected: expected, source: source)
    }

    // MARK: Connection

    /// Returns the connection options with the passphrase of the client's key, after a check of all files that the
    /// options name.
    ///
    /// The TLS library would report a missing file too, but less clearly, and without the place of a setting.
    ///
    /// - Throws: The errors of ``requireReadable(_:)``.
    private func checkedConnection() throws -> ConnectionOptions {
        for file in options.connection.files { try requireReadable(file) }
        var connection = options.connection.resolved
        let variable = context.variableNames.keyPassphrase
        if connection.clientCertificate != nil, let passphrase = context.environment.value(variable) {
            connection.keyPassphrase = Secret(variable: variable, value: passphrase)
        }
        return connection
    }

    /// Checks that a file of certificates or keys can be read, because a TLS library will read it.
    ///
    /// - Throws: ``FileError``, or ``UsageError`` with the place of the setting if the configuration names the file.
    private func requireReadable(_ file: SourcedText) throws {
        do {
            try context.environment.files.requireReadable(file.text)
        } catch var error as FileError {
            // In curl's syntax, `--cert FILE:PASSPHRASE`, a passphrase follows the colon. It must not be shown.
            if let colon = file.text.unicodeScalars.firstIndex(of: ":") {
                let pathWithoutPassphrase = String(file.text[..<colon])
                error = FileError(
                    .read, pathWithoutPassphrase + ":…",
                    reason: "\(error.reason); put a passphrase into \(context.variableNames.keyPassphrase)")
            }
            if file.source.isConfiguration { throw UsageError(error.description, from: file.source) }
            throw error
        }
    }
}

extension ConnectionOptions {
    /// These options of a call, changed for a server that gives tokens and is not the server of the call.
    ///
    /// A Unix socket and a client's certificate are only for the server of the call. `--insecure` is too, because the
    /// token server gets secrets, so its certificate is always verified.
    fileprivate var forTokenServer: ConnectionOptions {
        var options = withoutClientCertificate
        options.unixSocket = nil
        options.verifiesCertificate = true
        return options
    }
}
