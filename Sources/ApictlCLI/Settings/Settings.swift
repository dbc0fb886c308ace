import EndpointKit
import EndpointTools

/// The configuration file and the variables, read once.
struct Settings: Sendable {
    let configuration: Configuration?
    /// The variables of the APIs for which the configuration names sources of credentials, by the names of the APIs.
    private let ownVariables: [String: Variables]
    /// The variables of all other APIs.
    fileprivate let sharedVariables: Variables

    /// Reads the files of `--env-file`, of which the last has the last word.
    ///
    /// - Throws: ``UsageError`` and ``FileError``, also those about the configuration.
    init(_ context: CommandContext, environmentFiles: [SourcedText] = []) throws {
        let configuration = try context.configuration.get()
        self.configuration = configuration
        var values: [String: String] = [:]
        for word in environmentFiles {
            let (bytes, name) = try context.environment.file(word.text, limit: 1_000_000)
            values.merge(try EnvironmentFile(bytes, path: name).variables) { $1 }
        }
        sharedVariables = Variables(context.environment, files: values)
        var ownVariables: [String: Variables] = [:]
        for api in context.registry.apis {
            guard let configuration else { break }
            let credentials = configuration.settings(of: api).credentials
            if credentials.isEmpty { continue }
            let sources = Dictionary(credentials.map { ($0.name, $0.value) }) { $1 }
            ownVariables[api.name] = Variables(
                context.environment, files: values, sources: sources, in: configuration.directory)
        }
        self.ownVariables = ownVariables
    }

    /// Returns the variables for calls of `api`.
    ///
    /// A source that gives a credential of one API is not asked for another one.
    func variables(of api: CatalogueAPI) -> Variables { ownVariables[api.name] ?? sharedVariables }
}

extension CommandContext {
    /// Returns this context with the variables of `--env-file` too.
    func with(_ settings: Settings) -> CommandContext {
        var copy = self
        copy.environment.variable = { settings.sharedVariables.value($0) }
        return copy
    }
}
