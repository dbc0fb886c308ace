import EndpointKit
import EndpointTools

/// The options of `login`, `logout` and `token`.
struct LoginOptions: CommandOptions {
    var common = CommonOptions()
    /// The server for which the login counts; nil is the one that calls use.
    var server: CallServerName?
    /// The files of `--env-file`, whose values count for variables that the environment does not set.
    var environmentFiles: [SourcedText] = []
    var connection = ConnectionChoices()
    /// The time limit of each request; nil is the usual one.
    var maxTime: Sourced<Duration>?
    /// The way in which a person approves the login; nil is the first one that the API declares.
    var approval: LoginRun.Approval?
    /// Whether a person pastes the address that the browser was sent to, because the browser can't reach this machine.
    var pastesRedirect = false
    /// Whether to log in although a usable login is stored.
    var replacesStoredLogin = false
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

    static let maxTime = Option<LoginOptions>(
        "max-time", short: "m", .duration, sourced: \.maxTime,
        "the longest time for one request; 0: no limit; default 30s")

    static let connectionGroup = ConnectionChoices.group.lifted(to: \LoginOptions.connection)

    /// Returns the time limit and the connection for requests to the servers of an API's login.
    ///
    /// Connection options that are not on the command line come from the API's configuration.
    func transfer(for api: CatalogueAPI, settings: Settings) -> TransferOptions {
        let configured = settings.configuration?.settings(of: api) ?? CallSettings()
        var transfer = TransferOptions()
        let timeLimit = maxTime?.value ?? TransferChoices.defaultTimeLimit
        // As in curl, zero means no limit.
        transfer.maxTime = timeLimit == .zero ? nil : timeLimit
        transfer.connection = connection.overriding(configured.connection).resolved
        return transfer
    }
}
