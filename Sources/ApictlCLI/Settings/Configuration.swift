import EndpointKit
import EndpointTools
import JSONText

/// The configuration file: what a person sets for each API once, instead of in every command.
struct Configuration: Sendable {
    private struct Content: Decodable, Sendable {
        let version: SettingsVersion
        let apis: [String: APISettings]
    }

    /// What is set for one API.
    struct APISettings: Decodable, Sendable {
        var server: String?
        /// Values of parameters that a command does not give, for every endpoint that has them.
        var parameters: [String: JSONValue]?
        /// Options of `call`, by their long names: `"max-time": "5s"`, `"insecure": true`, `"header": ["A: 1", "B: 2"]`.
        var options: [String: JSONValue]?
        /// Where the values of credentials come from, by the names of their variables.
        var credentials: [String: JSONValue]?
    }

    /// The help page about this file and what else sets variables.
    static let help = "help config"

    let path: String
    private let file: SettingsFile<Content>

    /// The path that `$APICTL_CONFIG` names, or else the standard one; nil if no variable leads to one.
    static func path(_ context: RunContext) -> (path: String, isNamed: Bool)? {
        let environment = context.environment
        if let path = environment.value(context.variableNames.configuration) { return (path, true) }
        let directory = environment.value("XDG_CONFIG_HOME") ?? environment.value("HOME").map { $0 + "/.config" }
        return directory.map { ("\($0)/\(context.tool)/config.json", false) }
    }

    /// Nil if there is no file and no variable names one. Throws ``UsageError`` and ``FileError``.
    init?(_ context: RunContext) throws {
        guard let (path, isNamed) = Self.path(context) else { return nil }
        self.path = path
        do {
            let bytes = try context.environment.files.readAll(path)
            file = try SettingsFile(Content.self, bytes, path: path, help: Self.help)
        } catch let error as FileError where isNamed {
            let reason = "\(error.reason); \(context.variableNames.configuration) names it"
            throw FileError(.read, path, reason: reason, isTimeout: error.isTimeout)
        } catch let error as FileError where error.isMissing {
            return nil
        }
    }

    func settings(of api: any API.Type) -> APISettings? { file.content.apis[api.name] }

    /// Where the values of each API's variables come from that are not set.
    var sources: [String: [String: CredentialSource]] {
        file.content.apis.mapValues { ($0.credentials ?? [:]).compactMapValues(CredentialSource.init) }
    }

    /// Sets the options of `api` that `table` has and no given one excludes. A header and a query item are replaced by a given one of the same
    /// name. Throws ``UsageError``.
    func add(
        to options: inout CallOptions, of api: any API.Type, in table: OptionTable<CallOptions>
    ) throws(UsageError) {
        let given = options
        options.headers = []
        options.query = []
        options.configured = []
        for (name, value) in (settings(of: api)?.options ?? [:]).sorted(by: { $0.key < $1.key }) {
            let given = given.common.given
            let others = Self.separators[name] == nil ? given : given.filter { $0 != name }
            guard !others.contains(name), !options.common.off.contains(name), table.allows(name, beside: others),
                let spec = table[name]?.spec
            else { continue }
            let set = options.common.given
            if value.bool != false, let other = set.first(where: { !table.allows(name, beside: [$0]) }) {
                throw error(UsageError.conflict("--" + other, "--" + name).text, api, "options", name)
            }
            for (index, text) in value.settingTexts.enumerated() {
                let place = error("", api, "options", name, index: value.elements.map { _ in index }).text
                options.configured.append(ConfiguredValue(option: name, text: text, place: place))
                try table.apply(spec, value: text, position: -options.configured.count, to: &options)
            }
        }
        func isGiven(_ word: Word, _ others: [Word], _ separators: String) -> Bool {
            func name(_ word: Word) -> String { word.text.prefix { !separators.contains($0) }.lowercased() }
            return others.contains { name($0) == name(word) }
        }
        options.headers = options.headers.filter { !isGiven($0, given.headers, ":;") } + given.headers
        options.query = options.query.filter { !isGiven($0, given.query, "=") } + given.query
    }

    /// The options of which each value has a name, which ends at this character.
    private static let separators: [String: Character] = ["header": ":", "query": "="]

    /// The error about what these keys, and the place in a list, lead to in the settings of `api`.
    func error(_ problem: String, _ api: any API.Type, _ keys: String..., index: Int? = nil) -> UsageError {
        file.error(problem, at: (["apis", api.name] + keys).map { .key($0) } + (index.map { [.index($0)] } ?? []))
    }

