import EndpointKit

/// What help can be asked on.
enum HelpTopic: Sendable, Equatable {
    case command(CommandName)
    case endpoint(String)
    case exitCodes
    case environment
}

/// `help`: on the tool, a command, an endpoint, or a topic.
struct HelpCommand: ImmediateCommand {
    static let helpOption = OptionSpec("help", short: "h", "show this help")

    var topic: HelpTopic?

    func run(_ context: RunContext) throws -> ExitCode {
        try context.environment.stdout.write(try text(context))
        return .success
    }

    private func text(_ context: RunContext) throws -> String {
        switch topic {
        case nil: HelpText.overview(tool: context.tool, example: context.registry.exampleName ?? "API.ENDPOINT")
        case .command(let command): HelpText.command(command, tool: context.tool)
        case .endpoint(let name):
            HelpText.endpoint(
                EndpointDescription(
                    try context.registry.endpoint(Word(text: name, position: 1)), tool: context.tool))
        case .exitCodes: HelpText.exitCodes
        case .environment: HelpText.environment(context.registry)
        }
    }
}

/// `--version`: the name and the version.
struct VersionCommand: ImmediateCommand {
    func run(_ context: RunContext) throws -> ExitCode {
        try context.environment.stdout.write("\(context.tool) \(context.version)\n")
        return .success
    }
}
