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
                Option("browser", "log in with a browser on this machine") { $0.way = .browser }.excluding("device"),
                Option("device", "log in with a code on another device") { $0.way = .device },
                Option("redirect", .text("-"), "paste the address that the browser was sent to") { options, _ in
                    options.pastesRedirect = true
                }.excluding("device"),
                Option("force", "log in again, although a login is stored", set: { $0.forces = true }),
            ]),
        OptionGroup(
            title: RequestChoices.title,
            options: LoginOptions.server + [LoginOptions.environmentFile, LoginOptions.maxTime]),
        LoginOptions.connectionGroup,
    ])

    static func notes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(paragraphs: [
            """
            A login gives a value to the variable of a credential that nothing else sets: no option, no environment \
            variable, no --env-file and no configuration. It is kept in $XDG_STATE_HOME/\(context.tool)/logins, else \
            in ~/.local/state/\(context.tool)/logins, in files that only you can read, and is sent to its server only.
            """,
            """
            Tokens are refreshed when they have expired. Only this command waits for a person: all others end with \
            exit code 9 and name it.
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

    /// Logs in and stores the result, unless a login that can be used is stored.
    ///
    /// - Throws: ``LoginFailure``, ``UsageError``, ``FileError``, `MissingCredential` and `CancellationError`.
    func run(_ context: CommandContext) async throws -> ExitCode {
        // After a signal, the login has 200 ms to end. Then the process ends.
        context.environment.signals.watch(.milliseconds(200))
        let subject = try LoginSubject(subjectAPI, credential, options, context)
        let environment = subject.context.environment
        if !options.forces, let stored = try environment.logins.read(subject.key),
            stored.isUsable(at: environment.secondsSince1970())
        {
            try environment.stderr.write("already logged in to \(subjectAPI.name); --force logs in again\n".safeLines)
            return .success
        }
        var run = LoginRun(subject)
        run.way = options.way
        run.pastesRedirect = options.pastesRedirect
        let login = try await run.run()
        try environment.stderr.write(Self.report(login, subject, now: environment.secondsSince1970()).safeLines)
        return .success
    }

    /// Returns the command line that logs in.
    ///
    /// - Parameters:
    ///   - api: The API.
    ///   - login: The login that is needed. It is named if the API has several.
    ///   - server: The server that gets the value. It is named if it is not the API's first one.
    ///   - invocation: The start of commands: `apictl`.
    static func words(_ api: CatalogueAPI, _ login: Login, at server: BaseURL, _ invocation: String) -> String {
        var words = [invocation, name, api.name]
        if api.logins.count > 1 { words.append(login.variable) }
        let first = try? api.servers.first?.base()
        if first?.origin != server.origin { words += ["--base-url", ShellWord.quoted(server.text)] }
        return words.joined(separator: " ")
    }

    /// Returns what was stored: for which server, how long it can be used, and which scopes are missing.
    private static func report(_ login: StoredLogin, _ subject: LoginSubject, now: Int) -> String {
        var text = "logged in to \(subject.api.name) at \(subject.base.origin)"
        if let expires = login.expires {
            text += ", for \(Duration.seconds(max(expires - now, 0)).shown)"
            if login.refreshToken != nil { text += " (then refreshed)" }
        }
        text += "\n"
        if case .oauth(let oauth) = subject.login.method, let granted = login.scopes {
            let missing = oauth.scopes.filter { !granted.contains($0) }
            if !missing.isEmpty { text += "not granted: \(missing.joined(separator: ", "))\n" }
        }
        return text
    }
}
