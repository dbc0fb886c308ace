import EndpointKit
import EndpointTools
import JSONText

/// The configuration file: settings for calls, so that commands need not repeat them.
struct Configuration: Sendable {
    /// The command that shows the help page about this file and about variables.
    static let help = "help config"

    /// The path of the file.
    let path: String
    /// The directory where relative paths in the file start.
    let directory: ConfigurationDirectory
    /// The settings for all APIs.
    private let general: CallSettings
    /// The settings for an API or a group of APIs, by its name.
    private let sections: [NamedSetting<CallSettings>]
    /// The OpenAPI documents that the file names.
    let documents: [ConfiguredDocument]
    /// The program that keeps logins, with its first arguments; nil if they are kept in files.
    let loginProgram: [String]?

    /// The path of the configuration file. There need not be a file.
    struct Location {
        let path: String
        /// Whether the variable `APICTL_CONFIG` names the path. Then it is an error if there is no file.
        let isNamed: Bool
    }

    /// Returns the path of the configuration file: the one in `APICTL_CONFIG`, or else `apictl/config.json` in
    /// `$XDG_CONFIG_HOME` or in `~/.config`.
    ///
    /// - Returns: The path; nil if none of these variables is set.
    static func location(_ context: CommandContext) -> Location? {
        let environment = context.environment
        if let path = environment.value(context.variableNames.configuration) {
            return Location(path: path, isNamed: true)
        }
        let homeConfiguration = environment.value("HOME").map { $0 + "/.config" }
        guard let directory = environment.value("XDG_CONFIG_HOME") ?? homeConfiguration else { return nil }
        return Location(path: "\(directory)/\(context.tool)/config.json", isNamed: false)
    }

    // MARK: Reading

    /// Reads the configuration file.
    ///
    /// Nil if there is no file at the standard path.
    ///
    /// - Throws: ``FileError`` for a file that can't be read, or that `APICTL_CONFIG` names although it does not
    ///   exist. ``UsageError`` with the place of what is wrong in the file.
    init?(_ context: CommandContext) throws {
        guard let location = Self.location(context), let bytes = try Self.bytes(at: location, context) else {
            return nil
        }
        let path = location.path
        let directory = ConfigurationDirectory(
            path: FilePlace.directory(of: path), home: context.environment.value("HOME"))
        var object = try SettingsObject(Self.document(bytes, path: path))
        try Self.checkVersion(&object, path: path)
        general = try CallSettings(&object, in: directory)
        let apiSections = try object.readMembers("apis") { _, place in
            try Self.section(place, in: directory)
        }
        let documentSections = try object.readMembers("documents") { name, place in
            try DocumentSection(name, place, in: directory)
        }
        loginProgram = try object.read("logins", Self.loginProgram)?.value
        try object.finish()
        self.path = path
        self.directory = directory
        documents = documentSections.map(\.value.document)
        sections =
            apiSections
            + documentSections.map { section in
                let setting = Setting(value: section.value.settings, place: section.place)
                return NamedSetting(name: section.name, setting: setting)
            }
    }

    /// Reads the bytes of a file.
    ///
    /// - Returns: The bytes; nil if there is no file at the standard path.
    /// - Throws: ``FileError`` for a file that can't be read, or that a variable names although it does not exist.
    private static func bytes(at location: Location, _ context: CommandContext) throws -> [UInt8]? {
        do {
            return try context.environment.files.readAll(location.path)
        } catch let error as FileError where location.isNamed {
            let reason = "\(error.reason); \(context.variableNames.configuration) names it"
            throw FileError(.read, location.path, reason: reason, isTimeout: error.isTimeout)
        } catch let error as FileError where error.isMissing {
            return nil
        }
    }

