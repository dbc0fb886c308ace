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

    /// The path of the configuration file, whether there is a file or not.
    struct Location {
        let path: String
        /// Whether the variable `APICTL_CONFIG` names the path. Then it is an error if there is no file.
        let isNamed: Bool
    }

    /// Returns where the configuration file is: at the path in `APICTL_CONFIG`, or else at `apictl/config.json` in
    /// `$XDG_CONFIG_HOME` or in `~/.config`.
    ///
    /// - Returns: The path, and whether `APICTL_CONFIG` names it. Nil if neither these variables nor `HOME` are set.
    static func location(_ context: CommandContext) -> Location? {
        let environment = context.environment
        if let path = environment.value(context.variableNames.configuration) {
            return Location(path: path, isNamed: true)
        }
        let defaultDirectory = environment.value("HOME").map { $0 + "/.config" }
        guard let directory = environment.value("XDG_CONFIG_HOME") ?? defaultDirectory else { return nil }
        return Location(path: "\(directory)/\(context.tool)/config.json", isNamed: false)
    }

    // MARK: Reading

    /// Reads the configuration file. Nil if there is no file at the standard path.
    ///
    /// - Throws: ``FileError`` for a file that can't be read, or that `APICTL_CONFIG` names although it does not
    ///   exist. ``UsageError`` with the place of what is wrong in the file.
    init?(_ context: CommandContext) throws {
        guard let location = Self.location(context), let bytes = try Self.readBytes(at: location, context) else {
            return nil
        }
        path = location.path
        directory = ConfigurationDirectory(
            path: FilePlace.directory(of: location.path), home: context.environment.value("HOME"))
        let root = try Self.parse(bytes, path: location.path)
        var object = try SettingsObject(root)
        try Self.readVersion(&object, path: location.path)
        general = try CallSettings(&object, in: directory)
        let apiSections = try object.readMembers("apis") { [directory] _, section in
            try Self.readSection(section, in: directory)
        }
        let documentSections = try object.readMembers("documents") { [directory] name, section in
            try DocumentSection(named: name, from: section, in: directory)
        }
        loginProgram = try object.read("logins", Self.readLoginProgram(from:))?.value
        try object.finish()
        documents = documentSections.map(\.value.document)
        let settingsOfDocuments = documentSections.map { section in
            let settings = Setting(value: section.value.settings, place: section.place)
            return NamedSetting(name: section.name, setting: settings)
        }
        sections = apiSections + settingsOfDocuments
    }

    /// Reads the bytes of the file.
    ///
    /// - Returns: The bytes; nil if there is no file at the standard path.
    /// - Throws: ``FileError`` for a file that can't be read, or that a variable names although it does not exist.
    private static func readBytes(at location: Location, _ context: CommandContext) throws -> [UInt8]? {
        do {
            return try context.environment.files.readAll(location.path)
        } catch let error as FileError where location.isNamed {
            let reason = "\(error.reason); \(context.variableNames.configuration) names it"
            throw FileError(.read, location.path, reason: reason, isTimeout: error.isTimeout)
        } catch let error as FileError where error.isMissing {
            return nil
        }
    }

    /// Parses the text of the file as JSON.
    ///
    /// - Throws: ``UsageError`` with the place of a syntax error.
    private static func parse(_ bytes: [UInt8], path: String) throws -> JSONPlace {
        do {
            return JSONPlace(file: path, json: JSONValue(try JSONDocument(bytes)), help: help)
        } catch let error as JSONSyntaxError {
            let location = SourceLocation(file: path, line: error.line, column: error.column)
            throw UsageError(error.problem, see: help, at: location)
        }
    }

    /// Reads the member `version`, which must be 1. There is no other version so far.
    ///
    /// - Throws: ``UsageError`` for another version, or if there is none.
    private static func readVersion(_ object: inout SettingsObject, path: String) throws {
        let version = try object.read("version") { $0.json.integer(Int.self) }
        guard let version else {
            let start = SourceLocation(file: path, line: 1, column: 1)
            throw UsageError("version is missing: expected \"version\": 1", see: help, at: start)
        }
        if version.value != 1 { throw version.place.error("expected version 1") }
    }

    /// Reads the program that keeps logins, with its first arguments, from the value of `logins`:
    /// `{"store": ["PROGRAM"]}`.
    ///
    /// - Throws: ``UsageError`` if the value is no such object, or if the list names no program.
    private static func readLoginProgram(from value: JSONPlace) throws -> [String] {
        var object = try SettingsObject(value)
        let program = try object.read("store") { list in
            let words = try list.json.elements?.map { try list.inner($0).string() } ?? []
            let hasProgram = words.first?.isEmpty == false
            guard hasProgram else { throw list.error("expected a list: the program and its first arguments") }
            return words
        }
        try object.finish()
        guard let program else { throw value.error(#"expected "store" with the program that keeps logins"#) }
        return program.value
    }

    /// Reads the settings of an API or a group of APIs from its object in `apis`.
    ///
    /// - Throws: ``UsageError`` with the place of a wrong value or an unknown key.
    private static func readSection(
        _ section: JSONPlace, in directory: ConfigurationDirectory
    ) throws -> CallSettings {
        var object = try SettingsObject(section)
        let settings = try CallSettings(&object, in: directory)
        try object.finish()
        return settings
    }

    /// An OpenAPI document with the settings for its API.
    private struct DocumentSection {
        let document: ConfiguredDocument
        let settings: CallSettings

        /// Reads the member of `documents` with a name, which is the name of the document's API.
        ///
        /// - Throws: ``UsageError`` with the place of what is wrong.
        init(named name: String, from section: JSONPlace, in directory: ConfigurationDirectory) throws {
            var object = try SettingsObject(section)
            let source = try object.read("file") { value in
                let text = try value.string { $0.isEmpty ? "expected a file or URL" : nil }
                // A URL stays as it is. A path is relative to the directory of the configuration file.
                return CalledURL.begins(text) ? text : directory.path(to: text)
            }
            guard let source else { throw section.error("expected \"file\" with the path or URL of the document") }
            settings = try CallSettings(&object, in: directory)
            try object.finish()
            document = ConfiguredDocument(name: name, source: DocumentSource(name: name, source.sourced))
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
        let coveringSections = sections.filter { APIGroup.name($0.name, covers: api.name) }
        // The name of a group is shorter than those of its APIs, so the shortest name is the most general.
        let generalFirst = coveringSections.sorted { $0.name.utf8.count < $1.name.utf8.count }
        return generalFirst.reduce(general) { $0.overridden(by: $1.value) }
    }
}

// MARK: - Checks of names

extension Configuration {
    /// Checks that the file names only APIs and groups that exist. The API `kinto.buckets` is in the group `kinto`.
    ///
    /// - Throws: ``UsageError`` with the place of another name, and the nearest existing one.
    func checkSectionNames(_ registry: APIRegistry) throws {
        let existingNames = registry.apis.map { $0.name } + documents.map(\.name)
        for section in sections {
            let isAPIOrGroup = existingNames.contains { APIGroup.name(section.name, covers: $0) }
            if isAPIOrGroup { continue }
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
    func checkDeclaredNames(of api: CatalogueAPI) throws {
        for section in sections where section.name == api.name {
            try requireDeclaredNames(in: section.value, of: [api], ownerText: api.name)
        }
    }

    /// Checks all names of credentials and parameters in the file.
    ///
    /// - Throws: ``UsageError`` for a name that none of the section's APIs has.
    func checkAllDeclaredNames(_ registry: APIRegistry) throws {
        try requireDeclaredNames(in: general, of: registry.apis, ownerText: "an API")
        for section in sections {
            let apis = registry.apis.filter { APIGroup.name(section.name, covers: $0.name) }
            try requireDeclaredNames(in: section.value, of: apis, ownerText: section.name)
        }
    }

    /// Checks that APIs declare the credentials and parameters that settings name.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - apis: The APIs that the settings are for.
    ///   - ownerText: The words for these APIs in messages, such as `movies`.
    /// - Throws: ``UsageError`` for a name that none of the APIs has.
    private func requireDeclaredNames(
        in settings: CallSettings, of apis: [CatalogueAPI], ownerText: String
    ) throws {
        // Only these settings have names to check. Without them, the declared names are not collected, because that
        // takes longer than everything else in a short command.
        let hasNames = settings.auth != nil || !settings.parameters.isEmpty || !settings.credentials.isEmpty
        guard hasNames else { return }
        let declared = try DeclaredNames(apis)
        if let auth = settings.auth { try declared.checkCredentialName(auth) }
        for parameter in settings.parameters where !declared.parameters.contains(parameter.name) {
            let question = NearestWord.question(parameter.name, in: declared.parameters)
            throw parameter.place.key.error(
                "no endpoint of \(ownerText) has a parameter '\(parameter.name)'" + question)
        }
        // The key of a credential is the name of its variable.
        for credential in settings.credentials where !declared.credentialVariables.contains(credential.name) {
            let question = NearestWord.question(credential.name, in: declared.credentialVariables)
            throw credential.place.key.error("\(ownerText) has no credential '\(credential.name)'" + question)
        }
    }
}

/// The names of parameters and credentials that APIs declare, and that settings may use.
private struct DeclaredNames {
    /// The names of the parameters of all endpoints.
    private(set) var parameters: Set<String> = []
    /// The ways to send each credential.
    private var schemes: [Credential.Scheme] = []

    /// The variables of all credentials.
    var credentialVariables: [String] { schemes.flatMap { $0.variables + $0.optionalVariables } }

    /// Collects the names of APIs.
    ///
    /// - Throws: `NotAnEnumCase` for an API whose enum implements `Codable` by hand, which hides its cases.
    init(_ apis: [CatalogueAPI]) throws {
        for api in apis {
            let declarations = try api.declarations()
            parameters.formUnion(declarations.flatMap(\.signature.parameters).map(\.name))
            let credentials = CredentialVariable.credentials(of: api, endpoints: declarations)
            schemes += credentials.flatMap(\.credential.alternatives)
        }
    }

    /// Checks that a value of `auth` names one of the credentials, or is the word that chooses none.
    ///
    /// - Throws: ``UsageError`` with the expected names.
    func checkCredentialName(_ auth: SourcedText) throws(UsageError) {
        let isKnown = schemes.contains { $0.isNamed(auth.value) }
        if isKnown || auth.value == CallOptions.noCredential { return }
        let names = schemes.map { $0.names[0] }.withoutRepetitions + [CallOptions.noCredential]
        let problem = "expected \(names.joinedAsAlternatives), got '\(auth.value)'"
        throw UsageError(problem, from: auth.source)
    }
}
