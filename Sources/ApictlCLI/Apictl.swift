import EndpointKit
import JSONText

/// The command line over a set of APIs.
public enum Apictl {
    /// Runs one command line and gives its exit code.
    ///
    /// `arguments` are the words behind the tool's name, `tool` the name that messages and help show. Nothing of the process is touched
    /// but through `environment`.
    public static func run(
        _ arguments: [String], apis: [any API.Type], environment: ProcessEnvironment, tool: String = "apictl",
        version: String = Version.number
    ) async -> Int32 {
        let context = RunContext(
            tool: tool, version: version, registry: Registry(apis: apis), environment: environment)
        switch begin(arguments, context) {
        case .ended(let code): return code.rawValue
        case .waiting(let command): return await finish(command, context).rawValue
        }
    }

    /// Reads the command line, and carries it out where that takes no transfer.
    static func begin(_ arguments: [String], _ context: RunContext) -> Beginning {
        do {
            return try CommandLineParser(registry: context.registry).parse(arguments).begin(context)
        } catch {
            return .ended(tell(error, context, topic: context.registry.topic(of: arguments)))
        }
    }

    /// Carries out a command that waits for a server.
    static func finish(_ command: any TransferCommand, _ context: RunContext) async -> ExitCode {
        do {
            return try await command.run(context)
        } catch {
            let invocation = (command as? CallCommand)?.invocation
            if invocation?.options.quiet == true, !(error is UsageError) {
                return FailureReport(error, tool: context.tool).code
            }
            return tell(error, context, invocation: invocation)
        }
    }

    /// Writes what an error comes to onto stderr, and gives the exit code.
    private static func tell(
        _ error: any Error, _ context: RunContext, invocation: EndpointInvocation? = nil, topic: String? = nil
    ) -> ExitCode {
        let report = FailureReport(
            error, tool: context.tool, invocation: invocation, topic: topic ?? invocation?.endpoint)
        guard let first = report.lines.first else { return report.code }
        let lines = ["\(context.tool): \(first)"] + report.lines.dropFirst()
        // Where stderr can't be written either, the exit code is all that can still be told.
        try? context.environment.stderr.write(lines.map { $0.safeToShow + "\n" }.joined())
        return report.code
    }
}
