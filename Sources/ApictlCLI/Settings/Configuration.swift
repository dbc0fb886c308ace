import EndpointKit
import JSONText

/// The configuration file as read, and what it says about each API.
struct Configuration: Sendable {
    /// The file's path.
    let path: String
    private let file: SettingsFile<ConfigurationFile>

    /// The path that `$APICTL_CONFIG` names, or else the standard one; nil if no variable leads to one.
    static func path(_ context: RunContext) -> (path: String, isNamed: Bool)? {
        let environment = context.environment
        if let path = environment.value(context.variableNames.configuration) { return (path, true) }
        let directory = environment.value("XDG_CONFIG_HOME") ?? environment.value("HOME").map { $0 + "/.config" }
        return directory.map { ("\($0)/\(context.tool)/config.json", false) }
    }

    /// The configuration; nil without a file, unless a variable names it. Throws ``UsageError`` and ``FileError``.
    static func load(_ context: RunContext) throws -> Configuration? {
        guard let (path, isNamed) = path(context) else { return nil }
        do {
            let file = try SettingsFile(ConfigurationFile.self, path: path, context.environment.files)
            return Configuration(path: path, file: file)
        } catch let error as FileError where error.isMissing && !isNamed {
            return nil
        }
    }

    /// What is set for `api`.
    func settings(of api: any API.Type) -> ConfigurationFile.Settings? { file.content.apis[api.name] }

    /// Where the value of each variable comes from that is not set.
    var sources: [String: CredentialSource] {
        file.content.apis.values.reduce(into: [:]) { all, settings in
            all.merge(settings.credentials ?? [:]) { one, _ in one }
        }
    }

    /// Sets the options of `api` that `table` has and no given one excludes. A header and a query item are replaced by a given one of the same
    /// name. Throws ``UsageError``.
    func add(
        to options: inout CallOptions, of api: any API.Type, in table: OptionTable<CallOptions>
    ) throws(UsageError) {
        let given = options
        options.headers = []
        options.query = []
        for (name, value) in (settings(of: api)?.options ?? [:]).sorted(by: { $0.key < $1.key }) {
            let isList = ["header", "query"].contains(name)
            let others = isList ? given.common.given.filter { $0 != name } : given.common.given
            guard let spec = table[name]?.spec, table.allows(name, beside: others), isList || !others.contains(name)
            else { continue }
            for text in value.settingTexts {
                try table.apply(spec, value: spec.placeholder == nil ? nil : text, position: 0, to: &options)
            }
        }
        func isGiven(_ text: String, _ others: [String], _ end: (Character) -> Bool) -> Bool {
            let name = text.prefix { !end($0) }.lowercased()
            return others.contains { $0.prefix { !end($0) }.lowercased() == name }
        }
        options.headers.removeAll { isGiven($0, given.headers) { $0 == ":" || $0 == ";" } }
        options.query.removeAll { isGiven($0, given.query) { $0 == "=" } }
        options.headers += given.headers
        options.query += given.query
    }

    /// The error that the value of a parameter does not fit.
    func error(parameter name: String, of api: any API.Type, _ problem: String) -> UsageError {
        file.error(problem, at: [.key("apis"), .key(api.name), .key("parameters"), .key(name)])
    }

