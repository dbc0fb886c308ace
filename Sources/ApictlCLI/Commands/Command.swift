import EndpointKit

/// What one run works with.
struct RunContext: Sendable {
    /// The name of the tool, for messages and help.
    let tool: String
    let registry: Registry
    let environment: ProcessEnvironment
}

/// A command: an options value that a parse makes and a run carries out.
protocol Command: Sendable, Equatable {
    /// Carries the command out. Throws what ``FailureReport`` knows how to tell.
    func run(_ context: RunContext) async throws -> ExitCode
}
