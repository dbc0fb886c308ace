import EndpointKit
import EndpointTools
import JSONText

/// `config`: shows the settings of APIs that apply now, and where each comes from.
struct ConfigCommand: Command {
    static let name = "config"
    struct Options: CommandOptions {
        var common = CommonOptions()
        var json = false
    }

    static let usage = "config [API|GROUP] [--json]"
    static let summary = "show the settings of APIs and where each comes from"
    static let operands = CommandOperands.apis
    static let table = OptionTable<Options>(command: [
        OptionGroup(title: "Options", options: [Option("json", "print JSON") { $0.json = true }])
    ])

    static func notes(_ context: CommandContext) -> CommandNotes {
        let variable = context.variableNames.configuration
        return CommandNotes(
            paragraphs: [
                """
                Settings are read from the file in \(variable), else from \
                $XDG_CONFIG_HOME/\(context.tool)/config.json, else from ~/.config/\(context.tool)/config.json.
                """,
                """
                What stands beside apis counts for all APIs. What stands under an API's name counts for that API. A \
                name before a dot is a group: what stands under a counts for a.b and a.c, and an API named a belongs \
                to the group a. The longest name wins.
                """,
                """
                The variables \(context.variableNames.url(of: "name")) and \
                \(context.variableNames.server(of: "name")) are for an API or a group of that name. Where a name is \
                that of an API and of a group, it means the API for call, and the group with that API for other \
                commands.
                """,
                """
                An option overrides a variable, a variable overrides --env-file, and --env-file overrides the file. \
                In the file, an API overrides what counts for all.
                """,
                """
                The file never has a secret, only where to get it; a command for it runs only when its API is \
                called. Relative paths start at the file's directory, and ~/ is the home directory.
                """,
                """
                Turn off a configured switch for one call with --no-NAME, such as --no-insecure. A URL that is called \
                without an API takes the settings for all APIs, except for server, url, headers, query, parameters \
                and credentials.
                """,
                """
                The program under logins keeps logins in place of files: it gets get, put or delete, then the API, the \
                variable and the server. put reads a line from stdin, and get prints it.
                """,
                "Each key means the same as the option of its name. An API with all keys:",
            ], example: configuration)
    }

    /// The example of a configuration with all keys, for help.
    private static let configuration = """
        {
          "version": 1,
          "proxy": "http://proxy.example.com:8080",
          "apis": {
            "API": {
              "server": "NAME",
              "headers": {"Accept-Language": "de", "X-Sent": null},
              "query": {"q": 1, "tag": ["a", "b"]},
              "parameters": {"language": "de"},
              "credentials": {
                "API_KEY": {"command": ["pass", "api"]},
                "API_TOKEN": {"file": "~/.secrets/token"},
                "API_PASSWORD": {"variable": "OTHER_VARIABLE"}
              },
              "auth": "bearer",
              "proxy": "", "unix-socket": "/run/api.sock",
              "resolve": ["HOST:443:127.0.0.1"], "insecure": false,
              "cacert": "ca.pem", "cert": "client.pem", "key": "client.key",
              "max-time": "20s", "connect-timeout": 2.5, "retry": 3,
              "color": "auto", "pager": "less"
            },
            "OTHER": {"url": "http://127.0.0.1:8080"}
          },
          "documents": {"SHOP": {"file": "shop.yaml", "server": "NAME"}},
          "logins": {"store": ["PROGRAM"]}
        }

        """

    /// The APIs; none means all.
    private let apis: [CatalogueAPI]
    private let options: Options

    /// Reads the APIs and groups. An API that is named twice, by itself and in a group, is shown once.
    init(_ words: CommandWords<Options>) throws {
        options = words.options
        var apis: [CatalogueAPI] = []
        for api in try words.others.flatMap({ try words.registry.apiOrGroup($0).apis }) {
            let isKnown = apis.contains { $0.name == api.name }
            if !isKnown { apis.append(api) }
        }
        self.apis = apis
    }

    var isPaged: Bool { true }

