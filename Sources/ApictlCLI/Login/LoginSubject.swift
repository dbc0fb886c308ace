import EndpointKit
import EndpointTools

/// The login that a command is about: one of an API's logins, and the server that gets its value.
struct LoginSubject {
    let api: CatalogueAPI
    let login: Login
    /// The base URL of the server that gets the value.
    let base: BaseURL
    let settings: Settings
    /// Time limit and connection for requests of the login.
    let transfer: TransferOptions
    /// The context with the variables of `--env-file`.
    let context: CommandContext

    /// The API's variables as the environment, `--env-file` and the configuration set them.
    var variables: Variables { settings.variables(of: api) }
    /// The API's variables as logins set them.
    var logins: LoginVariables { settings.logins(of: api) }
    /// The key under which the login is stored.
    var key: LoginKey { LoginKey(api: api.name, variable: login.variable, origin: base.origin) }

    /// Finds the login and the server that a command line names, and reads the settings for them.
    ///
    /// - Parameters:
    ///   - api: The API that declares the login.
    ///   - credential: The variable of the login, or a name of its credential such as `bearer`. It may be nil if the
    ///     API has only one login.
    ///   - options: The options of the command.
    ///   - context: The context, without the variables of `--env-file`.
    /// - Throws: ``UsageError`` if the API has no such login or no server, and the errors of ``Settings``.
    init(
        _ api: CatalogueAPI, credential: SourcedText?, options: LoginOptions, context: CommandContext
    ) throws {
        self.api = api
        settings = try Settings(context, environmentFiles: options.environmentFiles)
        try settings.configuration?.checkDeclaredNames(of: api)
        self.context = context.with(settings)
        login = try Self.login(of: api, named: credential)
        let chosenServer = try CallServerChoice(api, options.server, settings, self.context)?.base()
        guard let base = try chosenServer ?? api.servers.first?.base() else {
            throw UsageError("\(api.name) declares no server: give one with --base-url URL")
        }
        self.base = base
        transfer = options.transfer(for: api, settings: settings)
    }

    /// Returns the login that a word of the command line names, or the only one if there is no word.
    ///
    /// - Parameters:
    ///   - api: The API that declares the logins.
    ///   - credential: The word: a variable such as `SHOP_TOKEN`, or a name of the credential that it holds, such as
    ///     `bearer`. Nil without a word.
    /// - Throws: ``UsageError`` if the API declares no login, if it declares several and no word chooses one, or if
    ///   none has the name.
    private static func login(
        of api: CatalogueAPI, named credential: SourcedText?
    ) throws(UsageError) -> Login {
        let logins = api.logins
        if logins.isEmpty {
            throw UsageError("\(api.name) declares no login; set the variables of its credentials", see: api.name)
        }
        let alternatives = logins.map(\.variable).joinedAsAlternatives
        guard let credential else {
            if logins.count == 1 { return logins[0] }
            throw UsageError("\(api.name) has several logins: name \(alternatives)")
        }
        let schemes = api.declaredCredentials().flatMap(\.credential.alternatives)
        let namedSchemes = schemes.filter { $0.isNamed(credential.text) }
        let possibleVariables = namedSchemes.flatMap(\.variables) + [credential.text]
        guard let login = logins.first(where: { possibleVariables.contains($0.variable) }) else {
            throw .invalidValue(
                option: "CREDENTIAL", value: credential.text, expected: alternatives, source: credential.source)
        }
        return login
    }
}

extension CommandWords {
    /// Returns the API and the credential that the words `API [CREDENTIAL]` of a command name. The credential is nil if
    /// there is only one word.
    ///
    /// - Parameter command: The name of the command, for messages.
    /// - Throws: ``UsageError`` without an API, for an unknown one, for a group of APIs, and for more than two words.
    func apiAndCredential(of command: String) throws(UsageError) -> (api: CatalogueAPI, credential: SourcedText?) {
        try requireAtMost(2)
        guard let apiName = operands.first else { throw UsageError("\(command) needs an API", see: "list") }
        guard case .api(let api) = try registry.apiOrGroup(apiName) else {
            throw UsageError("\(apiName.shown) is a group: name one of its APIs", see: apiName.text)
        }
        return (api, operands.count > 1 ? operands[1] : nil)
    }
}
