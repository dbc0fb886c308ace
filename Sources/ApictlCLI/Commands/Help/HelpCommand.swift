import EndpointKit

/// A topic of `help`.
enum HelpTopic: Sendable {
    case command(CommandName)
    /// `all`: with the help of every option.
    case endpoint(EndpointDeclaration, all: Bool)
    case exitCodes
    case environment
    case credentials
    case manual

    /// The topics with a name of their own.
    static let named: [String: HelpTopic] = [
        "exit-codes": .exitCodes, "environment": .environment, "credentials": .credentials,
    ]
}

/// `help`: shows help on the tool, a command, an endpoint or a topic.
struct HelpCommand: Command {
    /// The help text of `--help`, which every command has.
    static let optionHelp = "show this help"

    /// The options of `help` itself; `--help` has no effect.
    static let table = OptionTable<Bool>([
        Option("man", "print the manual page, for man") { $0 = true },
        Option("no-pager", DisplayOptions.noPagerHelp) { _ in },
        Option("help", short: "h", optionHelp) { _ in },
    ])

    static func help(_ context: RunContext) -> CommandHelp { CommandHelp(table) }

    /// The topic; nil is the tool itself.
    var topic: HelpTopic?

    /// The words after `help`, and whether the manual page is asked for. Throws ``UsageError``.
    static func parse(_ words: [Word]) throws(UsageError) -> (topics: [Word], isManual: Bool) {
        var isManual = false
        let topics = try table.parse(words, into: &isManual).positionals
        return (topics, isManual)
    }

    var isPaged: Bool { true }

    func run(_ context: RunContext) async throws -> ExitCode {
        try context.environment.stdout.write(text(try configured(context)))
        return .success
    }

    /// Credentials may come from the configuration.
    private func configured(_ context: RunContext) throws -> RunContext {
        if case .credentials = topic { return try context.configured(runsCommands: false) }
        return context
    }

    private func text(_ context: RunContext) -> String {
        switch topic {
        case nil: HelpText.overview(context)
        case .command(let command): HelpText.command(command, context)
        case .endpoint(let declaration, let all): HelpText.endpoint(declaration, all: all, context)
        case .exitCodes: HelpText.exitCodes(context)
        case .environment: HelpText.environment(context)
        case .credentials: HelpText.credentials(context)
        case .manual: ManualPage.text(context)
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

/// What help and the manual page say about a command besides its usage and summary.
struct CommandHelp {
    /// Options under one heading.
    struct Group {
        let title: String
        let options: [OptionSpec]
    }

    var groups: [Group] = []
    var paragraphs: [String] = []
    /// Lines that are not wrapped.
    var example = ""
}

extension CommandHelp {
    init<Options>(_ table: OptionTable<Options>, _ paragraphs: [String] = [], example: String = "") {
        groups = table.groups.map { Group(title: $0.title, options: $0.options.map(\.spec)) }
        self.paragraphs = paragraphs
        self.example = example
    }
}

extension CommandName {
    func help(_ context: RunContext) -> CommandHelp {
        switch self {
        case .list: ListCommand.help(context)
        case .describe: DescribeCommand.help(context)
        case .call: CallCommand.help(context)
        case .curl: CurlCommand.help(context)
        case .check: CheckCommand.help(context)
        case .diff: DiffCommand.help(context)
        case .mock: MockCommand.help(context)
        case .format: FormatCommand.help(context)
        case .config: ConfigCommand.help(context)
        case .completions: CompletionsCommand.help(context)
        case .help: HelpCommand.help(context)
        }
    }
}
