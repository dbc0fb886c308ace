import EndpointKit
import EndpointTools
import Synchronization

/// The configuration file and the variables of a command, which are read once.
struct Settings: Sendable {
    /// The configuration file; nil if there is none.
    @Indirect private(set) var configuration: Configuration?
    /// The variables of those APIs for which the configuration names sources of credentials, by the names of the
    /// APIs.
    private let variablesWithSources: [String: Variables]
    /// The variables of all other APIs, which have no sources.
    fileprivate let sharedVariables: Variables
    /// Keeps the results of logins: in files, or with the program that the configuration names.
    fileprivate let loginStore: any LoginStore
    /// The logins of APIs, which are found when the first call needs them.
    private let knownLogins: KnownLogins

    /// Reads the configuration and the files of `--env-file`.
    ///
    /// - Parameter environmentFiles: The files. If several set a variable, the last one counts.
    /// - Throws: ``UsageError`` for a file that is wrong, and ``FileError`` for one that can't be read.
    init(_ context: CommandContext, environmentFiles: [SourcedText] = []) throws {
        let environment = context.environment
        let configuration = try context.configuration.get()
        let fileVariables = try Self.readVariables(in: environmentFiles, environment)
        self.configuration = configuration
        if let configuration {
            variablesWithSources = Self.makeVariablesWithSources(of: configuration, context, files: fileVariables)
        } else {
            variablesWithSources = [:]
        }
        sharedVariables = Variables(environment, files: fileVariables)
        if let program = configuration?.loginProgram {
            loginStore = environment.logins.keepingValues(in: program)
        } else {
            loginStore = environment.logins
        }
        knownLogins = KnownLogins(environment, loginStore)
    }

    /// Makes the variables of those APIs for which a configuration names sources of credentials.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - context: The context of the command, with all APIs.
    ///   - fileVariables: The variables of `--env-file`.
    /// - Returns: The variables by the names of the APIs.
    private static func makeVariablesWithSources(
        of configuration: Configuration, _ context: CommandContext, files fileVariables: [String: String]
    ) -> [String: Variables] {
        var variablesByAPI: [String: Variables] = [:]
        for api in context.registry.apis {
            let credentials = configuration.settings(of: api).credentials
            if credentials.isEmpty { continue }
            var sources: [String: CredentialSource] = [:]
            for credential in credentials { sources[credential.name] = credential.value }
            variablesByAPI[api.name] = Variables(
                context.environment, files: fileVariables, sources: sources, in: configuration.directory)
        }
        return variablesByAPI
    }

    /// The longest file of `--env-file`, in bytes. It is far more than an environment can hold.
    private static let maxFileLength = 1_000_000

    /// Reads the files of `--env-file`, which have lines such as `NAME=value`. If several files set a variable, the
    /// last one counts.
    ///
    /// - Returns: The values by the names of the variables.
    /// - Throws: ``UsageError`` with the place of a line that is wrong, and ``FileError`` for a file that can't be
    ///   read.
    private static func readVariables(
        in files: [SourcedText], _ environment: ProcessEnvironment
    ) throws -> [String: String] {
        var variables: [String: String] = [:]
        for file in files {
            let (bytes, name) = try environment.readFile(file.text, limit: maxFileLength)
            let variablesInFile = try EnvironmentFile(bytes, path: name).variables
            variables.merge(variablesInFile) { _, last in last }
        }
        return variables
    }

    /// Returns the variables for calls of an API.
    ///
    /// Each API with sources of credentials has variables of its own, so that a source configured for one API never
    /// gives a secret to another one.
    func variables(of api: CatalogueAPI) -> Variables { variablesWithSources[api.name] ?? sharedVariables }

    /// Returns the logins of an API as a source of its variables. All calls of the command share them, so that each
    /// login is refreshed once.
    func logins(of api: CatalogueAPI) -> LoginVariables { knownLogins.logins(of: api, variables(of: api)) }

    /// Whether a variable of an API has a value, or a login that is stored gives it one.
    func hasValue(_ variable: String, of api: CatalogueAPI) -> Bool {
        variables(of: api).hasValue(variable) || logins(of: api).isStored(variable)
    }
}

/// The logins of the APIs that a command calls.
private final class KnownLogins: Sendable {
    private let environment: ProcessEnvironment
    private let store: any LoginStore
    /// The logins that have been asked for, by the names of the APIs.
    private let loginsByAPI = Mutex<[String: LoginVariables]>([:])

    init(_ environment: ProcessEnvironment, _ store: any LoginStore) {
        self.environment = environment
        self.store = store
    }

    /// Returns the logins of an API. The first call makes them, and all later calls share them.
    ///
    /// - Parameters:
    ///   - api: The API.
    ///   - variables: The variables of the API, in which a login finds what it needs.
    func logins(of api: CatalogueAPI, _ variables: Variables) -> LoginVariables {
        loginsByAPI.withLock { table in
            if let knownLogins = table[api.name] { return knownLogins }
            let newLogins = LoginVariables(of: api, environment: environment, store: store, variables: variables)
            table[api.name] = newLogins
            return newLogins
        }
    }
}

extension CommandContext {
    /// Returns this context with the variables of `--env-file` added to those of the process, and with the store of
    /// logins that the configuration names.
    func with(_ settings: Settings) -> CommandContext {
        var copy = self
        copy.environment.logins = settings.loginStore
        copy.environment.variable = { settings.sharedVariables.value($0) }
        return copy
    }
}
