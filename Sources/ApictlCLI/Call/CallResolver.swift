import EndpointKit
import EndpointTools

/// Makes plans of calls from requests, environment variables, the files of `--env-file` and the configuration. All of
/// these come together only here.
final class CallResolver: Sendable {
    let settings: Settings
    /// The context with the variables of `--env-file`.
    let context: CommandContext

    /// Reads the settings for calls of the given APIs, and checks the configuration of each API.
    ///
    /// - Parameters:
    ///   - environmentFiles: The files of `--env-file`.
    ///   - deadline: When all files must have been read; nil is no limit.
    /// - Throws: ``UsageError`` and ``FileError``.
    init(
        _ context: CommandContext, environmentFiles: [SourcedText], apis: [CatalogueAPI],
        until deadline: ContinuousClock.Instant? = nil
    ) throws {
        settings = try Settings(context.with(deadline: deadline), environmentFiles: environmentFiles)
        for api in apis { try settings.configuration?.checkDeclaredNames(of: api) }
        self.context = context.with(settings)
    }

    /// Makes the plan of a call. Reads the files and stdin that it refers to, and waits for programs that give its
    /// credentials.
    ///
    /// - Parameters:
    ///   - request: The call, completed by the settings of the configuration.
    ///   - deadline: When everything must have been read; nil is no limit.
    /// - Throws: ``UsageError``, `MissingCredential`, ``CredentialSourceFailure``, ``FileError``, and what building a
    ///   request throws.
    func resolve(_ request: CallRequest, until deadline: ContinuousClock.Instant? = nil) async throws -> CallPlan {
        try checkOptions(of: request)
        return try await CallResolution(resolver: self, callRequest: request, deadline: deadline).resolve()
    }

    /// Makes the plan of a call that is printed as a curl command.
    ///
    /// The printed command names variables in place of their values. So no credential has to be loaded, and this
    /// function need not wait.
    ///
    /// - Throws: The errors of ``resolve(_:until:)``.
    func resolveForCurl(_ request: CallRequest) throws -> CallPlan {
        var request = request
        request.options.purpose = .curl
        try checkOptions(of: request)
        let resolution = CallResolution(resolver: self, callRequest: request, deadline: nil)
        return try resolution.buildPlan(from: resolution.readInputs())
    }

    /// Checks that the options of a call can be used together, settings of the configuration among them.
    ///
    /// The parser has checked only the options of the command line.
    ///
    /// - Throws: ``UsageError`` for the first conflict.
    private func checkOptions(of request: CallRequest) throws(UsageError) {
        let (output, connection) = (request.options.output, request.options.connection)
        let writesToStdout = output.file == "-"
        if output.resumes, writesToStdout { throw UsageError.conflict("--continue", "-o -") }
        if let key = connection.key, connection.certificate == nil {
            let problem = key.source.isConfiguration ? "key needs cert" : "--key needs --cert FILE"
            throw UsageError(problem, from: key.source)
        }
        let outputFiles = [
            NamedOutput(option: "output", path: output.file), NamedOutput(option: "save", path: output.copy),
            NamedOutput(option: "har", path: output.archive),
        ]
        try UsageError.requireDistinctFiles(
            of: outputFiles, recordDirectory: output.recordings, context.environment.files)
    }
}

extension CommandContext {
    /// Returns a request of a call, with the settings of the configuration in place of everything that the request
    /// leaves open.
    ///
    /// - Throws: ``UsageError`` for a request or a configuration that is wrong, and ``FileError`` if the
    ///   configuration can't be read.
    func completed(_ request: CallRequest) throws -> CallRequest {
        guard let configuration = try configuration.get() else { return request }
        let api = request.url == nil ? request.declaration.api : nil
        return try request.completed(by: configuration.settings(of: api))
    }

    /// Returns this context with a time limit for reading stdin and pipes; nil is no limit.
    func with(deadline: ContinuousClock.Instant?) -> CommandContext {
        var copy = self
        copy.environment.deadline = deadline
        return copy
    }
}
