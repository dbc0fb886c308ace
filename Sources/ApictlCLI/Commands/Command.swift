import EndpointKit

/// What one run works with.
struct RunContext: Sendable {
    /// The name of the tool, for messages and help.
    let tool: String
    let version: String
    let registry: Registry
    let environment: ProcessEnvironment
}

/// What a command line comes to at once: its end, or a command that has to wait for a server.
enum Beginning {
    case ended(ExitCode)
    case waiting(any TransferCommand)
}

/// A command: an options value that a parse makes and a run carries out.
protocol Command: Sendable, Equatable {
    /// Carries the command out as far as that takes no transfer. Throws what ``FailureReport`` knows how to tell.
    func begin(_ context: RunContext) throws -> Beginning
}

/// A command that needs no transfer. It runs without the concurrency runtime, whose threads take as long to start as all it does.
protocol ImmediateCommand: Command {
    /// Carries the command out. Throws what ``FailureReport`` knows how to tell.
    func run(_ context: RunContext) throws -> ExitCode
}

/// A command that waits for a server.
protocol TransferCommand: Command {
    /// Carries the command out. Throws what ``FailureReport`` knows how to tell.
    func run(_ context: RunContext) async throws -> ExitCode
}

extension ImmediateCommand {
    func begin(_ context: RunContext) throws -> Beginning { .ended(try run(context)) }
}

extension TransferCommand {
    func begin(_ context: RunContext) throws -> Beginning { .waiting(self) }
}
