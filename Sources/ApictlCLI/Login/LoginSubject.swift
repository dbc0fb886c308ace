import EndpointKit
import EndpointTools

/// The options of `login`, `logout` and `token`.
struct LoginOptions: CommandOptions {
    var common = CommonOptions()
    /// The server for which the login counts; nil is the one that calls use.
    var server: CallServerName?
    /// Files with variables that are not set.
    var environmentFiles: [SourcedText] = []
    var connection = ConnectionChoices()
    var maxTime: Sourced<Duration>?
    /// The way in which a person logs in; nil is the first one that the API declares.
    var way: LoginRun.Way?
    /// Whether the address that the browser was sent to is pasted.
    var pastesRedirect = false
    /// Whether to log in although a usable login is stored.
    var forces = false
    /// Whether `logout` is for all APIs.
    var isForAll = false
    /// The session that `logout` deletes.
    var session: SessionName?

    static let server: [Option<LoginOptions>] = [
        .server("log in for this server of the API") { $0.server = CallServerName(word: $1) }.excluding("base-url"),
        Option("base-url", .word("URL"), "log in for the server at this base URL") {
            $0.server = CallServerName(word: $1, isURL: true)
        },
    ]

    static let environmentFile = Option<LoginOptions>(
        "env-file", .word("FILE", completion: .files), "read variables that are not set from FILE (-: stdin)"
    ) { $0.environmentFiles.append($1) }

    /// The time limit of each request.
    static let maxTime = Option<LoginOptions>(
        "max-time", short: "m", .duration, sourced: \.maxTime,
        "the longest time for one request; 0: no limit; default 30s")

    /// Returns the time limit and the connection of requests for an API: those of the options, completed by the
    /// configuration.
    func transfer(for api: CatalogueAPI, _ settings: Settings) -> TransferOptions {
        let configured = settings.configuration?.settings(of: api) ?? CallSettings()
        var transfer = TransferOptions()
        // As in curl, zero means no limit.
        let limit = maxTime?.value ?? TransferChoices.defaultTimeLimit
        transfer.maxTime = limit == .zero ? nil : limit
        transfer.connection = connection.overriding(configured.connection).resolved
        return transfer
    }

    static let connectionGroup = ConnectionChoices.group.lifted(to: \LoginOptions.connection)
}

/// The login that a command is about: one of an API's logins, and the server that gets its value.
struct LoginSubject {
    let api: CatalogueAPI
    let login: Login
    let base: BaseURL
    let settings: Settings
    let transfer: TransferOptions
    /// The context with the variables of `--env-file`.
    let context: CommandContext

    var variables: Variables { settings.variables(of: api) }
    var logins: LoginVariables { settings.logins(of: api) }
    var key: LoginKey { LoginKey(api: api.name, variable: login.variable, origin: base.origin) }

    /// Finds the login of an API.
    ///
    /// - Parameters:
    ///   - api: The API.
    ///   - credential: The variable of the login, or a name of its credential; nil is the only login.
    ///   - options: The options of the command.
    /// - Throws: ``UsageError`` if the API has no such login, and the errors of settings.
    init(
        _ api: CatalogueAPI, _ credential: SourcedText?, _ options: LoginOptions, _ context: CommandContext
    ) throws {
        self.api = api
        settings = try Settings(context, environmentFiles: options.environmentFiles)
        try settings.configuration?.check(api)
        self.context = context.with(settings)
        login = try Self.login(of: api, credential)
        guard
            let base = try CallServerChoice(api, options.server, settings, self.context)?.base()
                ?? api.servers.first?.base()
        else { throw UsageError("\(api.name) declares no server: give one with --base-url URL") }
        self.base = base
        transfer = options.transfer(for: api, settings)
    }

    /// Returns the login that a word names; without a word the only one.
    private static func login(of api: CatalogueAPI, _ credential: SourcedText?) throws(UsageError) -> Login {
        let logins = api.logins
        let names = logins.map(\.variable)
        if logins.isEmpty {
            throw UsageError("\(api.name) declares no login; set the variables of its credentials", see: api.name)
        }
        guard let credential else {
            if logins.count == 1 { return logins[0] }
            throw UsageError("\(api.name) has several logins: name \(names.joinedAsAlternatives)")
        }
        let schemes = api.declaredCredentials().flatMap(\.credential.alternatives)
        let variables = schemes.filter { $0.isNamed(credential.text) }.flatMap(\.variables) + [credential.text]
        if let login = logins.first(where: { variables.contains($0.variable) }) { return login }
        throw .invalidValue(
            option: "CREDENTIAL", value: credential.text, expected: names.joinedAsAlternatives,
            source: credential.source)
    }
}

extension CommandWords {
    /// Returns the API and the credential that the words of a command name.
    ///
    /// - Parameter command: The name of the command, for messages.
    /// - Throws: ``UsageError`` without an API, for an unknown one, and for too many words.
    func apiAndCredential(of command: String) throws(UsageError) -> (api: CatalogueAPI, credential: SourcedText?) {
        try requireAtMost(2)
        guard let word = others.first else { throw UsageError("\(command) needs an API", see: "list") }
        guard case .api(let api) = try registry.apiOrGroup(word) else {
            throw UsageError("\(word.shown) is a group: name one of its APIs", see: word.text)
        }
        return (api, others.count > 1 ? others[1] : nil)
    }
}
