import APIImport
import EndpointKit
import EndpointTools
import JSONText

/// Everything that an exchange needs, resolved.
struct CallPlan: Sendable {
    /// What a plan is for, which decides what resolving it reads and requires.
    enum Purpose: Sendable {
        /// The request is sent: everything is required.
        case send
        /// The request is shown: credentials may be missing.
        case dryRun
        /// The embedded sample responds: credentials may be missing, and parameters are taken from the example.
        case sample
        /// The request is printed as a curl command, which reads stdin and the netrc file itself: credentials may be missing.
        case curl
    }

    let declaration: EndpointDeclaration
    /// The enum case.
    let call: any API
    /// The endpoint that ``call`` declares.
    let endpoint: Endpoint
    let request: Request
    /// The headers of ``request`` that a curl command does not name: curl has its own `User-Agent`, and reads the netrc file itself.
    let headersOmittedFromCurl: [Header]
    let options: CallOptions
    /// What is shown of the result; nil is the whole.
    let view: ResultView?
    /// How the connection is made: the command line's options, and the passphrase of a key.
    let connection: ConnectionOptions

    /// What is called, for messages: the endpoint, or the URL without its query.
    var name: String { options.url.map { Redactor(request).redact($0.shown) } ?? declaration.name }

    /// The credentials that requests for the endpoint have on this server.
    var credentials: [Credential] { declaration.api.credentials(of: endpoint, at: request.base) }

    /// The secrets in the request's body, by the names of members and fields, and by their prefixes.
    var bodySecrets: Set<String> {
        let type = request.headers.first { $0.isNamed("Content-Type") }?.value.description
        return SecretRules.secrets(in: request.body?.bytes ?? [], contentType: type)
    }

    /// Whether a successful response is decoded through the model; otherwise its body is streamed.
    var isDecoded: Bool { options.decodes(endpoint.response) }

    /// The pages to follow; nil is one response only.
    var pages: Paging? { options.followsPages ? endpoint.pages : nil }

    /// The time limits and the connection.
    var transfer: TransferOptions {
        // Streams have an idle limit, no total limit.
        let maxTime = options.maxTime ?? (isDecoded ? CallOptions.defaultTimeLimit : .zero)
        var transfer = TransferOptions()
        transfer.maxTime = maxTime == .zero ? nil : maxTime
        transfer.connectTimeout = options.connectTimeout == .zero ? nil : options.connectTimeout
        transfer.idleTimeout = options.maxTime == nil && !isDecoded ? CallOptions.defaultTimeLimit : nil
        transfer.connection = connection
        return transfer
    }
}

/// Resolves calls: the only place where command line, environment, `--env-file`, configuration and defaults meet.
struct Resolver: Sendable {
    let settings: Settings
    var context: RunContext
    /// When reading and commands that give credentials must have ended; nil is no limit but their own.
    var deadline: ContinuousClock.Instant? {
        didSet { context.environment.deadline = deadline }
    }

    /// Reads the settings for calls of these APIs. Throws ``UsageError`` and ``FileError``.
    init(_ context: RunContext, environmentFiles: [Word], apis: [any API.Type]) throws {
        settings = try Settings(context, environmentFiles: environmentFiles)
        for api in apis { try settings.configuration?.check(api) }
        self.context = context.with(settings)
    }

    /// The options of a call: those that were given, then those of the configuration. Throws ``UsageError``.
    func options(_ words: CallWords) throws -> CallOptions {
        var options = words.options
        if options.url == nil {
            try settings.configuration?.add(to: &options, of: words.declaration.api, in: words.table)
        }
        try options.placing {
            if options.resumes, options.output == "-" { throw UsageError.conflict("--continue", "-o -") }
            if options.connection.clientKey != nil, options.connection.clientCertificate == nil {
                throw UsageError("--key needs --cert FILE")
            }
            // The configuration may name stdin too.
            try words.checkReaders(options)
            let files = [("output", options.output), ("save", options.save), ("har", options.har)]
            try UsageError.check(outputs: files, record: options.record, context.environment.files)
        }
        return options
    }

    /// What a call with these options is for.
    static func purpose(_ options: CallOptions) -> CallPlan.Purpose {
        options.sample ? .sample : options.dryRun ? .dryRun : .send
    }

    /// The plan of a call; by default, its options tell the purpose. `options` are those of ``options(_:)``, if they are known already.
    ///
    /// Throws ``UsageError``, `MissingCredential`, ``CredentialSourceFailure``, ``FileError``, and what building a request throws.
    func plan(
        _ words: CallWords, _ purpose: CallPlan.Purpose? = nil, options: CallOptions? = nil
    ) throws -> CallPlan {
        let options = try options ?? self.options(words)
        let purpose = purpose ?? Self.purpose(options)
        return try options.placing {
            try Resolution(resolver: self, words: words, options: options, purpose: purpose).plan()
        }
    }
}

extension CallWords {
    /// Throws ``UsageError`` if stdin would be read twice.
    func checkReaders(_ options: CallOptions) throws(UsageError) {
        let format = options.writeOut.flatMap { $0.file == nil ? nil : $0 }
        try UsageError.check(
            readers: parameters.filter(\.mayBeJSON).map(\.word) + options.environmentFiles
                + [options.body, format].compactMap(\.self))
    }
}

/// Resolves one call.
struct Resolution {
    let resolver: Resolver
    let words: CallWords
    let options: CallOptions
    let purpose: CallPlan.Purpose