    /// Throws ``UsageError`` for a setting of `api` that would have no effect or fail. The server is not among them: others may overrule it.
    func check(_ api: any API.Type) throws {
        guard let settings = settings(of: api) else { return }
        for (name, value) in (settings.options ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let problem = Self.problem(option: name, value) else { continue }
            let index = value.elements?.firstIndex { Self.problem(option: name, $0) != nil }
            throw error(problem, api, "options", name, index: index)
        }
        let schemes = CredentialVariable.credentials(of: api).flatMap(\.credential.alternatives)
        if let auth = settings.options?["auth"]?.settingTexts.first, auth != CallOptions.noCredential,
            !schemes.contains(where: { $0.isNamed(auth) })
        {
            let known = (schemes.map { $0.names[0] }.withoutRepetitions + [CallOptions.noCredential])
            let expected = known.joined(separator: " or ")
            let problem = UsageError.invalidValue(option: "--auth", value: auth, expected: expected, position: nil)
            throw error(problem.text, api, "options", "auth")
        }
        let parameters = try EndpointDeclaration.all(of: api).flatMap(\.signature.parameters).map(\.name)
        for name in (settings.parameters ?? [:]).keys.sorted() where !parameters.contains(name) {
            let problem = "no endpoint of \(api.name) has a parameter '\(name)'"
            throw error(problem + Nearest.question(name, in: parameters), api, "parameters", name)
        }
        let variables = CredentialVariable.all(of: [api]).map(\.name)
        for (name, source) in (settings.credentials ?? [:]).sorted(by: { $0.key < $1.key }) {
            if CredentialSource(source) == nil {
                throw error(CredentialSource.problem(source), api, "credentials", name)
            }
            if variables.contains(name) { continue }
            let problem = "\(api.name) has no credential '\(name)'" + Nearest.question(name, in: variables)
            throw error(problem, api, "credentials", name)
        }
    }

    func checkNames(_ registry: Registry) throws(UsageError) {
        let names = registry.apis.map { $0.name }
        for name in file.content.apis.keys.sorted() where !names.contains(name) {
            let problem = "there is no API '\(name)'" + Nearest.question(name, in: names)
            throw file.error(problem, at: [.key("apis"), .key(name)])
        }
    }

    private static func problem(option name: String, _ value: JSONValue) -> String? {
        let table = CallOptions.table
        guard let option = table[name], option.spec.isConfigurable else {
            let names = table.specs.filter(\.isConfigurable).map(\.name)
            return "'\(name)' is not an option for this file"
                + (table[name] == nil ? Nearest.question(name, in: names) : "")
        }
        if option.spec.placeholder == nil, value.bool == nil {
            return "\(option.spec.flag) takes no value: expected true or false"
        }
        if value.settingTexts.isEmpty || option.spec.placeholder != nil && value.bool != nil {
            return "expected a string, a number, or a list of strings and numbers"
        }
        if let end = separators[name],
            value.settingTexts.contains(where: { SecretName.isCredential(String($0.prefix { $0 != end })) })
        {
            return "a secret must not be in this file; name a variable, a file or a command under credentials"
        }
        let texts = value.settingTexts
        func set(_ texts: [String]) throws(UsageError) -> CallOptions {
            var options = CallOptions()
            // Several selections are for rows.
            options.selection.rowStyle = .table
            for text in texts { try table.apply(option.spec, value: text, position: 0, to: &options) }
            return options
        }
        do throws(UsageError) {
            let options = try set(texts)
            // A second value replaces the first.
            if value.elements != nil, let first = texts.first, try set([first, first]) == set([first]) {
                return "\(option.spec.flag) takes one value, not a list"
            }
            _ = (try options.additions(), try options.selection.view())
            if let format = options.writeOut, format.file == nil { _ = try WriteOut(format.text, position: 0) }
            return nil
        } catch {
            return error.text
        }
    }
}

/// A value that the configuration has set.
struct ConfiguredValue: Sendable, Equatable {
    let option: String
    let text: String
    /// How a message about it begins: `FILE:LINE:COLUMN: `.
    let place: String
}

extension CallOptions {
    /// What `body` returns. An error about an option, or about the file that it names, gets its place if only the configuration has set it.
    func placing<Result>(_ body: () throws -> Result) throws -> Result {
        var found: ConfiguredValue?
        do {
            return try body()
        } catch let error as UsageError where error.see == nil {
            // What follows a colon may be about other options.
            let words = error.text.prefix { $0 != ":" }.split(separator: " ")
            found =
                configured.enumerated().first { -$0.offset - 1 == error.position }?.element
                ?? configured.first { words.contains("--" + $0.option) }
            throw found.map { UsageError($0.place + error.text, see: Configuration.help) } ?? error
        } catch let error as FileError where !error.isTimeout {
            // Of a certificate, what may be a passphrase is not in the error.
            found = configured.first {
                [error.path, "@" + error.path].contains($0.text)
                    || error.path.hasSuffix(":…") && $0.text.hasPrefix(error.path.dropLast())
            }
            throw found.map { UsageError($0.place + error.description, see: Configuration.help) } ?? error
        }
    }
}

extension JSONValue {
    /// The texts of a setting: a string, number or boolean, or a list of strings and numbers; none if it is something else.
    fileprivate var settingTexts: [String] {
        switch content {
        case .string(let text), .number(let text): return [text]
        case .bool(let value): return ["\(value)"]
        case .array(let elements):
            let texts = elements.flatMap { $0.elements == nil && $0.bool == nil ? $0.settingTexts : [] }
            return texts.count == elements.count ? texts : []
        case .null, .object: return []
        }
    }
}
