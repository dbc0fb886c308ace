import EndpointKit

extension RunContext {
    /// This context with the configuration file, and with variables from files and from the sources that it names.
    ///
    /// - Parameters:
    ///   - environmentFiles: The files of `--env-file`.
    ///   - runsCommands: Whether the values of credentials are needed, for which a command may have to run.
    ///
    /// Throws ``UsageError`` and ``FileError``.
    func configured(_ environmentFiles: [String] = [], runsCommands: Bool) throws -> RunContext {
        var context = self
        context.configuration = try Configuration.load(self)
        guard context.configuration != nil || !environmentFiles.isEmpty else { return context }
        var variables: [String: String] = [:]
        for path in environmentFiles {
            let text = try String(exactBytes: environment.files.open(path).readAll(name: path, limit: 1_000_000))
            do throws(EnvironmentFile.SyntaxError) {
                variables.merge(try EnvironmentFile(text).variables) { $1 }
            } catch {
                throw UsageError.invalidFile(path, line: error.line, column: error.column, problem: error.problem)
            }
        }
        let configured = ConfiguredVariables(
            environment, files: variables, configuration: context.configuration, runsCommands: runsCommands)
        context.environment.variable = { configured.value($0) }
        context.variables = configured
        return context
    }

    /// Whether a variable has a value or a source that is to give it; no command is run.
    func hasValue(_ variable: String) -> Bool {
        variables.map { $0.origin(variable) != nil } ?? environment.isSet(variable)
    }
}

extension CallArguments {
    /// The context with the configuration, and these arguments with the options that it sets for the API.
    ///
    /// Throws as ``RunContext/configured(_:runsCommands:)`` does, and ``UsageError`` for a wrong setting of the API.
    func configured(_ context: RunContext, runsCommands: Bool) throws -> (CallArguments, RunContext) {
        let context = try context.configured(options.environmentFiles, runsCommands: runsCommands)
        guard let configuration = context.configuration else { return (self, context) }
        try configuration.check(declaration.api)
        return (try adding(configuration.options(of: declaration.api, in: table)), context)
    }
}