    /// Prints the path of the configuration file, and the settings of each API.
    ///
    /// - Throws: The errors of ``Settings``, and ``UsageError`` for a credential or parameter that no API has.
    func run(_ context: CommandContext) async throws -> ExitCode {
        let settings = try Settings(context)
        let context = context.with(settings)
        try settings.configuration?.checkAll(context.registry)
        let apis = apis.isEmpty ? context.registry.apisWithoutNames : apis
        let rows = try apis.map { api in (api.name, try Self.rows(api, settings, context)) }
        try context.print(
            asJSON: options.json, options.common, Self.json(rows, settings, context),
            or: Self.text(rows, settings, context))
        return .success
    }

    /// Returns the settings as text: the file, and a table for each API.
    private static func text(
        _ apis: [(name: String, rows: [[String]])], _ settings: Settings, _ context: CommandContext
    ) -> String {
        let tables = apis.map { name, rows in "\n\(name)\n" + context.table.text(rows.map { $0.map(\.safeToShow) }) }
        return "Configuration file: \(fileText(settings, context))\n" + tables.joined()
    }

    /// Returns the settings as JSON.
    ///
    ///     {"version": 1, "file": "config.json", "apis": [
    ///       {"name": "movies", "settings": [{"name": "server", "value": "https://…", "source": "default (production)"}]}
    ///     ]}
    private static func json(
        _ apis: [(name: String, rows: [[String]])], _ settings: Settings, _ context: CommandContext
    ) -> JSONValue {
        let file = settings.configuration == nil ? nil : Configuration.location(context)?.path
        let shownAPIs = apis.map { name, rows in
            let settings: [JSONValue] = rows.map { row in
                ["name": JSONValue(row[0]), "value": JSONValue(row[1]), "source": JSONValue(row[2])]
            }
            return ["name": JSONValue(name), "settings": JSONValue(settings)] as JSONValue
        }
        return ["version": 1, "file": file.map { JSONValue($0) } ?? nil, "apis": JSONValue(shownAPIs)]
    }

    /// Returns the path of the configuration file, and whether it exists.
    private static func fileText(_ settings: Settings, _ context: CommandContext) -> String {
        guard let path = Configuration.location(context)?.path else { return "none; HOME is not set" }
        return path.safeToShow + (settings.configuration == nil ? " (there is none)" : "")
    }

    /// Returns the rows of an API: name, value and source of each setting that applies to it.
    ///
    /// These are the server, the variables of credentials, and the options and parameters of the configuration. No row
    /// has a secret.
    private static func rows(
        _ api: CatalogueAPI, _ settings: Settings, _ context: CommandContext
    ) throws -> [[String]] {
        let configured = settings.configuration?.settings(of: api) ?? CallSettings()
        let optionRows = configured.rows.map { row in
            [row.name, row.place.json.description, row.place.location.description]
        }
        let server = try serverRow(api, settings, context)
        return [server].compactMap(\.self) + credentialRows(api, settings) + optionRows
    }

    /// Returns the row of the server that a call would use; nil for an API without servers.
    private static func serverRow(
        _ api: CatalogueAPI, _ settings: Settings, _ context: CommandContext
    ) throws -> [String]? {
        guard let choice = CallServerChoice(api, nil, settings, context) else {
            return api.servers.first.map { ["server", $0.url, "default (\($0.name))"] }
        }
        do {
            return ["server", try choice.base().text, choice.sourceText]
        } catch let error as UsageError {
            // The text of a wrong URL is not shown, because it may have a password.
            return ["server", choice.isURL ? "not a base URL" : choice.text, error.text]
        }
    }

    /// Returns a row for each credential variable: whether it is set, and where its value comes from. The value of a
    /// variable whose source failed is missing: the row has the reason.
    private static func credentialRows(_ api: CatalogueAPI, _ settings: Settings) -> [[String]] {
        let variables = settings.variables(of: api)
        return CredentialVariable.all(of: [api]).map { variable in
            guard variables.hasValue(variable.name) else {
                if settings.logins(of: api).isStored(variable.name) { return [variable.name, "set", "login"] }
                let problem = variables.failure.map { "\($0.source.sentence): \($0.reason)" } ?? ""
                return [variable.name, "not set", problem]
            }
            return [variable.name, "set", variables.source(variable.name)?.sentence ?? "variable"]
        }
    }
}
