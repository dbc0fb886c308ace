import EndpointKit
import EndpointTools

/// `token`: prints the value that a login gives, for other programs.
struct TokenCommand: Command {
    static let name = "token"
    static let usage = "token API [CREDENTIAL] [options]"
    static let usageNote = "CREDENTIAL is the variable of a login, if the API has several."
    static let summary = "print the token of a login, refreshed if it has expired"
    static let operands = CommandOperands.apis
    static let table = OptionTable<LoginOptions>(command: [
        OptionGroup(
            title: RequestChoices.title,
            options: LoginOptions.server + [LoginOptions.environmentFile, LoginOptions.maxTime]),
        LoginOptions.connectionGroup,
    ])

    private let options: LoginOptions
    private let subjectAPI: CatalogueAPI
    private let credential: SourcedText?

    init(_ words: CommandWords<LoginOptions>) throws {
        let (api, credential) = try words.apiAndCredential(of: Self.name)
        subjectAPI = api
        self.credential = credential
        options = words.options
    }

    /// Prints the value of the login on a line of its own. An expired login is refreshed first.
    ///
    /// - Throws: ``MissingLogin`` if a person must log in first, ``LoginFailure``, ``UsageError`` and ``FileError``.
    func run(_ context: CommandContext) async throws -> ExitCode {
        // After a signal, a refresh has 200 ms to end. Then the process ends.
        context.environment.signals.startHandling(.milliseconds(200))
        let subject = try LoginSubject(subjectAPI, credential: credential, options: options, context: context)
        let value = try await subject.loadValue()
        try context.environment.stdout.write(value + "\n")
        return .success
    }
}

extension LoginSubject {
    /// Loads the value that a call would use: that of the variable, or else that of the login.
    ///
    /// Loading may run a program that the configuration names, or refresh the login and store the result.
    ///
    /// - Throws: ``MissingLogin`` if there is no value, and the failure of a program or of the refresh.
    fileprivate func loadValue() async throws -> String {
        let variable = login.variable
        if variables.mustBeLoaded(variable) {
            // The source has a limit of its own. This deadline is later, so that a failure names that limit.
            try await variables.load(variable, until: .now + CredentialSource.timeLimit * 2)
        }
        if let value = variables.value(variable), !value.isEmpty { return value }
        if let failure = variables.failure { throw failure }

        // `--max-time 0` sets no limit for requests. Waiting for another process that refreshes the login needs one.
        let refreshLimit = transfer.maxTime ?? .seconds(60)
        try await logins.load(variable, at: base, using: transfer, until: .now + refreshLimit)
        if let value = logins.value(variable, at: base) { return value }
        if let failure = logins.failure { throw failure }
        throw MissingLogin(
            missing: MissingCredential(alternatives: [[variable]]),
            command: LoginCommand.commandLine(for: login, of: api, at: base, invocation: context.invocation),
            isExpired: logins.isExpired(variable, at: base))
    }
}
