import EndpointKit

/// A topic of `help`.
enum HelpTopic: Sendable {
    case command(CommandName)
    case endpoint(EndpointDeclaration)
    case exitCodes
    case environment
}

/// `help`: shows help on the tool, a command, an endpoint or a topic.
struct HelpCommand: Command {
    /// The help text of `--help`, which every command has.
    static let optionHelp = "show this help"

    /// The options of `help` itself: only `--help`, which has no effect.
    static let table = OptionTable<Void>([Option("help", short: "h", optionHelp) { _ in }])

    /// The topic; nil is the tool itself.
    var topic: HelpTopic?

    /// The topic among the words after `help`, at most one. Throws ``UsageError``.
    static func parse(_ words: [Word]) throws(UsageError) -> (positionals: [Word], given: [String]) {
        var options: Void = ()
        return try table.parse(words, into: &options, most: 1)
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        try context.environment.stdout.write(text(context))
        return .success
    }

    private func text(_ context: RunContext) -> String {
        switch topic {
        case nil: HelpText.overview(context)
        case .command(let command): HelpText.command(command, tool: context.tool)
        case .endpoint(let declaration): HelpText.endpoint(declaration, tool: context.tool)
        case .exitCodes: HelpText.exitCodes
        case .environment: HelpText.environment(context)
        }
    }
}

/// `--version`: prints the tool's name and version.
struct VersionCommand: Command {
    func run(_ context: RunContext) async throws -> ExitCode {
        try context.environment.stdout.write("\(context.tool) \(context.version)\n")
        return .success
    }
}