    /// Throws ``UsageError`` for a setting of `api` that would have no effect or fail.
    func check(_ api: any API.Type) throws {
        guard let settings = settings(of: api) else { return }
        let place: [JSONPathComponent] = [.key("apis"), .key(api.name)]
        if let server = settings.server, !server.contains("://"), !api.servers.contains(where: { $0.name == server }) {
            let names = api.servers.map(\.name)
            throw file.error(
                "\(api.name) has no server '\(server)', only \(names.joined(separator: ", "))",
                at: place + [.key("server")])
        }
        for (name, value) in (settings.options ?? [:]).sorted(by: { $0.key < $1.key }) {
            if let problem = Self.problem(option: name, value) {
                throw file.error(problem, at: place + [.key("options"), .key(name)])
            }
        }
        let declarations = try EndpointDeclaration.all(of: api)
        let parameters = declarations.flatMap(\.signature.parameters).map(\.name)
        for name in (settings.parameters ?? [:]).keys.sorted() where !parameters.contains(name) {
            throw file.error(
                "no endpoint of \(api.name) has a parameter '\(name)'" + Nearest.question(name, in: parameters),
                at: place + [.key("parameters"), .key(name)])
        }
        for (name, source) in (settings.credentials ?? [:]).sorted(by: { $0.key < $1.key }) where source == .text {
            throw file.error(CredentialSource.refusal, at: place + [.key("credentials"), .key(name)])
        }
        let variables = CredentialVariable.all(of: [api]).map(\.name)
        for name in (settings.credentials ?? [:]).keys.sorted() where !variables.contains(name) {
            throw file.error(
                "\(api.name) has no credential '\(name)'" + Nearest.question(name, in: variables),
                at: place + [.key("credentials"), .key(name)])
        }
    }

    /// Throws ``UsageError`` for an API that does not exist.
    func checkNames(_ registry: Registry) throws(UsageError) {
        let names = registry.apis.map { $0.name }
        for name in file.content.apis.keys.sorted() where !names.contains(name) {
            throw file.error(
                "there is no API '\(name)'" + Nearest.question(name, in: names), at: [.key("apis"), .key(name)])
        }
    }

    /// What is wrong with an option; nil if nothing is.
    private static func problem(option name: String, _ value: JSONValue) -> String? {
        let table = CallOptions.table
        guard let option = table[name], option.spec.isConfigurable else {
            let names = table.specs.filter(\.isConfigurable).map(\.name)
            return "'\(name)' is not an option for this file"
                + (table[name] == nil ? Nearest.question(name, in: names) : "")
        }
        let spec = option.spec
        if spec.placeholder == nil, value.bool != true { return "\(spec.flag) takes no value: expected true" }
        if value.settingTexts.isEmpty { return "expected a text, a number or a list of them" }
        var scratch = CallOptions()
        for text in value.settingTexts {
            let separator: Character? = name == "header" ? ":" : name == "query" ? "=" : nil
            if let separator, SecretName.isCredential(String(text.prefix { $0 != separator })) {
                return "a secret must not be in this file; name a variable, a file or a command under credentials"
            }
            do {
                try table.apply(spec, value: spec.placeholder == nil ? nil : text, position: 0, to: &scratch)
            } catch {
                return error.text
            }
        }
        return nil
    }
}

extension JSONValue {
    /// The texts of a setting: a string, number or `true`, or a list of them.
    fileprivate var settingTexts: [String] {
        switch content {
        case .string(let text), .number(let text): [text]
        case .bool(let value): value ? ["true"] : []
        case .array(let elements): elements.flatMap { $0.elements == nil ? $0.settingTexts : [] }
        case .null, .object: []
        }
    }
}

/// The configuration file: what a person sets for each API once, instead of in every command.
struct ConfigurationFile: Decodable, Sendable {
    /// The only version there is.
    enum Version: Int, Decodable, Sendable, CaseIterable { case first = 1 }

    /// What is set for one API.
    struct Settings: Decodable, Sendable {
        /// The name of a server, or a base URL.
        var server: String?
        /// Values of parameters that a command does not give, for every endpoint that has them.
        var parameters: [String: JSONValue]?
        /// Options of `call`, by their long names: `"max-time": "5s"`, `"insecure": true`, `"header": ["A: 1", "B: 2"]`.
        var options: [String: JSONValue]?
        /// Where the values of credentials come from, by the names of their variables.
        var credentials: [String: CredentialSource]?
    }

    let version: Version
    /// The settings of each API, by its name.
    let apis: [String: Settings]
}