    /// Reads the program that keeps logins: `{"store": ["PROGRAM"]}`.
    private static func loginProgram(_ place: JSONPlace) throws -> [String] {
        var object = try SettingsObject(place)
        let program = try object.read("store") { place in
            let words = try place.json.elements?.map { try place.inner($0).string() } ?? []
            if words.first?.isEmpty != false {
                throw place.error("expected a list: the program and its first arguments")
            }
            return words
        }
        try object.finish()
        guard let program else { throw place.error(#"expected "store" with the program that keeps logins"#) }
        return program.value
    }

    /// Reads the settings of an API or a group of APIs.
    private static func section(
        _ place: JSONPlace, in directory: ConfigurationDirectory
    ) throws -> CallSettings {
        var object = try SettingsObject(place)
        let settings = try CallSettings(&object, in: directory)
        try object.finish()
        return settings
    }

    /// An OpenAPI document with the settings for its API.
    private struct DocumentSection {
        let document: ConfiguredDocument
        let settings: CallSettings

        /// Reads a member of `documents`.
        ///
        /// - Throws: ``UsageError`` with the place of what is wrong.
        init(_ name: String, _ place: JSONPlace, in directory: ConfigurationDirectory) throws {
            var object = try SettingsObject(place)
            let file = try object.read("file") { place in
                let text = try place.string { $0.isEmpty ? "expected a file or URL" : nil }
                // A URL stays as it is. A path is relative to the directory of the configuration file.
                return CalledURL.begins(text) ? text : directory.path(to: text)
            }
            guard let file else { throw place.error("expected \"file\" with the path or URL of the document") }
            settings = try CallSettings(&object, in: directory)
            try object.finish()
            let word = SourcedText(file.value, .configuration(file.place))
            document = ConfiguredDocument(name: name, source: DocumentSource(name: name, word))
        }
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

    /// Checks that the file has version 1, the only one that there is.
    ///
    /// - Throws: ``UsageError`` for another version, or if it is missing.
    private static func checkVersion(_ object: inout SettingsObject, path: String) throws {
        let version = try object.read("version") { place in
            if place.json.integer(Int.self) != 1 { throw place.error("expected version 1") }
        }
        if version == nil {
            let start = SourceLocation(file: path, line: 1, column: 1)
            throw UsageError("version is missing: expected \"version\": 1", see: help, at: start)
        }
    }

    // MARK: Settings

    /// Returns the settings that apply to an API.
    ///
    /// The API's own settings override those of its groups, and these override the settings for all APIs.
    ///
    /// - Parameter api: The API; nil returns the settings for all APIs.
    func settings(of api: CatalogueAPI?) -> CallSettings {
        guard let api else { return general }
        let covering = sections.filter { APIGroup.name($0.name, covers: api.name) }
        // The name of a group is shorter than those of its APIs, so the shortest name is the most general.
        let generalFirst = covering.sorted { $0.name.utf8.count < $1.name.utf8.count }
        return generalFirst.reduce(general) { $0.overridden(by: $1.value) }
    }
}

// MARK: - Checks of names

extension Configuration {
    /// Checks that the file names only APIs and groups that exist.
    ///
    /// - Throws: ``UsageError`` with the place of another name, and the nearest existing one.
    func checkNames(_ registry: APIRegistry) throws {
        let names = registry.apis.map { $0.name } + documents.map(\.name)
        for section in sections where !names.contains(where: { APIGroup.name(section.name, covers: $0) }) {
            let question = NearestWord.question(section.name, in: registry.names + documents.map(\.name))
            throw section.place.key.error("there is no API '\(section.name)'" + question)
        }
    }

    /// Checks that an API has the credentials and parameters for which its section of the file has settings.
    ///
    /// The name of the server is not checked here. An option or a variable may override it, and then it does not
    /// matter.
    ///
    /// - Throws: ``UsageError`` with the place of a name that the API does not have.
    func check(_ api: CatalogueAPI) throws {
        for section in sections where section.name == api.name { try check(section.value, for: [api], api.name) }
    }

    /// Checks all names of credentials and parameters in the file.
    ///
    /// - Throws: ``UsageError`` for a name that none of the section's APIs has.
    func checkAll(_ registry: APIRegistry) throws {
        try check(general, for: registry.apis, "an API")
        for section in sections {
            let apis = registry.apis.filter { APIGroup.name(section.name, covers: $0.name) }
            try check(section.value, for: apis, section.name)
        }
    }

    /// Checks the names of credentials and parameters in settings.
    ///
    /// - Parameters:
    ///   - apis: The APIs that the settings are for.
    ///   - owner: The words for the APIs in messages.
    /// - Throws: ``UsageError`` for a name that none of the APIs has.
    private func check(_ settings: CallSettings, for apis: [CatalogueAPI], _ owner: String) throws {
        // Only these settings have names to check. To learn the names of an API's parameters takes longer than
        // everything else in a short command.
        if settings.auth == nil, settings.parameters.isEmpty, settings.credentials.isEmpty { return }
        let declared = try DeclaredNames(apis)
        if let auth = settings.auth { try declared.check(auth) }
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

/// The names of parameters and credentials that APIs declare, and that settings may use.
private struct DeclaredNames {
    /// The names of the parameters of all endpoints.
    private(set) var parameters: Set<String> = []
    private var schemes: [Credential.Scheme] = []

    /// The variables of all credentials.
    var variables: [String] { schemes.flatMap { $0.variables + $0.optionalVariables } }

    /// Collects the names of APIs.
    init(_ apis: [CatalogueAPI]) throws {
        for api in apis {
            let declarations = try api.declarations()
            parameters.formUnion(declarations.flatMap(\.signature.parameters).map(\.name))
            schemes += CredentialVariable.credentials(of: api, declarations).flatMap(\.credential.alternatives)
        }
    }

    /// Checks the name of a credential.
    ///
    /// - Throws: ``UsageError`` for a name that no credential has.
    func check(_ auth: SourcedText) throws(UsageError) {
        if auth.value == CallOptions.noCredential || schemes.contains(where: { $0.isNamed(auth.value) }) { return }
        let names = schemes.map { $0.names[0] }.withoutRepetitions + [CallOptions.noCredential]
        let problem = "expected \(names.joinedAsAlternatives), got '\(auth.value)'"
        throw UsageError(problem, from: auth.source)
    }
}