    var settings: Settings { resolver.settings }
    var variables: Variables { settings.variables(of: declaration.api) }
    var context: RunContext { resolver.context }
    var declaration: EndpointDeclaration { words.declaration }

    func plan() throws -> CallPlan {
        let call = try words.call ?? self.call()
        let connection = purpose == .send ? try connection() : options.connection
        // A printed command reads stdin and pipes itself.
        let body = try options.body.map { try context.environment.body($0, isRead: purpose != .curl) }
        var view = try options.selection.view()
        var endpoint = words.endpoint ?? call.resolvedEndpoint
        if options.url != nil {
            endpoint = Endpoint(options.method ?? .get, "/", returns: RawResponse.self, summary: "")
        }
        // Nothing declares the type of such a body.
        if endpoint.body == nil, let word = options.body,
            word.file?.lowercased().hasSuffix(".json") == true || word.isStdin && purpose == .curl
                || body?.bytes.map({ (try? JSONDocument($0)) != nil }) == true
        {
            endpoint.body = .data([], contentType: "application/json")
        }
        if options.sendsNoCredential { endpoint.credentials = [] }
        if purpose == .sample, endpoint.sample == nil { throw UsageError("\(declaration.name) has no sample") }
        // A configured option is for the endpoints that have pages.
        if words.options.followsPages, endpoint.pages == nil {
            throw UsageError("\(declaration.name) declares no pages")
        }
        if !options.raw {
            view = try view?.checked(endpoint, declaration.api.coding, followsPages: options.followsPages)
        }
        let (request, omitted): (Request, [Header])
        do {
            (request, omitted) = try self.request(endpoint, body)
        } catch let error as MissingCredential {
            // The source that the configuration names for it says why, unless it was ended with all else.
            if Task.isCancelled || context.environment.signalCode() != nil { throw CancellationError() }
            throw variables.failure ?? error
        }
        if let failure = variables.failure, purpose == .send { throw failure }
        if options.resumes, let reason = request.reasonNotResumable { throw UsageError.conflict("--continue", reason) }
        return CallPlan(
            declaration: declaration, call: call, endpoint: endpoint, request: request, headersOmittedFromCurl: omitted,
            options: options, view: view, connection: connection)
    }

    /// The request, and which of its headers a curl command does not name.
    private func request(_ endpoint: Endpoint, _ body: RequestBody?) throws -> (Request, [Header]) {
        let commandsEnd = purpose == .send ? resolver.deadline ?? .now + CredentialSource.timeLimit * 2 : nil
        var additions = try options.additions()
        additions.variables = { [variables, purpose] name in
            // A curl command names the variable, whatever would give its value.
            if purpose == .curl, let source = variables.source(name) { return source.sentence }
            return variables.value(name, commandsUntil: commandsEnd)
        }
        additions.missingCredential = purpose == .send ? .fail : .placeholder
        if purpose == .dryRun { additions.sources = { [variables] in variables.source($0)?.sentence } }
        additions.base =
            try options.url?.base ?? ServerChoice(declaration.api, options, settings, context)?.base()
        additions.query = (options.url?.items ?? []) + additions.query
        additions.fallbackHeaders = try netrcHeaders(additions.base)
        additions.body = body
        additions.credential = options.sendsNoCredential ? nil : options.auth?.text
        // As pages, a configured one is for the endpoints that have it.
        if words.options.auth == nil, let name = additions.credential {
            let schemes = declaration.api.credentials(of: endpoint, at: additions.base).flatMap(\.alternatives)
            if !schemes.contains(where: { $0.isNamed(name) }) { additions.credential = nil }
        }
        do {
            var request = try declaration.api.request(endpoint, additions)
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

    /// The problem in words of the command line; nil if it is not of what was typed.
    private func usageError(_ problem: RequestProblem) -> UsageError? {
        func unusable(_ value: String) -> UsageError {
            // The error only has the value: if several parameters have the same one, none is named.
            let words = words.parameters.filter { $0.word.text == value }
            let parameter = words.count == 1 ? words[0] : nil
            let subject = parameter.map { "\(declaration.shown($0.path))\(Word.at($0.word.position)): " } ?? ""
            return UsageError(subject + problem.description)
        }
        switch problem {
        case .noServer, .otherServer, .server: return nil
        case .credential(let name, let known):
            let expected = (known + [CallOptions.noCredential]).joined(separator: " or ") + " for \(declaration.name)"
            let error = UsageError.invalidValue(
                option: "--auth", value: name, expected: expected, position: options.auth?.position)
            return error.at("auth")
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

    /// The connection options with the passphrase of the client's key. Throws ``FileError`` if a file that they name can't be read: a
    /// library's own message would be less clear.
    private func connection() throws -> ConnectionOptions {
        var connection = options.connection
        let files = [connection.certificateAuthorities, connection.clientCertificate, connection.clientKey]
        for file in files.compactMap(\.self) {
            do {
                _ = try context.environment.files.open(file)
            } catch var error as FileError {
                // Text after a colon is not shown: in curl's syntax it is a passphrase.
                if let colon = file.unicodeScalars.firstIndex(of: ":") {
                    error = FileError(
                        .read, String(file[..<colon]) + ":…",
                        reason: "\(error.reason); put a passphrase into \(context.variableNames.keyPassphrase)")
                }
                throw error
            }
        }
        let name = context.variableNames.keyPassphrase
        if connection.clientCertificate != nil, let value = context.environment.value(name) {
            connection.keyPassphrase = Secret(variable: name, value: value)
        }
        return connection
    }
}
