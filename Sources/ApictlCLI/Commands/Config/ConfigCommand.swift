import EndpointKit
import JSONText

/// `config`: shows the settings of APIs that count now, and where each comes from.
struct ConfigCommand: Command {
    static let name = "config"
    static let usage = "config [API] [--json]"
    static let summary = "show the settings of APIs and where each comes from"
    static let operands = Operands.apis
    static let table = DescribeCommand.table

    static func notes(_ context: RunContext) -> CommandNotes {
        let variable = context.variableNames.configuration
        return CommandNotes(
            paragraphs: [
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

    /// The APIs; none means all.
    private let apis: [any API.Type]
    private let options: DescribeCommand.Options

    init(_ words: CommandWords<DescribeCommand.Options>) throws {
        apis = try words.others.map(words.registry.api)
        options = words.options
    }

    var isPaged: Bool { true }

    func run(_ context: RunContext) async throws -> ExitCode {
        let path = Configuration.path(context)?.path
        let settings = try Settings(context)
        let context = context.with(settings)
        try settings.configuration?.checkNames(context.registry)
        for api in context.registry.apis { try settings.configuration?.check(api) }
        let description = ConfigDescription(
            file: .init(path: path, exists: settings.configuration != nil),
            apis: try (apis.isEmpty ? context.registry.apis : apis).map { try APISettings($0, settings, context) })
        try context.print(asJSON: options.json, options.common, description, or: text(description, context))
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
        let value: String
        let source: String
    }

    let name: String
    private(set) var settings: [Setting] = []

    init(_ api: any API.Type, _ settings: Settings, _ context: RunContext) throws {
        name = api.name
        if let choice = ServerChoice(api, CallOptions(), settings, context) {
            do {
                add("server", try choice.base().text, choice.source)
            } catch let error as UsageError {
                // A URL that is wrong may hold a password.
                add("server", choice.isURL ? "not a base URL" : choice.text, error.text)
            }
        } else if let server = api.servers.first {
            add("server", server.url, "default (\(server.name))")
        }
        for variable in CredentialVariable.all(of: [api]).map(\.name) {
            let source = settings.variables.source(variable)?.sentence ?? "variable"
            let isSet = settings.hasValue(variable)
            add(variable, isSet ? "set" : "not set", isSet ? source : "")
        }
        guard let configuration = settings.configuration, let own = configuration.settings(of: api) else { return }
        for (name, value) in (own.parameters ?? [:]).sorted(by: { $0.key < $1.key }) {
            add("parameter \(name)", "\(value)", configuration.path)
        }
        for (name, value) in (own.options ?? [:]).sorted(by: { $0.key < $1.key }) {
            add("--\(name)", "\(value)", configuration.path)
        }
    }

    private mutating func add(_ name: String, _ value: String, _ source: String) {
        settings.append(Setting(name: name, value: value, source: source))
    }
}
