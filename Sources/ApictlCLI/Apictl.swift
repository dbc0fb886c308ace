import EndpointKit
import EndpointTools
import JSONText

/// The command line over a set of APIs.
public enum Apictl {
    /// Runs one command line.
    ///
    /// All input and output goes through `environment`. An error becomes a message on stderr and an exit code.
    ///
    /// - Parameters:
    ///   - arguments: The words after the tool's name.
    ///   - apis: The compiled APIs.
    ///   - commands: The commands that the tool has.
    ///   - environment: The process: its streams, variables, files and signals.
    ///   - tool: The name of the tool in messages and help.
    ///   - version: The version that `--version` prints.
    /// - Returns: The exit code.
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
            // An error in the configuration is kept: only commands that need the configuration report it.
            context.configuration = Result { [context] in try Configuration(context) }
            var reading = CatalogueReading(arguments, context)
            context.registry = try await reading.readAPIs()
            context.configuration = context.configuration.flatMap { [context] configuration in
                Result {
                    try configuration?.checkSectionNames(context.registry)
                    return configuration
                }
            }
            // The first parser knows the compiled APIs only. It is there for errors before this line.
            parser = Parser(registry: context.registry, commands: commands)
            let command = try parser.parse(arguments)
            context.reportsJSON = parser.common.reportsJSON
            if let help = command as? HelpCommand { try context.ignoreBrokenConfiguration(for: help) }
            // Without a readable configuration, colours and the pager have their defaults.
            let settings = try? context.configuration.get()?.settings(of: command.api)
            context.environment.color = settings?.color?.value ?? .auto
            if command.isPaged, parser.common.pages, let available = environment.makePager(settings?.pager?.value) {
                pager = available
                context.environment.stdout = available.output
                context.environment.stderr = available.messages
                context.environment.bypassPager = { [output = available.output] in try output.writeDirectly() }
            }
            return try await command.run(context).rawValue
        } catch {
            // An error after a signal is probably a consequence of it, so that the interrupt is reported instead.
            let isInterrupted = (error as? Failure)?.code != .interrupted && environment.signals.exitCode() != nil
            let failure = Failure(isInterrupted ? CancellationError() : error, context, topic: parser.topic)
            // The parser may have stopped at an error before it read `--json-errors`, so that the words are searched
            // for it. If stderr can't be written either, the exit code is the only report.
            let asJSON =
                context.reportsJSON
                || arguments.prefix { $0 != "--" }.contains { ["--json-errors", "--json-errors=true"].contains($0) }
            try? failure.print(context, asJSON: asJSON)
            return failure.code.rawValue
        }
    }
}

extension CommandContext {
    /// Goes on without a configuration that can't be read, because help must work nevertheless. A page of help says so
    /// on stderr; other texts, such as the version, depend on no configuration.
    fileprivate mutating func ignoreBrokenConfiguration(for help: HelpCommand) throws {
        guard case .failure(let error) = configuration else { return }
        configuration = .success(nil)
        if help.isPaged, !reportsJSON {
            try environment.stderr.write("note: \(Failure(error).message.safeToShow)\n")
        }
    }
}

/// The version of apictl itself.
public enum Version {
    /// The number that `--version` prints.
    public static let number = "0.1.0"
}
