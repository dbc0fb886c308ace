import EndpointKit

/// What every command needs: the APIs and the process around it.
struct RunContext: Sendable {
    /// The name of the tool, for messages and help.
    let tool: String
    let version: String
    let registry: Registry
    var environment: ProcessEnvironment
    /// What the configuration file says; nothing before ``configured(_:runsCommands:)``.
    var configuration: Configuration?
    /// Where variables come from, once the configuration is read.
    var variables: ConfiguredVariables?

    /// The columns that help and descriptions may take: the terminal's, at least 40; 80 elsewhere.
    var textWidth: Int { max(environment.stdout.columns ?? 80, 40) }

    var variableNames: VariableNames { VariableNames(tool: tool) }
}

/// A command with its options, as parsed from a command line.
protocol Command: Sendable {
    /// Carries the command out. Throws what ``FailureReport`` turns into text and an exit code.
    func run(_ context: RunContext) async throws -> ExitCode
    /// Whether its output is a text to read, for which a terminal may be too short.
    var isPaged: Bool { get }
}

extension Command {
    var isPaged: Bool { false }
}
