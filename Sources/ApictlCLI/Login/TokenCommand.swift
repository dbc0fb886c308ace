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

    /// Prints the value, on a line of its own.
    func run(_ context: CommandContext) async throws -> ExitCode {
        // After a signal, a refresh has 200 ms to end. Then the process ends.
        context.environment.signals.watch(.milliseconds(200))
        let subject = try LoginSubject(subjectAPI, credential, options, context)
        let value = try await subject.value()
        try context.environment.stdout.write(value + "\n")
        return .success
    }
}

extension LoginSubject {
    /// Returns the value that a call would use: that of the variable, or else that of the login.
    ///
    /// - Throws: ``MissingLogin`` if there is none, and the failure of refreshing it.
    fileprivate func value() async throws -> String {
        let deadline = ContinuousClock.now + CredentialSource.timeLimit * 2
        if variables.mustBeLoaded(login.variable) { try await variables.load(login.variable, until: deadline) }
        if let value = variables.value(login.variable), !value.isEmpty { return value }
        if let failure = variables.failure { throw failure }
        try await logins.load(login.variable, at: base, transfer, until: .now + (transfer.maxTime ?? .seconds(60)))
        if let value = logins.value(login.variable, at: base) { return value }
        if let failure = logins.failure { throw failure }
        throw MissingLogin(
            missing: MissingCredential(alternatives: [[login.variable]]),
            command: LoginCommand.words(api, login, at: base, context.invocation),
            isExpired: logins.isExpired(login.variable, at: base))
    }
}
