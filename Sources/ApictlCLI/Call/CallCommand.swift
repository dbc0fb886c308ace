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

    static func notes(_ context: CommandContext) -> CommandNotes {
        let ofEndpoints = table.specs.filter { CallOptions.ofEndpoints.contains($0.name) }.map(\.flag)
        return CommandNotes(paragraphs: [
            """
            Parameters and options may come in any order after the endpoint's name; an option named like a parameter \
            (--query) goes before the endpoint.
            """,
            "See '\(context.tool) help API.ENDPOINT' for an endpoint's parameters.",
            """
            A URL (https://HOST/PATH, HOST/PATH or :PORT/PATH) is requested as it is, without an API: no model, no \
            credentials but those given with -H, --query, -b, -u and -n. -X sets the method. These options need an \
            endpoint: \
            \(ofEndpoints.joined(separator: ", ")).
            """,
            """
            'call [options] curl ARGUMENTS…' sends what a curl command would, as copied from a browser or from \
            documentation, and shows the response with the options before the word curl; 'call curl -' reads the \
            command from stdin.
            """,
        ])
    }

    /// After the word `curl`, all words are a curl command.
    static let foreignPrograms: Set = ["curl"]

    /// The request to send, as the words of the command line give it.
    private enum Source {
        case request(CallRequest)
        /// A curl command, whose files are read when the call is made.
        case pasted(PastedCall)
    }

    private let source: Source
    /// The paths of `--ignore`.
    private let ignored: IgnoredPaths
    private var options: CallOptions {
        switch source {
        case .request(let request): request.options
        case .pasted(let pasted): pasted.options
        }
    }
    var api: CatalogueAPI? { if case .request(let request) = source { request.declaration.api } else { nil } }

    init(_ words: CommandWords<CallOptions>) throws {
        ignored = try IgnoredPaths(words.options.watch.ignored)
        guard let first = words.others.first, Self.foreignPrograms.contains(first.text) else {
            source = .request(try words.request(of: Self.name, with: words.options))
            return
        }
        try words.options.checkForURL()
        if let name = words.options.common.given.first(where: { CallOptions.ofURLs.contains($0) || $0 == "body" }) {
            throw UsageError("--\(name) before 'curl' has no effect; write it after 'curl', as curl has it")
        }
        let command = Array(words.others.dropFirst())
        if command.isEmpty { throw UsageError("call curl needs the rest of a curl command, or - for stdin") }
        try UsageError.check(readers: command.prefix { $0.text == "-" } + words.options.readers)
        source = .pasted(PastedCall(words: command, options: words.options))
    }

    /// Whether the result is shown in a pager on a terminal.
    ///
    /// A walk through pages is not, because it may take long, and a pager shows nothing before the end of its input.
    /// For the same reason, a call that is repeated is not. A response that turns out to be a stream bypasses the pager.
    var isPaged: Bool {
        let options = options
        return !options.output.quiet && options.purpose != .dryRun && !options.pages.areFollowed
            && options.output.file == nil && options.watch.interval == nil
    }

    /// Resolves the call, sends its requests and prints the response. With `--dry-run`, prints the request and sends
    /// nothing.
    ///
    /// - Returns: The exit code of a call that did not fail.
    /// - Throws: ``Failure``, ``UsageError`` and ``OutputClosed``.
    func run(_ context: CommandContext) async throws -> ExitCode {
        let start = ContinuousClock.now
        // After a signal, the call has 200 ms to remove its temporary files. Then the process ends.
        // This must come before `prepare()`: glibc can't start the thread that waits for signals while a library is
        // loaded.
        context.environment.signals.watch(.milliseconds(200))
        var request = try context.completed(self.request(context.environment))
        let options = request.options
        let isWatched = options.watch.interval != nil
        if isWatched { try request.prepareForWatching() }
        // The time limit is that of each call, and not that of all calls together.
        let deadline = isWatched ? nil : options.transfer.deadline(from: start)
        let resolver = try CallResolver(
            context, environmentFiles: options.request.environmentFiles, apis: [request.declaration.api],
            until: deadline)
        // The transport gets ready while the plan is resolved.
        if options.purpose == .send { context.environment.transport.prepare() }
        let plan: CallPlan
        do {
            plan = try await resolver.plan(request, until: deadline)
        } catch {
            // No exchange has begun, so the failure is made from the request alone.
            throw request.failure(error)
        }
        if options.purpose == .dryRun {
            try print(plan, context.environment)
            return .success
        }
        var sender = CallSender(plan, request)
        if let interval = options.watch.interval {
            try await CallWatch(every: interval, ignoring: ignored, resolver.context).run(&sender)
        }
        return try await sender.send(resolver.context)
    }

    /// Returns the request to send. Reads the files of a curl command.
    private func request(_ environment: ProcessEnvironment) throws -> CallRequest {
        switch source {
        case .request(let request): request
        case .pasted(let pasted): try pasted.request(environment)
        }
    }

    /// Prints the request of `--dry-run`: request line, headers, an empty line, the body. Secrets are redacted.
    private func print(_ plan: CallPlan, _ environment: ProcessEnvironment) throws {
        let (output, request) = (environment.stdout, plan.request.showingSignatures())
        var text = BufferedOutput(output)
        let redactor = Redactor(request)
        try text.write(request.shownHeaders(redactor) + "\n")
        if let body = request.body { try text.write(body.bytes?.isEmpty == true ? "\n\n" : "\n") }
        for piece in request.body?.pieces ?? [] {
            switch piece {
            case .bytes(let bytes):
                // Nil means binary data, which a terminal can't show.
                let shown = TerminalFilter.shown(redactor.redact(bytes), on: output)
                try text.write(shown ?? Array("(\(bytes.count) bytes of binary data)".utf8))
            case .file(let path): try text.write("(the content of \(path.safeToShow))")
            case .stream: try text.write("(the content of a stream)")
            }
        }
        try text.flush(endingLine: true)
    }
}

extension CommandWords {
    /// Returns the call that the words of a command line make, with the options of the command.
    ///
    /// - Parameters:
    ///   - command: The name of the command, for messages.
    ///   - options: The options of the call.
    /// - Throws: ``UsageError`` if the words name neither endpoint nor URL, if an option is not for what they name,
    ///   or if two words would read stdin.
    func request(of command: String, with options: CallOptions) throws(UsageError) -> CallRequest {
        guard var request = call?.request else { throw registry.endpointExpected(by: command, or: "a URL") }
        request.options = options
        let given = options.common.given
        // The names alone do not tell: `diff` has another option `--json`.
        let isForURL = options.request.method != nil || options.data != DataChoices()
        if request.url == nil, isForURL, let name = given.first(where: CallOptions.ofURLs.contains) {
            throw UsageError("--\(name) is for a URL; the endpoint declares its method, data and credentials")
        }
        if request.url != nil { try options.checkForURL() }
        if request.url != nil, options.request.body != nil, options.request.method == nil {
            throw UsageError("--body needs the method: -X POST (-X GET, if it is meant for a GET)")
        }
        try UsageError.check(readers: request.parameters.filter(\.mayBeJSON).map(\.word) + options.readers)
        return request
    }
}

extension CallOptions {
    /// Checks that no option is given that only an endpoint of an API can have.
    ///
    /// - Throws: ``UsageError`` for the first such option.
    func checkForURL() throws(UsageError) {
        if let name = common.given.first(where: Self.ofEndpoints.contains) {
            throw UsageError("--\(name) is for an endpoint of an API, not for a URL")
        }
    }
}
