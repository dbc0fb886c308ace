import EndpointKit
import EndpointTools
import Synchronization

/// `call`: sends a request and shows the response.
struct CallCommand: Command {
    static let name = "call"
    static let usage = "call API.ENDPOINT|URL|curl [parameters] [options]"
    static let usageNote = "After the word curl, all words are a curl command; options of call stand before it."
    static let summary = "send a request and show the response"
    static let table = CallOptions.table
    static let operands = CommandOperands.call

    /// Returns the paragraphs that the help page of the command has below its usage.
    static func notes(_ context: CommandContext) -> CommandNotes {
        let endpointFlags = table.specs.filter { CallOptions.ofEndpoints.contains($0.name) }.map(\.flag)
        return CommandNotes(paragraphs: [
            """
            Parameters and options may come in any order after the endpoint's name. Give an option that has the name \
            of a parameter (--query) before the endpoint.
            """,
            "See '\(context.tool) help API.ENDPOINT' for an endpoint's parameters.",
            """
            A URL (https://HOST/PATH, HOST/PATH or :PORT/PATH) is requested as it is, without an API. It has no model, \
            and no credentials except those of -H, --query, -b, -u and -n. -X sets the method. These options need an \
            endpoint: \(endpointFlags.joined(separator: ", ")).
            """,
            """
            'call [options] curl ARGUMENTS…' sends the request of a curl command, as copied from a browser or from \
            documentation. The options before the word curl are those of call. 'call curl -' reads the command from \
            stdin.
            """,
        ])
    }

    /// After the word `curl`, all words are a curl command.
    static let foreignPrograms: Set = ["curl"]

    /// The form in which the words of the command line give the request to send.
    private enum Source {
        case request(CallRequest)
        /// A curl command, whose files are read when the call is made.
        case pasted(PastedCall)
    }

    private let source: Source
    /// The paths of `--ignore`, which `--watch` does not compare.
    private let ignoredPaths: IgnoredPaths
    private var options: CallOptions {
        switch source {
        case .request(let request): request.options
        case .pasted(let pasted): pasted.options
        }
    }
    var api: CatalogueAPI? { if case .request(let request) = source { request.declaration.api } else { nil } }

    /// Reads the words of the command line: an endpoint with parameters, a URL, or `curl` with the words of a curl
    /// command.
    ///
    /// - Throws: ``UsageError``
    init(_ words: CommandWords<CallOptions>) throws {
        ignoredPaths = try IgnoredPaths(words.options.watch.ignored)
        let isCurlCommand = words.operands.first.map { Self.foreignPrograms.contains($0.text) } ?? false
        if isCurlCommand {
            let curlWords = Array(words.operands.dropFirst())
            source = .pasted(try Self.makePastedCall(of: curlWords, options: words.options))
        } else {
            source = .request(try words.request(of: Self.name, with: words.options))
        }
    }

    /// Makes the call of a curl command.
    ///
    /// - Parameters:
    ///   - curlWords: The words after `curl`.
    ///   - options: The options of `call`, which stand before `curl`.
    /// - Throws: ``UsageError`` if there are no words, for an option that must stand after `curl`, and if two words
    ///   would read stdin.
    private static func makePastedCall(
        of curlWords: [SourcedText], options: CallOptions
    ) throws(UsageError) -> PastedCall {
        try options.refuseOptionsOfEndpoints()
        let optionsOfCurl = CallOptions.ofURLs.union(["body"])
        if let name = options.common.given.first(where: optionsOfCurl.contains) {
            throw UsageError("--\(name) before 'curl' has no effect; write it after 'curl', as curl has it")
        }
        if curlWords.isEmpty { throw UsageError("call curl needs the rest of a curl command, or - for stdin") }
        // A dash alone reads the curl command from stdin. Only one word may read stdin.
        let stdinWords = curlWords.prefix { $0.text == "-" }
        try UsageError.requireAtMostOneStdin(among: stdinWords + options.readers)
        return PastedCall(words: curlWords, options: options)
    }

    /// Whether the result is shown in a pager on a terminal.
    ///
    /// A pager shows nothing before the end of its input. So a walk through pages and a call that is repeated, which
    /// take long, have none. A response that turns out to be a stream bypasses the pager.
    var isPaged: Bool {
        let options = options
        let takesLong = options.pages.areFollowed || options.watch.interval != nil
        let printsNoResponse = options.output.quiet || options.purpose == .dryRun || options.output.file != nil
        return !takesLong && !printsNoResponse
    }

    /// Resolves the call, sends its requests and prints the response. With `--dry-run`, prints the request and sends
    /// nothing. With `--watch`, repeats the call until a signal ends it.
    ///
    /// - Returns: The exit code of a call that did not fail.
    /// - Throws: ``Failure``, ``UsageError`` and ``OutputClosed``.
    func run(_ context: CommandContext) async throws -> ExitCode {
        let start = ContinuousClock.now
        // After a signal, the call has 200 ms to remove its temporary files. Then the process ends. Handling must start
        // before `prepare()`: glibc can't start the thread that waits for signals while a library is loaded.
        context.environment.signals.startHandling(.milliseconds(200))
        let request = try readCompletedRequest(context)
        let options = request.options
        // Each of the calls of `--watch` has the whole time limit, so all calls together have no deadline.
        let deadline = options.watch.interval == nil ? options.transfer.deadline(from: start) : nil
        let resolver = try CallResolver(
            context, environmentFiles: options.request.environmentFiles, apis: [request.declaration.api],
            until: deadline)
        // The transport gets ready while the plan is resolved.
        if options.purpose == .send { context.environment.transport.prepare() }
        let plan = try await resolvePlan(of: request, with: resolver, until: deadline)
        if options.purpose == .dryRun {
            try printRequest(of: plan, context.environment)
            return .success
        }
        var sender = CallSender(plan, of: request)
        guard let interval = options.watch.interval else { return try await sender.send(resolver.context) }
        // This does not return: the calls go on until an error, such as that of a signal.
        try await CallWatch(every: interval, ignoring: ignoredPaths, context: resolver.context).run(&sender)
    }

