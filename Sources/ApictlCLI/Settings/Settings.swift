import EndpointKit

/// The configuration file and the variables, read once.
struct Settings: Sendable {
    let configuration: Configuration?
    /// The process's variables, then those of files, then what the configuration names.
    let variables: Variables

    /// `environmentFiles` are those of `--env-file`, of which the last has the last word. Throws ``UsageError`` and ``FileError``.
    init(_ context: RunContext, environmentFiles: [String] = []) throws {
        configuration = try Configuration.load(context)
        var values: [String: String] = [:]
        for path in environmentFiles {
            let bytes = try context.environment.files.open(path).readAll(name: path, limit: 1_000_000)
            do throws(EnvironmentFile.SyntaxError) {
                values.merge(try EnvironmentFile(String(exactBytes: bytes)).variables) { $1 }
            } catch {
                throw UsageError.invalidFile(path, line: error.line, column: error.column, problem: error.problem)
            }
        }
        variables = Variables(context.environment, files: values, configuration: configuration)
    }

    /// Whether a variable has a value or a source that is to give it; no command is run.
    func hasValue(_ variable: String) -> Bool { variables.origin(variable) != nil }
}

extension RunContext {
    /// This context with the variables of `settings`; no command is run for them.
    func with(_ settings: Settings) -> RunContext {
        var copy = self
        copy.environment.variable = { settings.variables.value($0) }
        return copy
    }
}
