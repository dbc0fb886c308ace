import EndpointKit
import JSONText

/// The command line over a set of APIs.
public enum Apictl {
    /// Runs one command line and gives its exit code.
    ///
    /// `arguments` are the words behind the tool's name, `tool` the name that messages and help show. Nothing of the process is touched
    /// but through `environment`.
    public static func run(
        _ arguments: [String], apis: [any API.Type], environment: ProcessEnvironment, tool: String = "apictl"
    ) async -> Int32 {
        let context = RunContext(tool: tool, registry: Registry(apis: apis), environment: environment)
        var invocation: EndpointInvocation?
        do {
            let command = try CommandLineParser(registry: context.registry).parse(arguments)
            invocation = (command as? CallCommand)?.invocation
            return try await command.run(context).rawValue
        } catch {
            let report = FailureReport(
                error, tool: tool, invocation: invocation, topic: context.registry.topic(of: arguments))
            tell(report, context)
            return report.code.rawValue
        }
    }

    private static func tell(_ report: FailureReport, _ context: RunContext) {
        guard let first = report.lines.first else { return }
        let lines = ["\(context.tool): \(first)"] + report.lines.dropFirst()
        // Where stderr can't be written either, the exit code is all that can still be told.
        try? context.environment.stderr.write(lines.map { $0.safeToShow + "\n" }.joined())
    }
}
