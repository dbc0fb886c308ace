import EndpointKit

/// `config`: shows the settings of APIs that count now, and where each comes from.
struct ConfigCommand: Command {
    static let name = "config"
    static let usage = "config [API]"
    static let summary = "show the settings of APIs and where each comes from"
    static let operands = Operands.apis
    static let table = NoOptions.table

    static func notes(_ context: RunContext) -> CommandNotes {
        let variable = context.variableNames.configuration
        return CommandNotes(
            paragraphs: [
                "Settings are read from the file in \(variable), else from $XDG_CONFIG_HOME/\(context.tool)/config.json, else from ~/.config/\(context.tool)/config.json.",
                "An option overrides a variable, a variable overrides --env-file, and --env-file overrides the file. The file never has a secret, only where to get it; a command for it runs only when its API is called.",
                "A switch that the file sets is turned off for one call with --no- before its name: --no-insecure.",
            ], example: configuration)
    }

    private static let configuration = """
        {
          "version": 1,
          "apis": {
            "API": {
              "server": "NAME or URL",
              "parameters": {"language": "de"},
              "options": {"max-time": "5s", "insecure": true, "header": ["A: 1"]},
              "credentials": {
                "API_KEY": {"command": ["pass", "api"]},
                "API_TOKEN": {"file": "~/.secrets/token"},
                "API_PASSWORD": {"variable": "OTHER_VARIABLE"}
              }
            }
          }
        }

        """

    /// The APIs; none means all.
    private let apis: [any API.Type]

    init(_ words: CommandWords<NoOptions>) throws { apis = try words.others.map(words.registry.api) }

    var isPaged: Bool { true }

    func run(_ context: RunContext) async throws -> ExitCode {
        let path = Configuration.path(context)?.path
        let settings = try Settings(context)
        let context = context.with(settings)
        try settings.configuration?.checkNames(context.registry)
        for api in context.registry.apis { try settings.configuration?.check(api) }
        let missing = settings.configuration == nil ? " (there is none)" : ""
        var text = "Configuration file: \(path.map { $0.safeToShow + missing } ?? "none; HOME is not set")\n"
        for api in apis.isEmpty ? context.registry.apis : apis {
            let rows = try Self.rows(api, settings, context).map { $0.map(\.safeToShow) }
            text += "\n\(api.name)\n" + context.table.text(rows)
        }
        try context.environment.stdout.write(context.environment.marked(text))
        return .success
    }

    /// Name, value and source of each setting of an API that counts: `server`, the variables of credentials, parameters, options. Never a
    /// secret.
    private static func rows(
        _ api: any API.Type, _ settings: Settings, _ context: RunContext
    ) throws -> [[String]] {
        var rows: [[String]] = []
        if let choice = ServerChoice(api, CallOptions(), settings, context) {
            do {
                rows.append(["server", try choice.base().text, choice.source])
            } catch let error as UsageError {
                // A URL that is wrong may hold a password.
                rows.append(["server", choice.isURL ? "not a base URL" : choice.text, error.text])
            }
        } else if let server = api.servers.first {
            rows.append(["server", server.url, "default (\(server.name))"])
        }
        for variable in CredentialVariable.all(of: [api]).map(\.name) {
            let variables = settings.variables(of: api)
            let source = variables.source(variable)?.sentence ?? "variable"
            let isSet = variables.hasValue(variable)
            let problem = variables.failure.map { "\($0.source.sentence): \($0.reason)" } ?? ""
            rows.append([variable, isSet ? "set" : "not set", isSet ? source : problem])
        }
        guard let configuration = settings.configuration, let own = configuration.settings(of: api) else { return rows }
        return rows
            + [("parameter ", own.parameters), ("--", own.options)].flatMap { start, values in
                (values ?? [:]).sorted { $0.key < $1.key }.map { [start + $0, "\($1)", configuration.path] }
            }
    }
}
