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
        let folder = environment.value("XDG_CONFIG_HOME") ?? environment.value("HOME").map { $0 + "/.config" }
        return folder.map { ("\($0)/\(context.tool)/config.json", false) }
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

    /// The options for calls of `api`, those of `table` only.
    func options(of api: any API.Type, in table: OptionTable<CallOptions>) -> [OptionWord] {
        let options = settings(of: api)?.options ?? [:]
        return options.sorted { $0.key < $1.key }.flatMap { name, value in
            guard let spec = table.specs.first(where: { $0.name == name }) else { return [OptionWord]() }
            return value.settingTexts.map {
                OptionWord(spec: spec, value: spec.placeholder == nil ? nil : $0, position: 0)
            }
        }
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
                "no endpoint of \(api.name) has a parameter '\(name)'" + Self.meant(name, parameters),
                at: place + [.key("parameters"), .key(name)])
        }
        for (name, source) in (settings.credentials ?? [:]).sorted(by: { $0.key < $1.key }) where source == .text {
            throw file.error(CredentialSource.refusal, at: place + [.key("credentials"), .key(name)])
        }
        let variables = CredentialVariable.all(of: [api]).map(\.name)
        for name in (settings.credentials ?? [:]).keys.sorted() where !variables.contains(name) {
            throw file.error(
                "\(api.name) has no credential '\(name)'" + Self.meant(name, variables),
                at: place + [.key("credentials"), .key(name)])
        }
    }

    /// Throws ``UsageError`` for an API that does not exist.
    func checkNames(_ registry: Registry) throws(UsageError) {
        let names = registry.apis.map { $0.name }
        for name in file.content.apis.keys.sorted() where !names.contains(name) {
            throw file.error("there is no API '\(name)'" + Self.meant(name, names), at: [.key("apis"), .key(name)])
        }
    }

    private static func meant(_ name: String, _ names: [String]) -> String {
        Nearest.match(name, in: names).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// Options that choose what a command does, or that have settings of their own.
    private static let notOptions = ["help", "help-all", "env", "base-url", "body", "json-errors", "env-file"]

    /// What is wrong with an option; nil if nothing is.
    private static func problem(option name: String, _ value: JSONValue) -> String? {
        let table = CallOptions.table
        let specs = table.specs.filter { !notOptions.contains($0.name) }
        guard let spec = specs.first(where: { $0.name == name }) else {
            return "'\(name)' is not an option for this file"
                + (notOptions.contains(name) ? "" : meant(name, specs.map(\.name)))
        }
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
