import EndpointKit

extension CallRunner {
    /// Where `-o` puts the answer's body; nil is stdout. Throws ``UsageError`` and ``FileError``.
    func outputFile(_ request: Request) throws -> (any FileReplacement)? {
        guard let path = invocation.options.output, path != "-" else { return nil }
        guard invocation.options.continues else { return try environment.files.replace(path) }
        return try partialFile(path, request)
    }

    /// The request that `--continue` sends in place of `request`, as far as it is known before there is an answer.
    func continuing(_ request: Request) throws -> Request {
        guard invocation.options.continues, let path = invocation.options.output, path != "-" else { return request }
        let file = try partialFile(path, request)
        defer { file.discard() }
        return request.continuing(file)
    }

    private func partialFile(_ path: String, _ request: Request) throws -> any PartialFile {
        try invocation.options.checkContinuing(request)
        return try environment.files.resume(path)
    }

    /// Whether `--continue` might be given for `request`, and is not.
    func couldContinue(_ request: Request) -> Bool {
        var options = invocation.options
        if options.continues { return false }
        options.continues = true
        return (try? options.checkContinuing(request)) != nil
    }

    /// Sends the request for what is missing of `file`, and again where that is not the end of it.
    func continueDownload(
        into file: any PartialFile, _ request: Request, _ client: Client, _ redactor: Redactor
    ) async throws -> ExitCode {
        let (options, endpoint) = (invocation.options, call.endpoint)
        let download = ContinuedDownload(
            file: file, notes: options.quiet ? nil : environment.stderr, maxBytes: options.maxBytes)
        return try await download.run(
            request, client,
            keep: { response, extent in
                let printer = AnswerPrinter(options: options, environment: environment, redactor: redactor)
                try await printer.print(response, of: endpoint, into: file, extent: extent)
            },
            fail: { response in
                let printer = FailurePrinter(options: options, environment: environment, redactor: redactor)
                return try await printer.print(
                    response, credentials: endpoint.credentials ?? declaration.api.credentials)
            })
    }
}

extension CallOptions {
    /// Throws ``UsageError`` where `--continue` is given and can't be had for `request`.
    func checkContinuing(_ request: Request) throws(UsageError) {
        guard continues else { return }
        // The bytes of an answer to anything else are not those of a file (RFC 9110, section 14.2).
        if request.method != .get { throw .conflict("--continue", "the method \(request.method)") }
        if anyStatus { throw .conflict("--continue", "--any-status") }
        for name in ["Range", "If-Range"] where request.headers.contains(where: { $0.isNamed(name) }) {
            throw .conflict("--continue", "the header \(name)")
        }
    }
}
