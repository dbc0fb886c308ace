import EndpointKit
import EndpointTools
import JSONText

/// The configuration file: settings that count for every call, so that no command has to repeat them.
struct Configuration: Sendable {
    /// The help page about this file and what else sets variables.
    static let help = "help config"

    let path: String
    let directory: ConfigurationDirectory
    /// The settings for all APIs.
    private let general: CallSettings
    /// The settings of APIs and groups of APIs, by their names.
    private var sections: [NamedSetting<CallSettings>]
    /// The OpenAPI documents that the file names.
    let documents: [ConfiguredDocument]

    /// Returns the path that `$APICTL_CONFIG` names, or else the standard one; nil if no variable leads to one.
    static func path(_ context: CommandContext) -> (path: String, isNamed: Bool)? {
        let environment = context.environment
        if let path = environment.value(context.variableNames.configuration) { return (path, true) }
        let directory = environment.value("XDG_CONFIG_HOME") ?? environment.value("HOME").map { $0 + "/.config" }
        return directory.map { ("\($0)/\(context.tool)/config.json", false) }
    }

    /// Reads the file; nil if there is none and no variable names one.
    ///
    /// - Throws: ``FileError`` if the file can't be read, ``UsageError`` with the place of what is wrong in it.
    init?(_ context: CommandContext) throws {
        guard let (path, isNamed) = Self.path(context) else { return nil }
        let bytes: [UInt8]
        do {
            bytes = try context.environment.files.readAll(path)
        } catch let error as FileError where isNamed {
            let reason = "\(error.reason); \(context.variableNames.configuration) names it"
            throw FileError(.read, path, reason: reason, isTimeout: error.isTimeout)
        } catch let error as FileError where error.isMissing {
            return nil
        }
        self.path = path
        directory = ConfigurationDirectory(
            path: FilePlace.directory(of: path), home: context.environment.value("HOME"))
        var object = try SettingsObject(Self.document(bytes, path: path))
        try Self.checkVersion(&object, path: path)
        general = try CallSettings(&object, in: directory)
        sections = try object.readMembers("apis") { [directory] _, place in
            var object = try SettingsObject(place)
            let settings = try CallSettings(&object, in: directory)
            try object.finish()
            return settings
        }
        let documentSettings = try object.readMembers("documents") { [directory] name, place in
            try Self.document(name, place, in: directory)
        }
        documents = documentSettings.map(\.value.document)
        sections += documentSettings.map { setting in
            NamedSetting(
                name: setting.name, setting: Setting(value: setting.value.settings, place: setting.place))
        }
        try object.finish()
    }

    /// Reads a document with the settings for its API.
    private static func document(
        _ name: String, _ place: JSONPlace, in directory: ConfigurationDirectory
    ) throws -> (document: ConfiguredDocument, settings: CallSettings) {
        var object = try SettingsObject(place)
        let file = try object.read("file") { place in
            let text = try place.string { $0.isEmpty ? "expected a file or URL" : nil }
            return CalledURL.begins(text) ? text : directory.path(to: text)
        }
        guard let file else { throw place.error("expected \"file\" with the path or URL of the document") }
        let settings = try CallSettings(&object, in: directory)
        try object.finish()
        let word = SourcedText(file.value, .configuration(file.place))
        return (ConfiguredDocument(name: name, source: DocumentSource(name: name, word)), settings)
    }

    /// Parses the text of the file.
    private static func document(_ bytes: [UInt8], path: String) throws -> JSONPlace {
        do {
            return JSONPlace(file: path, json: JSONValue(try JSONDocument(bytes)), help: help)
        } catch let error as JSONSyntaxError {
            let location = SourceLocation(file: path, line: error.line, column: error.column)
            throw UsageError(error.problem, see: help, at: location)
        }
    }

    /// Checks that the file has the only version that there is.
    private static func checkVersion(_ object: inout SettingsObject, path: String) throws {
        let version = try object.read("version") { place in
            if place.json.integer(Int.self) != 1 { throw place.error("expected version 1") }
        }
        if version == nil {
            let start = SourceLocation(file: path, line: 1, column: 1)
            throw UsageError("version is missing: expected \"version\": 1", see: help, at: start)
        }
    }

