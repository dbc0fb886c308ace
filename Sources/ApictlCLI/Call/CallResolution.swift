import EndpointKit
import EndpointTools
import JSONText
import Synchronization

/// Resolves one call.
struct CallResolution {
    let resolver: CallResolver
    let words: CallWords
    /// The options of the command line and of the configuration.
    let options: CallOptions
    let purpose: CallPlan.Purpose

    var settings: Settings { resolver.settings }
    var variables: Variables { settings.variables(of: declaration.api) }
    var context: CommandContext { resolver.context }
    var declaration: EndpointDeclaration { words.declaration }
    /// The settings of the configuration for this call.
    var configured: CallSettings { resolver.configured(words) }

    /// A call whose parameters, body and connection are known, and whose request is not built yet.
    struct Draft {
        let call: EndpointCall
        let endpoint: Endpoint
        /// The body of `--body`.
        let body: RequestBody?
        let view: ResultView?
        let connection: ConnectionOptions
    }

    /// A variable whose source takes time to answer and must be loaded before the request is built.
    private struct VariableNotLoaded: Error {
        let name: String
    }

    /// Makes the plan. Waits for slow sources of the variables that the request needs.
    func plan() async throws -> CallPlan {
        let draft = try draft()
        let deadline = resolver.deadline ?? .now + CredentialSource.timeLimit * 2
        // Only the request shows which of several credentials it needs. Each round loads one that it asked for.
        while true {
            do {
                return try plan(draft)
            } catch let error as VariableNotLoaded {
                try await variables.load(error.name, until: deadline)
            }
        }
    }

    /// Reads what the command line refers to: files, stdin, the parameters of the call. Stdin can be read only once.
    func draft() throws -> Draft {
        let call = try words.call ?? self.call()
        let connection = purpose == .send ? try connection() : options.connection
        // A printed command reads stdin and pipes itself.
        let body = try options.body.map { try context.environment.body($0, isRead: purpose != .curl) }
        var view = try options.selection.view()
        var endpoint = words.endpoint ?? call.endpoint
        if options.url != nil {
            endpoint = Endpoint(options.method ?? .get, "/", returns: RawResponse.self, summary: "")
        }
        if endpoint.body == nil, isJSON(body) { endpoint.body = .data([], contentType: "application/json") }
        if options.sendsNoCredential { endpoint.credentials = [] }
        if purpose == .sample, endpoint.sample == nil { throw UsageError("\(declaration.name) has no sample") }
        if options.followsPages, endpoint.pages == nil { throw UsageError("\(declaration.name) declares no pages") }
        if !options.raw {
            view = try view?.checked(declaration, endpoint, followsPages: options.followsPages)
        }
        return Draft(call: call, endpoint: endpoint, body: body, view: view, connection: connection)
    }

    /// Whether a body is JSON whose type nothing declares: by the name of its file, or by its text.
    private func isJSON(_ body: RequestBody?) -> Bool {
        guard let word = options.body else { return false }
        if word.file?.lowercased().hasSuffix(".json") == true { return true }
        // A printed command will read stdin itself, probably JSON.
        if word.isStdin, purpose == .curl { return true }
        guard let bytes = body?.bytes else { return false }
        return (try? JSONDocument(bytes)) != nil
    }

    /// Builds the request of a draft.
    ///
    /// - Throws: ``VariableNotLoaded`` for a variable that must be loaded first, if the request is to be sent.
    func plan(_ draft: Draft) throws -> CallPlan {
        let (request, omitted): (Request, [Header])
        do {
            (request, omitted) = try self.request(draft.endpoint, draft.body)
        } catch let error as MissingCredential {
            // The source that the configuration names for it says why, unless it was ended with all else.
            if Task.isCancelled || context.environment.signalCode() != nil { throw CancellationError() }
            throw variables.failure ?? error
        }
        if let failure = variables.failure, purpose == .send { throw failure }
        if options.resumes, let reason = request.reasonNotResumable { throw UsageError.conflict("--continue", reason) }
        return CallPlan(
            declaration: declaration, call: draft.call, endpoint: draft.endpoint, request: request,
            headersOmittedFromCurl: omitted, options: options, view: draft.view, connection: draft.connection)
    }

    /// The request, and which of its headers a curl command does not name.
    private func request(_ endpoint: Endpoint, _ body: RequestBody?) throws -> (Request, [Header]) {
        let notLoaded = Mutex<String?>(nil)
        var additions = try additions(endpoint, body)
        additions.variables = { [variables, purpose] name in
            // A curl command names the variable, whatever would give its value.
            if purpose == .curl, let source = variables.source(name) { return source.sentence }
            if purpose == .send, variables.mustBeLoaded(name) {
                notLoaded.withLock { $0 = $0 ?? name }
                return nil
            }
            return variables.value(name)
        }
        do {
            let result = Result { try declaration.api.requestBuilder.request(endpoint, additions) }
            if let name = notLoaded.withLock({ $0 }) { throw VariableNotLoaded(name: name) }
            var request = try result.get()
            try options.url?.address(&request)
            // RFC 8259, section 8.1
            if body == nil, endpoint.body?.contentType == "application/json", let bytes = request.body?.bytes,
                String(decoding: bytes, as: UTF8.self).holdsRawBytes
            {
                throw UsageError("the body can't be written as JSON: it contains text that is not UTF-8")
            }
            guard !request.specifies(header: "User-Agent") else { return (request, additions.fallbackHeaders) }
            let own = Header("User-Agent", "\(context.tool)/\(context.version)")
            request.headers.append(own)
            return (request, additions.fallbackHeaders + [own])
        } catch let problem as RequestProblem {
            throw usageError(problem) ?? problem
        } catch let EncodingError.invalidValue(_, context) {
            throw UsageError("the body can't be written as JSON: \(context.debugDescription)")
        }
    }

