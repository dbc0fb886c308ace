import EndpointKit
import EndpointTools

/// `login`: logs in to an API, so that later calls have its credential.
struct LoginCommand: Command {
    static let name = "login"
    static let usage = "login API [CREDENTIAL] [options]"
    static let usageNote = "CREDENTIAL is the variable of a login, if the API has several."
    static let summary = "log in to an API; later calls use the result"
    static let operands = CommandOperands.apis
    static let table = OptionTable<LoginOptions>(command: [
        OptionGroup(
            title: "Login",
            options: [
                Option("browser", "log in with a browser on this machine") {
                    $0.approval = .browser
                }.excluding("device"),
                Option("device", "log in with a code on another device") { $0.approval = .device },
                Option("redirect", .text("-"), "paste the address that the browser was sent to") { options, _ in
                    options.pastesRedirect = true
                }.excluding("device"),
                Option("force", "log in again, although a login is stored", set: { $0.replacesStoredLogin = true }),
            ]),
        OptionGroup(
            title: RequestChoices.title,
            options: LoginOptions.server + [LoginOptions.environmentFile, LoginOptions.maxTime]),
        LoginOptions.connectionGroup,
    ])

    /// Explains, for the help, when the value of a login is used, where it is stored, and when it is refreshed.
    static func notes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(paragraphs: [
            """
            A login gives a value to the variable of a credential. It is used if no option, no environment variable, \
            no --env-file and no configuration sets the variable. It is stored in \
            $XDG_STATE_HOME/\(context.tool)/logins, or in ~/.local/state/\(context.tool)/logins, in files that only \
            you can read. It is sent only to its server.
            """,
            """
            Expired tokens are refreshed. Only this command waits for a person. Other commands that need a login end \
            with exit code 9 and name this command.
            """,
        ])
    }

    private let options: LoginOptions
    private let subjectAPI: CatalogueAPI
    private let credential: SourcedText?

    init(_ words: CommandWords<LoginOptions>) throws {
        let (api, credential) = try words.apiAndCredential(of: Self.name)
        subjectAPI = api
        self.credential = credential
        options = words.options
    }

    /// Logs in, stores the result and reports it on stderr. A stored login that can still be used makes this
    /// unnecessary, unless `--force` is given.
    ///
    /// - Throws: ``LoginFailure``, ``UsageError``, ``FileError``, `MissingCredential` and `CancellationError`.
    func run(_ context: CommandContext) async throws -> ExitCode {
        // After a signal, the login has 200 ms to end. Then the process ends.
        context.environment.signals.startHandling(.milliseconds(200))
        let subject = try LoginSubject(subjectAPI, credential: credential, options: options, context: context)
        let environment = subject.context.environment
        if !options.replacesStoredLogin, let stored = try environment.logins.read(subject.key),
            stored.isUsable(at: environment.secondsSince1970())
        {
            try environment.stderr.write("already logged in to \(subjectAPI.name); --force logs in again\n".safeLines)
            return .success
        }
        let loginRun = LoginRun(subject, approval: options.approval, pastesRedirect: options.pastesRedirect)
        let login = try await loginRun.run()
        let message = Self.successMessage(for: login, of: subject, at: environment.secondsSince1970())
        try environment.stderr.write(message.safeLines)
        return .success
    }

    /// Returns the command line that logs in to an API: `apictl login shop --base-url http://127.0.0.1:8080`.
    ///
    /// - Parameters:
    ///   - login: The login that is needed. The command names its variable if the API has several logins.
    ///   - api: The API that declares the login.
    ///   - server: The server that gets the value. The command names it if it is not the API's first one.
    ///   - invocation: The start of commands: `apictl`.
    static func commandLine(
        for login: Login, of api: CatalogueAPI, at server: BaseURL, invocation: String
    ) -> String {
        var words = [invocation, name, api.name]
        if api.logins.count > 1 { words.append(login.variable) }
        let firstServer = try? api.servers.first?.base()
        if firstServer?.origin != server.origin { words += ["--base-url", ShellWord.quoted(server.text)] }
        return words.joined(separator: " ")
    }

    /// Returns the message after a login: the server, the time until the login expires, and the declared scopes that
    /// the server has not granted.
    ///
    ///     logged in to forge at https://api.forge.test:443, for 1h (then refreshed)
    ///     not granted: write
    ///
    /// - Parameters:
    ///   - login: The login that was stored.
    ///   - subject: The API and the server that the login is for.
    ///   - now: The time, in seconds since 1970.
    private static func successMessage(for login: StoredLogin, of subject: LoginSubject, at now: Int) -> String {
        var message = "logged in to \(subject.api.name) at \(subject.base.origin)"
        if let expires = login.expires {
            message += ", for \(Duration.seconds(max(expires - now, 0)).shown)"
            if login.refreshToken != nil { message += " (then refreshed)" }
        }
        message += "\n"
        if case .oauth(let oauth) = subject.login.method, let grantedScopes = login.scopes {
            let missingScopes = oauth.scopes.filter { !grantedScopes.contains($0) }
            if !missingScopes.isEmpty { message += "not granted: \(missingScopes.joined(separator: ", "))\n" }
        }
        return message
    }
}