    /// Checks that there are the APIs and groups that the file names.
    ///
    /// - Throws: ``UsageError`` for a name that is none of them.
    func checkNames(_ registry: APIRegistry) throws {
        let names = registry.apis.map { $0.name } + documents.map(\.name)
        for section in sections where !names.contains(where: { APIGroup.name(section.name, covers: $0) }) {
            let question = NearestWord.question(section.name, in: registry.names + documents.map(\.name))
            throw section.place.key.error("there is no API '\(section.name)'" + question)
        }
    }

    /// Returns the settings that count for `api`.
    ///
    /// Its own settings override those of its groups, which override the settings for all APIs.
    ///
    /// - Parameter api: The API; nil returns the settings for all APIs.
    func settings(of api: CatalogueAPI?) -> CallSettings {
        guard let api else { return general }
        return sections.filter { APIGroup.name($0.name, covers: api.name) }
            .sorted { $0.name.utf8.count < $1.name.utf8.count }
            .reduce(general) { $0.overridden(by: $1.value) }
    }
}

extension Configuration {
    /// Checks that `api` has the credentials and parameters that the file names under it.
    ///
    /// The name of the server is not checked, because an option or a variable may overrule it.
    ///
    /// - Throws: ``UsageError`` for a name that the API does not have.
    func check(_ api: CatalogueAPI) throws {
        for section in sections where section.name == api.name { try check(section.value, for: [api], api.name) }
    }

    /// Checks all names of credentials and parameters in the file.
    ///
    /// - Throws: ``UsageError`` for a name that none of the APIs has for which it counts.
    func checkAll(_ registry: APIRegistry) throws {
        try check(general, for: registry.apis, "an API")
        for section in sections {
            let apis = registry.apis.filter { APIGroup.name(section.name, covers: $0.name) }
            try check(section.value, for: apis, section.name)
        }
    }

    /// Checks the names of credentials and parameters in `settings`.
    ///
    /// - Parameter owner: The name of the APIs in messages.
    /// - Throws: ``UsageError`` for a name that none of `apis` has.
    private func check(_ settings: CallSettings, for apis: [CatalogueAPI], _ owner: String) throws {
        // To learn the names takes longer than all the rest of a short command.
        if settings.auth == nil, settings.parameters.isEmpty, settings.credentials.isEmpty { return }
        let declared = try DeclaredNames(apis)
        if let auth = settings.auth, auth.value != CallOptions.noCredential,
            !declared.schemes.contains(where: { $0.isNamed(auth.value) })
        {
            let names = declared.schemes.map { $0.names[0] }.withoutRepetitions + [CallOptions.noCredential]
            let problem = "expected \(names.joined(separator: " or ")), got '\(auth.value)'"
            throw UsageError(problem, from: auth.source)
        }
        for parameter in settings.parameters where !declared.parameters.contains(parameter.name) {
            let question = NearestWord.question(parameter.name, in: declared.parameters)
            throw parameter.place.key.error("no endpoint of \(owner) has a parameter '\(parameter.name)'" + question)
        }
        for credential in settings.credentials where !declared.variables.contains(credential.name) {
            let question = NearestWord.question(credential.name, in: declared.variables)
            throw credential.place.key.error("\(owner) has no credential '\(credential.name)'" + question)
        }
    }
}

/// The names that the settings of APIs may use.
private struct DeclaredNames {
    /// The names of the parameters of all endpoints.
    var parameters: Set<String> = []
    var schemes: [Credential.Scheme] = []
    /// The variables of all credentials.
    var variables: [String] { schemes.flatMap(\.variables) }

    /// Learns each API once.
    init(_ apis: [CatalogueAPI]) throws {
        for api in apis {
            let declarations = try api.declarations()
            parameters.formUnion(declarations.flatMap(\.signature.parameters).map(\.name))
            schemes += CredentialVariable.credentials(of: api, declarations).flatMap(\.credential.alternatives)
        }
    }
}