    /// Returns the request with the settings of the configuration. For `--watch`, its options allow to repeat it.
    ///
    /// - Throws: ``UsageError`` for a wrong setting, a wrong curl command, and a call with `--watch` that reads stdin.
    private func readCompletedRequest(_ context: CommandContext) throws -> CallRequest {
        var request = try context.completed(readRequest(context.environment))
        if request.options.watch.interval != nil { try request.prepareForWatching() }
        return request
    }

    /// Makes the plan of a call: reads its files and stdin, loads its credentials, and builds the HTTP request.
    ///
    /// - Parameter deadline: The time by which the plan must be made; nil is no limit.
    /// - Throws: ``Failure`` and ``UsageError``.
    private func resolvePlan(
        of request: CallRequest, with resolver: CallResolver, until deadline: ContinuousClock.Instant?
    ) async throws -> CallPlan {
        do {
            return try await resolver.resolve(request, until: deadline)
        } catch {
            // Nothing was sent yet, so the failure is made from the request alone.
            throw request.reportedError(for: error)
        }
    }

    /// Returns the request to send. Reads the files of a curl command.
    private func readRequest(_ environment: ProcessEnvironment) throws -> CallRequest {
        switch source {
        case .request(let request): request
        case .pasted(let pasted): try pasted.readRequest(environment)
        }
    }

    /// Prints the request of `--dry-run`: request line, headers, an empty line, the body. Secrets are redacted.
    private func printRequest(of plan: CallPlan, _ environment: ProcessEnvironment) throws {
        let stdout = environment.stdout
        // The parts of a signature are made only when a request is sent. Here, each is shown as `(redacted)`.
        let request = plan.request.showingSignatures()
        let redactor = Redactor(request)
        var text = BufferedOutput(stdout)
        try text.write(request.shownHeaders(redactor) + "\n")
        if let body = request.body {
            // The empty line between headers and body. After it, an empty body is an empty line too.
            let isEmptyBody = body.bytes?.isEmpty == true
            try text.write(isEmptyBody ? "\n\n" : "\n")
        }
        for piece in request.body?.pieces ?? [] {
            switch piece {
            case .bytes(let bytes):
                let shownBytes = TerminalFilter.shown(redactor.redact(bytes), on: stdout)
                // The filter returns nil for binary data on a terminal.
                try text.write(shownBytes ?? Array("(\(bytes.count) bytes of binary data)".utf8))
            case .file(let path): try text.write("(the content of \(path.safeToShow))")
            case .stream: try text.write("(the content of a stream)")
            }
        }
        try text.flush(endingLine: true)
    }
}

extension CommandWords {
    /// Returns the call that the words of a command line ask for, with the options of the command.
    ///
    /// - Parameters:
    ///   - commandName: The name of the command, for messages.
    ///   - options: The options of the call.
    /// - Throws: ``UsageError`` if the words name neither endpoint nor URL, if an option is not for what they name,
    ///   or if two words would read stdin.
    func request(of commandName: String, with options: CallOptions) throws(UsageError) -> CallRequest {
        guard var request = call?.request else {
            throw registry.missingEndpointError(command: commandName, alternative: "a URL")
        }
        request.options = options
        if request.url != nil {
            try options.refuseOptionsOfEndpoints()
            let hasBodyWithoutMethod = options.request.body != nil && options.request.method == nil
            // Bodies of GET are unusual, so the method is not guessed.
            if hasBodyWithoutMethod {
                throw UsageError("--body needs the method: -X POST (-X GET, if it is meant for a GET)")
            }
        } else {
            try options.refuseOptionsOfURLs()
        }
        // Stdin can be read only once, so at most one word may read it. A parameter may do that if it can be given in
        // JSON, and the options that read files may do it.
        let parametersThatMayReadStdin = request.parameters.filter(\.mayBeJSON).map(\.word)
        try UsageError.requireAtMostOneStdin(among: parametersThatMayReadStdin + options.readers)
        return request
    }
}

extension CallOptions {
    /// Checks that no option is given that only an endpoint of an API can have.
    ///
    /// - Throws: ``UsageError`` for the first such option.
    func refuseOptionsOfEndpoints() throws(UsageError) {
        if let name = common.given.first(where: Self.ofEndpoints.contains) {
            throw UsageError("--\(name) is for an endpoint of an API, not for a URL")
        }
    }

    /// Checks that no option is given that only a URL can have.
    ///
    /// - Throws: ``UsageError`` for the first such option.
    fileprivate func refuseOptionsOfURLs() throws(UsageError) {
        // A name alone does not tell: `diff` has an option `--json` that means something else.
        let hasChoiceForURL = request.method != nil || data != DataChoices()
        if hasChoiceForURL, let name = common.given.first(where: Self.ofURLs.contains) {
            throw UsageError("--\(name) is for a URL; the endpoint declares its method, data and credentials")
        }
    }
}
