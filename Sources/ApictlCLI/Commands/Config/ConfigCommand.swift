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

    /// Explains where settings are read from, which of several wins, and which keys the configuration has.
    static func notes(_ context: CommandContext) -> CommandNotes {
        let variable = context.variableNames.configuration
        return CommandNotes(
            paragraphs: [
                """
                Settings are read from the file that \(variable) names. Without it, they are read from \
                $XDG_CONFIG_HOME/\(context.tool)/config.json or, if that variable is not set either, from \
                ~/.config/\(context.tool)/config.json.
                """,
                """
                Keys at the top level, next to apis, apply to all APIs. Keys under an API's name apply to that API. A \
                name before a dot is a group: keys under a apply to a.b and a.c, and an API named a belongs to the \
                group a. If several names match an API, the longest one wins.
                """,
                """
                The variables \(context.variableNames.url(of: "name")) and \(context.variableNames.server(of: "name")) \
                are for an API or a group of that name. If an API and a group have the same name, call uses the API. \
                Other commands use the group together with this API.
                """,
                """
                An option overrides a variable, a variable overrides --env-file, and --env-file overrides the file. In \
                the file, keys of an API override those at the top level.
                """,
                """
                The file has no secrets, only their sources. A command that prints a secret runs only when its API is \
                called. Relative paths start at the file's directory, and ~/ is the home directory.
                """,
                """
                Turn off a configured switch for one call with --no-NAME, such as --no-insecure. When you call a URL \
                without an API, the keys at the top level apply, except server, url, headers, query, parameters and \
                credentials.
                """,
                """
                The program under logins stores logins instead of files. Its arguments are get, put or delete, then \
                the API, the variable and the server. With put, it reads a line from stdin. With get, it prints that \
                line.
                """,
                "Each key means the same as the option with its name. An API with all keys:",
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

    /// The APIs whose settings are shown; empty for those that a command without names is about.
    private let apis: [CatalogueAPI]
    private let options: Options

    /// Reads the names of APIs and groups. An API that is named twice, such as by itself and in a group, is shown once.
    init(_ words: CommandWords<Options>) throws {
        options = words.options
        var apis: [CatalogueAPI] = []
        for word in words.operands {
            for api in try words.registry.apiOrGroup(word).apis {
                let isRepeated = apis.contains { $0.name == api.name }
                if !isRepeated { apis.append(api) }
            }
        }
        self.apis = apis
    }

    var isPaged: Bool { true }

    /// Prints the path of the configuration file, and the settings of each API.
    ///
    /// - Throws: The errors of ``Settings``, and ``UsageError`` for a credential or parameter that no API has.
    func run(_ context: CommandContext) async throws -> ExitCode {
        let settings = try Settings(context)
        let contextWithSettings = context.with(settings)
        try settings.configuration?.checkAllDeclaredNames(context.registry)
        let shownAPIs = apis.isEmpty ? context.registry.apisWithoutNames : apis
        let settingsOfAPIs = try shownAPIs.map { api in
            let shownSettings = try Self.shownSettings(of: api, settings, contextWithSettings)
            return SettingsReport.API(name: api.name, settings: shownSettings)
        }
        let report = SettingsReport(
            path: Configuration.location(contextWithSettings)?.path, fileExists: settings.configuration != nil,
            apis: settingsOfAPIs)
        try contextWithSettings.print(
            asJSON: options.json, options.common, json: report.json, text: report.text(contextWithSettings.table))
        return .success
    }

    // MARK: Settings of an API

    /// Returns the settings that apply to an API: its server, the variables of its credentials, and the options and
    /// parameters of the configuration. None of them shows a secret.
    ///
    /// - Throws: `RequestError` if the API declares a server whose URL is wrong.
    private static func shownSettings(
        of api: CatalogueAPI, _ settings: Settings, _ context: CommandContext
    ) throws -> [ShownSetting] {
        let configured = settings.configuration?.settings(of: api) ?? CallSettings()
        let configuredSettings = configured.rows.map { row in
            ShownSetting(
                name: row.name, value: row.place.json.description, source: row.place.location.description)
        }
        var shown = credentialSettings(of: api, settings) + configuredSettings
        if let server = try serverSetting(of: api, settings, context) { shown.insert(server, at: 0) }
        return shown
    }

    /// Returns the server that a call would use; nil for an API without servers.
    ///
    /// If the server that the user has chosen is wrong, its problem is shown in place of the source.
    ///
    /// - Throws: `RequestError` if the API declares a server whose URL is wrong.
    private static func serverSetting(
        of api: CatalogueAPI, _ settings: Settings, _ context: CommandContext
    ) throws -> ShownSetting? {
        // This command has no option that chooses a server. A variable or the configuration may do so.
        let serverOption: CallServerName? = nil
        guard let choice = CallServerChoice(api, serverOption, settings, context) else {
            return api.servers.first.map { server in
                ShownSetting(name: "server", value: server.url, source: "default (\(server.name))")
            }
        }
        do {
            return ShownSetting(name: "server", value: try choice.base().text, source: choice.sourceText)
        } catch let error as UsageError {
            // The text of a wrong URL is not shown, because it may have a password.
            let value = choice.isURL ? "not a base URL" : choice.text
            return ShownSetting(name: "server", value: value, source: error.text)
        }
    }

    /// Returns a setting for each variable that may hold a credential of an API: whether it is set, and where its value
    /// comes from.
    ///
    /// If the source of a variable has failed, the reason is shown instead.
    private static func credentialSettings(of api: CatalogueAPI, _ settings: Settings) -> [ShownSetting] {
        let variables = settings.variables(of: api)
        return CredentialVariable.all(of: [api]).map { variable in
            let name = variable.name
            if variables.hasValue(name) {
                let source = variables.source(name)?.sentence ?? "variable"
                return ShownSetting(name: name, value: "set", source: source)
            }
            if settings.logins(of: api).isStored(name) {
                return ShownSetting(name: name, value: "set", source: "login")
            }
            let problem = variables.failure.map { "\($0.source.sentence): \($0.reason)" } ?? ""
            return ShownSetting(name: name, value: "not set", source: problem)
        }
    }
}

/// A setting as `config` shows it.
private struct ShownSetting {
    let name: String
    /// The value, or whether there is one if it is a secret.
    let value: String
    /// The place that the value comes from, or the reason why there is none.
    let source: String

    /// The setting as a row of a table.
    var row: [String] { [name, value, source] }
}

/// The output of `config`.
private struct SettingsReport {
    /// An API and its settings.
    struct API {
        let name: String
        let settings: [ShownSetting]
    }

    /// The path of the configuration file; nil if no variable says where it would be.
    let path: String?
    let fileExists: Bool
    let apis: [API]

    /// Returns the report for people: the path of the configuration file, and a table for each API.
    func text(_ table: Table) -> String {
        let tables = apis.map { api in
            "\n\(api.name)\n" + table.text(api.settings.map { $0.row.map(\.safeToShow) })
        }
        return "Configuration file: \(fileText)\n" + tables.joined()
    }

    /// The path of the configuration file, and whether it exists.
    private var fileText: String {
        guard let path else { return "none; HOME is not set" }
        return path.safeToShow + (fileExists ? "" : " (there is none)")
    }

    /// The report for programs:
    ///
    ///     {"version": 1, "file": "config.json", "apis": [{"name": "movies", "settings": [
    ///       {"name": "server", "value": "https://…", "source": "default (production)"}
    ///     ]}]}
    var json: JSONValue {
        var file = JSONValue.null
        if fileExists, let path { file = JSONValue(path) }
        let apiValues = apis.map { api -> JSONValue in
            let settings = api.settings.map { setting -> JSONValue in
                [
                    "name": JSONValue(setting.name), "value": JSONValue(setting.value),
                    "source": JSONValue(setting.source),
                ]
            }
            return ["name": JSONValue(api.name), "settings": JSONValue(settings)]
        }
        return ["version": 1, "file": file, "apis": JSONValue(apiValues)]
    }
}
