import EndpointKit
import JSONText

/// `config`: shows the settings of APIs that count now, and where each comes from.
struct ConfigCommand: Command {
    /// The APIs; none means all.
    let apis: [any API.Type]
    let options: DisplayOptions

    static func help(_ context: RunContext) -> CommandHelp {
        let variable = context.variableNames.configuration
        return CommandHelp(
            DisplayOptions.table,
            [
                "Settings are read from the file in \(variable), else from $XDG_CONFIG_HOME/\(context.tool)/config.json, else from ~/.config/\(context.tool)/config.json.",
                "An option overrides a variable, a variable overrides --env-file, and --env-file overrides the file. The file never has a secret, only where to get it; a command for it runs only when its API is called.",
            ], example: configuration)
    }

    private static let configuration = """
        {
          "version": 1,
          "apis": {
            "API": {
              "server": "NAME or URL",
              "parameters": {"language": "de"},
              "options": {"max-time": "5s", "insecure": true, "header": ["A: 1", "B: 2"]},
              "credentials": {
                "API_KEY": {"command": ["pass", "api"]},
                "API_TOKEN": {"file": "~/.secrets/token"},
                "API_PASSWORD": {"variable": "OTHER_VARIABLE"}
              }
            }
          }
        }

        """

    var isPaged: Bool { true }

    func run(_ context: RunContext) async throws -> ExitCode {
        let path = Configuration.path(context)?.path
        let context = try context.configured(runsCommands: false)
        try context.configuration?.checkNames(context.registry)
        for api in context.registry.apis { try context.configuration?.check(api) }
        let description = ConfigDescription(
            file: .init(path: path, exists: context.configuration != nil),
            apis: try (apis.isEmpty ? context.registry.apis : apis).map { try APISettings($0, context) })
        try options.print(description, or: text(description, context), context.environment)
        return .success
    }

    private func text(_ description: ConfigDescription, _ context: RunContext) -> String {
        let file = description.file
        let shown = file.path.map { $0 + (file.exists ? "" : " (there is none)") }
        let table = Table(width: context.textWidth)
        return "Configuration file: \(shown?.safeToShow ?? "none; HOME is not set")\n"
            + description.apis.map { api in
                let settings = api.settings.map { [$0.name, $0.value, $0.source] }
                return "\n\(api.name)\n" + table.text(settings.map { $0.map(\.safeToShow) })
            }.joined()
    }
}

/// What `config --json` prints.
private struct ConfigDescription: Encodable {
    struct File: Encodable {
        let path: String?
        let exists: Bool
    }

    let version = 1
    let file: File
    let apis: [APISettings]
}

/// The settings of one API that count.
private struct APISettings: Encodable {
    struct Setting: Encodable {
        /// `server`, the variable of a credential, `parameter NAME` or an option.
        let name: String
        /// Never a secret.
        var value: String
        var source: String
    }

    let name: String
    private(set) var settings: [Setting] = []

    init(_ api: any API.Type, _ context: RunContext) throws {
        name = api.name
        let resolver = ServerResolver(api: api, context: context)
        if let choice = resolver.choice(CallOptions()) {
            var server = Setting(name: "server", value: choice.text, source: choice.source)
            do {
                if let base = try resolver.base(CallOptions()) { server.value = base.text }
            } catch let error as UsageError {
                // A URL that is wrong may hold a password.
                if choice.isURL { server.value = "not a base URL" }
                server.source = error.text
            }
            settings.append(server)
        } else if let server = api.servers.first {
            settings.append(Setting(name: "server", value: server.url, source: "default (\(server.name))"))
        }
        for variable in CredentialVariable.all(of: [api]).map(\.name) {
            let source =
                switch context.variables?.origin(variable) {
                case .source(let source): source.sentence
                case .process, .file: "variable"
                case nil: context.environment.isSet(variable) ? "variable" : ""
                }
            settings.append(Setting(name: variable, value: source.isEmpty ? "not set" : "set", source: source))
        }
        guard let configuration = context.configuration, let configured = configuration.settings(of: api) else {
            return
        }
        for (name, value) in (configured.parameters ?? [:]).sorted(by: { $0.key < $1.key }) {
            settings.append(Setting(name: "parameter \(name)", value: "\(value)", source: configuration.path))
        }
        for (name, value) in (configured.options ?? [:]).sorted(by: { $0.key < $1.key }) {
            settings.append(Setting(name: "--\(name)", value: "\(value)", source: configuration.path))
        }
    }
}
