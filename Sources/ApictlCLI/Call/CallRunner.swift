import EndpointKit

/// Carries out one call: the request, the transfer, and what becomes of the answer.
struct CallRunner {
    let tool: String
    /// What the server is told of the client: `apictl/0.1.0`.
    let userAgent: String
    let declaration: EndpointDeclaration
    let invocation: EndpointInvocation
    let environment: ProcessEnvironment
    let call: any API

    private var options: CallOptions { invocation.options }

    func run() async throws -> ExitCode {
        if options.sample, call.endpoint.sample == nil { throw UsageError.noSample(declaration.name) }
        let request = try RequestPreparation(
            declaration: declaration, invocation: invocation, environment: environment, userAgent: userAgent
        )
        .request(call, missing: options.dryRun || options.sample ? .placeholder : .fail)
        try noteUnsigned(request)
        if options.dryRun {
            try RequestPrinter(output: environment.stdout).print(try continuing(request))
            return .success
        }
        let connection = try ConnectionPreparation(environment: environment).connection(options)
        // Opened before anything is sent: a request must not be spent on an answer that can't be kept.
        let file = try outputFile(request)
        do {
            let code = try await transfer(request, connection, file)
            code == .success ? try file?.commit() : file?.discard()
            return code
        } catch {
            file?.discard()
            throw error
        }
    }

    /// Sends the request, again where it may be, and shows what comes. Throws ``FailedCall``.
    private func transfer(
        _ request: Request, _ connection: ConnectionOptions, _ file: (any FileReplacement)?
    ) async throws -> ExitCode {
        // What only libraries and proxies could repeat: the passphrase of a key is never sent.
        let redactor = Redactor(request, others: environment.proxySecrets + connection.secrets)
        let retries = RetryLog(
            subject: "\(tool): \(declaration.name)", output: options.quiet ? nil : environment.stderr,
            redactor: redactor)
        let timing = options.timing ? TimingLog() : nil
        defer { if let timing { try? environment.stderr.write(timing.text) } }
        let log = WireLog(output: environment.stderr, verbosity: options.verbosity, redactor: redactor)
        var client = client(connection, log, timing)
        client.retry = retries.policy(options)
        let progress = AnswerProgress(file: file)
        do {
            if let file = file as? any PartialFile {
                return try await continueDownload(into: file, request, client, redactor)
            }
            return try await client.exchange(request, mayRetry: progress.takeBack) { response in
                try await show(response, redactor, progress, file)
            }
        } catch {
            let isRepeatable = request.method.isIdempotent && !progress.hasWritten
            throw retries.ended(
                by: error, server: request.base, isRepeatable: isRepeatable,
                losesDownload: progress.hasWrittenFile && couldContinue(request))
        }
    }

    private func show(
        _ response: StreamedResponse, _ redactor: Redactor, _ progress: AnswerProgress, _ file: (any FileReplacement)?
    ) async throws -> ExitCode {
        let endpoint = call.endpoint
        guard response.head.isSuccess || options.anyStatus else {
            let printer = FailurePrinter(options: options, environment: environment, redactor: redactor)
            return try await printer.print(response, credentials: endpoint.credentials ?? declaration.api.credentials)
        }
        var environment = environment
        environment.stdout = WatchedOutput(output: environment.stdout, progress: progress)
        var response = response
        response.head = response.head.redacted(by: redactor)
        if file != nil { response.body = response.body.watched(progress) }
        let printer = AnswerPrinter(options: options, environment: environment, redactor: redactor)
        try await printer.print(response, of: endpoint, into: file)
        return .success
    }

    /// Says where `--netrc` found nothing, as the request goes out all the same.
    private func noteUnsigned(_ request: Request) throws {
        guard options.netrc, !options.sample, !options.quiet, let path = NetrcFile(environment: environment).path,
            !request.settles("Authorization")
        else { return }
        let line = "\(path) has no entry for \(request.base.host); the request goes out without a password"
        try environment.stderr.write("\(tool): \(declaration.name): \(line.safeToShow)\n")
    }

    private func client(_ connection: ConnectionOptions, _ log: WireLog, _ timing: TimingLog?) -> Client {
        // What streams may take as long as it goes on.
        let streams = !options.decodes(call.endpoint.response)
        var transfer = TransferOptions(
            maxTime: options.maxTime ?? (streams ? nil : CallOptions.patience),
            connectTimeout: options.connectTimeout == .zero ? nil : options.connectTimeout,
            idleTimeout: options.maxTime == nil && streams ? CallOptions.patience : nil,
            connection: connection)
        if transfer.maxTime == .zero { transfer.maxTime = nil }
        if options.verbosity > 0 { transfer.onEvent = { log.show($0) } }
        if let timing { transfer.onTimes = { timing.add($0) } }
        let transport: any Transport =
            options.sample ? SampleTransport(endpoint: call.endpoint) : environment.transport
        return Client(transport: transport, transfer: transfer, maxRedirects: options.maxRedirects)
    }
}