    /// Returns the additions of options and configuration to the request of `endpoint`, but no values of variables.
    private func additions(_ endpoint: Endpoint, _ body: RequestBody?) throws -> RequestOptions {
        var additions = try options.additions()
        additions.missingCredential = purpose == .send ? .fail : .placeholder
        if purpose == .dryRun { additions.sources = { [variables] in variables.source($0)?.sentence } }
        if let url = options.url {
            additions.base = url.base
            additions.query = url.items + additions.query
        } else {
            additions.base = try CallServerChoice(declaration.api, options, settings, context)?.base()
            configured.add(to: &additions)
        }
        additions.fallbackHeaders = try netrcHeaders(additions.base)
        additions.body = body
        additions.credential = options.sendsNoCredential ? nil : options.auth?.text
        // A configured credential is for the endpoints that have it.
        if case .configuration? = options.auth?.source, let name = additions.credential {
            let schemes = declaration.api.requestBuilder.credentials(of: endpoint, at: additions.base).flatMap(
                \.alternatives)
            if !schemes.contains(where: { $0.isNamed(name) }) { additions.credential = nil }
        }
        return additions
    }

    /// The problem in words of the command line; nil if it is not of what was typed.
    private func usageError(_ problem: RequestProblem) -> UsageError? {
        func unusable(_ value: String) -> UsageError {
            // The error only has the value: if several parameters have the same one, none is named.
            let words = words.parameters.filter { $0.word.text == value }
            let parameter = words.count == 1 ? words[0] : nil
            guard let parameter else { return UsageError(problem.description) }
            return .unusableValue(
                option: declaration.shown(parameter.path), problem: problem.description,
                source: parameter.word.source)
        }
        switch problem {
        case .noServer(let api):
            return UsageError("\(api) declares no server: give one with --base-url URL")
        case .otherServer, .server: return nil
        case .credential(let name, let known):
            let expected = (known + [CallOptions.noCredential]).joined(separator: " or ") + " for \(declaration.name)"
            return .invalidValue(
                option: "--auth", value: name, expected: expected, source: options.auth?.source ?? .preset)
        case .headerName, .headerValue: return UsageError(problem.description)
        case .emptyValue: return unusable("")
        case .pathCharacter(let value), .dotSegment(let value): return unusable(value)
        }
    }

    /// The credentials of the netrc file for the server; a sample needs none.
    private func netrcHeaders(_ base: BaseURL?) throws -> [Header] {
        guard options.netrc, !options.sendsNoCredential, purpose != .sample else { return [] }
        if purpose == .curl { return [Netrc.placeholder] }
        guard let host = try (base ?? declaration.api.servers.first?.base())?.host else { return [] }
        return try Netrc.header(for: host, context.environment).map { [$0] } ?? []
    }

    /// The connection options with the passphrase of the client's key.
    ///
    /// The files that it names are tried, because a library's own message would be less clear.
    ///
    /// - Throws: ``FileError`` if a file can't be read. If the configuration names the file, ``UsageError`` with the
    ///   place there.
    private func connection() throws -> ConnectionOptions {
        var connection = options.connection
        let given = words.options.connection
        try requireReadable(
            connection.certificateAuthorities, given.certificateAuthorities == nil ? configured.authorities : nil)
        try requireReadable(
            connection.clientCertificate, given.clientCertificate == nil ? configured.certificate : nil)
        try requireReadable(connection.clientKey, given.clientKey == nil ? configured.key : nil)
        let name = context.variableNames.keyPassphrase
        if connection.clientCertificate != nil, let value = context.environment.value(name) {
            connection.keyPassphrase = Secret(variable: name, value: value)
        }
        return connection
    }

    /// Tries to open a file.
    ///
    /// - Parameter setting: The setting that names the file; nil if an option does.
    private func requireReadable(_ file: String?, _ setting: Setting<String>?) throws {
        guard let file else { return }
        do {
            _ = try context.environment.files.open(file)
        } catch var error as FileError {
            // Text after a colon is not shown: in curl's syntax it is a passphrase.
            if let colon = file.unicodeScalars.firstIndex(of: ":") {
                error = FileError(
                    .read, String(file[..<colon]) + ":…",
                    reason: "\(error.reason); put a passphrase into \(context.variableNames.keyPassphrase)")
            }
            if let setting { throw setting.place.error(error.description) }
            throw error
        }
    }
}
