import EndpointKit
import EndpointTools

/// Resolves calls: the only place where command line, environment, `--env-file`, configuration and defaults meet.
struct CallResolver: Sendable {
    let settings: Settings
    var context: CommandContext
    /// When reading and commands that give credentials must have ended; nil is no limit but their own.
    var deadline: ContinuousClock.Instant? {
        didSet { context.environment.deadline = deadline }
    }

    /// Reads the settings for calls of these APIs.
    ///
    /// - Throws: ``UsageError`` and ``FileError``.
    init(_ context: CommandContext, environmentFiles: [SourcedText], apis: [CatalogueAPI]) throws {
        settings = try Settings(context, environmentFiles: environmentFiles)
        for api in apis { try settings.configuration?.check(api) }
        self.context = context.with(settings)
    }

    /// Returns the settings of the configuration for a call. For a URL, they are those for all APIs.
    func configured(_ words: CallWords) -> CallSettings {
        let api = words.options.url == nil ? words.declaration.api : nil
        return settings.configuration?.settings(of: api) ?? CallSettings()
    }

    /// Returns the options of a call: the ones on the command line, and those of the configuration that it leaves open.
    ///
    /// - Throws: ``UsageError`` for options that can't be used together.
    func options(_ words: CallWords) throws -> CallOptions {
        let configured = configured(words)
        var options = words.options
        configured.apply(to: &options)
        if options.resumes, options.output == "-" { throw UsageError.conflict("--continue", "-o -") }
        if options.connection.clientKey != nil, options.connection.clientCertificate == nil {
            let isGiven = words.options.connection.clientKey != nil
            if !isGiven, let key = configured.key { throw key.place.error("key needs cert") }
            throw UsageError("--key needs --cert FILE")
        }
        let files = [("output", options.output), ("save", options.save), ("har", options.har)]
        try UsageError.check(outputs: files, record: options.record, context.environment.files)
        return options
    }

    /// Returns the purpose of a call with these options.
    static func purpose(_ options: CallOptions) -> CallPlan.Purpose {
        if options.sample { return .sample }
        return options.dryRun ? .dryRun : .send
    }

    /// Resolves a call. Waits for programs and pipes that give its credentials.
    ///
    /// - Parameters:
    ///   - purpose: What the plan is for; nil leaves it to the options.
    ///   - options: The result of ``options(_:)``, if it is known already.
    /// - Throws: ``UsageError``, `MissingCredential`, ``CredentialSourceFailure``, ``FileError``, and what building a
    ///   request throws.
    func plan(
        _ words: CallWords, _ purpose: CallPlan.Purpose? = nil, options: CallOptions? = nil
    ) async throws -> CallPlan {
        let options = try options ?? self.options(words)
        let resolution = CallResolution(
            resolver: self, words: words, options: options, purpose: purpose ?? Self.purpose(options))
        return try await resolution.plan()
    }

    /// Resolves a call that is printed as a curl command.
    ///
    /// No program has to give a credential, because the command names variables.
    ///
    /// - Throws: The same errors as ``plan(_:_:options:)``.
    func curlPlan(_ words: CallWords) throws -> CallPlan {
        let resolution = CallResolution(resolver: self, words: words, options: try options(words), purpose: .curl)
        return try resolution.plan(resolution.draft())
    }
}
