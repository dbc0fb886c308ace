import EndpointKit
import JSONText

/// The command line over a set of APIs.
public enum Apictl {
    /// Runs one command line and returns its exit code.
    ///
    /// `arguments` are the words after the tool's name; `tool` is the name shown in messages and help. All input and output goes
    /// through `environment`.
    public static func run(
        _ arguments: [String], apis: [any API.Type], environment: ProcessEnvironment, tool: String = "apictl",
        version: String = Version.number
    ) async -> Int32 {
        var context = RunContext(
            tool: tool, version: version, registry: Registry(apis: apis), environment: environment)
        let options = arguments.prefix { $0 != "--" }
        var pager: Pager?
        defer { try? pager?.finish() }
        var parser = CommandLineParser(registry: context.registry)
        do {
            try context.registry.checkNames()
            let command = try parser.parse(arguments)
            if command.isPaged, !options.contains(DisplayOptions.noPager), let available = environment.makePager() {
                pager = available
                context.environment.stdout = available.output
                context.environment.stderr = available.messages
            }
            return try await command.run(context).rawValue
        } catch is OutputClosed where pager != nil {
            // The user has left the pager.
            return ExitCode.success.rawValue
        } catch {
            let report = FailureReport(error, context, topic: parser.topic)
            // If stderr can't be written either, the exit code is the only report.
            try? report.print(
                to: context.environment.stderr, asJSON: options.contains("--json-errors"))
            return report.code.rawValue
        }
    }
}
