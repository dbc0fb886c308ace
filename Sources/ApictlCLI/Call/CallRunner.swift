import EndpointKit

/// Carries out one call: the request, the transfer, and what becomes of the answer.
struct CallRunner {
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
        if options.dryRun {
            try RequestPrinter(output: environment.stdout).print(try continuing(request))
            return .success
        }
        // Opened before anything is sent: a request must not be spent on an answer that can't be kept.
        let file = try outputFile(request)
        do {
            let code = try await transfer(request, file)
            code == .success ? try file?.commit() : file?.discard()
            return code
        } catch {
            file?.discard()
            throw error
        }
    }

    private func transfer(_ request: Request, _ file: (any FileReplacement)?) async throws -> ExitCode {
        let endpoint = call.endpoint
        let redactor = Redactor(request)
        do {
            if let file = file as? any PartialFile {
                return try await continueDownload(into: file, request, client(endpoint, redactor), redactor)
            }
            let response = try await client(endpoint, redactor).stream(request)
            if response.head.isSuccess || options.anyStatus {
                let printer = AnswerPrinter(options: options, environment: environment, redactor: redactor)
                try await printer.print(response, of: endpoint, into: file)
                return .success
            }
            let printer = FailurePrinter(options: options, environment: environment, redactor: redactor)
            return try await printer.print(response, credentials: endpoint.credentials ?? declaration.api.credentials)
        } catch {
            throw redactor.redact(error)
        }
    }

    private func client(_ endpoint: Endpoint, _ redactor: Redactor) -> Client {
        let log = WireLog(output: environment.stderr, verbosity: options.verbosity, redactor: redactor)
        var transfer = TransferOptions(
            maxTime: options.maxTime == .zero ? nil : options.maxTime,
            connectTimeout: options.connectTimeout == .zero ? nil : options.connectTimeout,
            connection: options.connection)
        if options.verbosity > 0 { transfer.onEvent = { log.show($0) } }
        let transport: any Transport =
            options.sample ? SampleTransport(endpoint: endpoint) : environment.transport
        return Client(transport: transport, transfer: transfer, maxRedirects: options.maxRedirects)
    }
}
