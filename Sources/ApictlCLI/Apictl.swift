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
        let context = RunContext(
            tool: tool, version: version, registry: Registry(apis: apis), environment: environment)
        var parser = CommandLineParser(registry: context.registry)
        do {
            try context.registry.checkNames()
            return try await parser.parse(arguments).run(context).rawValue
        } catch {
            let report = FailureReport(error, context, topic: parser.topic)
            // If stderr can't be written either, the exit code is the only report.
            try? report.print(
                to: environment.stderr, asJSON: arguments.prefix { $0 != "--" }.contains("--json-errors"))
            return report.code.rawValue
        }
    }
}
