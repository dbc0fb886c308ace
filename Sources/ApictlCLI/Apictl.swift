import EndpointKit
import EndpointTools
import JSONText

/// The command line over a set of APIs.
public enum Apictl {
    /// Runs one command line and returns its exit code.
    ///
    /// `arguments` are the words after the tool's name; `tool` is the name shown in messages and help. All input and output goes
    /// through `environment`.
    static func run(
        _ arguments: [String], apis: [CatalogueAPI], commands: [any Command.Type] = commands,
        environment: ProcessEnvironment, tool: String = "apictl", version: String = Version.number
    ) async -> Int32 {
        var context = CommandContext(
            tool: tool, version: version, registry: APIRegistry(apis: apis, tool: tool), commands: commands,
            environment: environment)
        var pager: Pager?
        defer { try? pager?.finish() }
        var parser = Parser(registry: context.registry, commands: commands)
        do {
            try context.registry.checkNames()
            // What is wrong with the file is reported by the commands for which its other settings count.
            context.configuration = Result { [context] in try Configuration(context) }
            var reading = CatalogueReading(arguments, context)
            context.registry = try await reading.apis()
            context.configuration = context.configuration.flatMap { [context] configuration in
                Result {
                    try configuration?.checkNames(context.registry)
                    return configuration
                }
            }
            parser = Parser(registry: context.registry, commands: commands)
            let command = try parser.parse(arguments)
            context.reportsJSON = parser.common.reportsJSON
            let settings = try? context.configuration.get()?.settings(of: command.api)
            context.environment.color = settings?.color?.value ?? .auto
            if command.isPaged, parser.common.pages, let available = environment.makePager(settings?.pager?.value) {
                pager = available
                context.environment.stdout = available.output
                context.environment.stderr = available.messages
            }
            return try await command.run(context).rawValue
        } catch {
            // What is wrong after a signal may be wrong because of it.
            let isInterrupted = (error as? Failure)?.code != .interrupted && environment.signals.exitCode() != nil
            let failure = Failure(isInterrupted ? CancellationError() : error, context, topic: parser.topic)
            // The option counts even if the command line is invalid before it. If stderr can't be written either, the exit code is the only report.
            let asJSON =
                context.reportsJSON
                || arguments.prefix { $0 != "--" }.contains { ["--json-errors", "--json-errors=true"].contains($0) }
            try? failure.print(context, asJSON: asJSON)
            return failure.code.rawValue
        }
    }
}

/// The version of apictl itself.
public enum Version {
    /// What `--version` prints.
    public static let number = "0.1.0"
}
