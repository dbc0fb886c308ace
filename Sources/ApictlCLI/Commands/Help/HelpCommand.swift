import EndpointKit

/// A topic of `help`.
struct HelpTopic: Sendable {
    let text: @Sendable (RunContext) throws -> String

    static let manual = HelpTopic { ManualPage.text($0) }

    static func command(_ command: CommandName) -> HelpTopic { HelpTopic { HelpText.command(command, $0) } }

    /// `all`: with the help of every option.
    static func endpoint(_ declaration: EndpointDeclaration, all: Bool) -> HelpTopic {
        HelpTopic { HelpText.endpoint(declaration, all: all, $0) }
    }

    /// The topics with a name of their own.
    static let named: [String: HelpTopic] = [
        "exit-codes": HelpTopic { "Exit codes\n" + Table(width: $0.textWidth).text(HelpText.exitCodeRows) },
        "environment": HelpTopic {
            "Environment variables\n" + Table(width: $0.textWidth).text(HelpText.environmentRows($0))
        },
        // Credentials may come from the configuration.
        "credentials": HelpTopic { HelpText.credentials(try $0.configured(runsCommands: false)) },
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
        try context.environment.stdout.write(topic?.text(context) ?? HelpText.overview(context))
        return .success
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

/// The texts of help.
enum HelpText {
    static func overview(_ context: RunContext) -> String {
        let tool = context.tool
        let table = Table(width: context.textWidth)
        let example = context.registry.exampleName ?? "API.ENDPOINT"
        let commands =
            CommandName.allCases.map { [$0.usage, $0.summary] } + [
                ["API", "show an API: its servers, credentials and endpoints"],
                ["API.ENDPOINT [parameters] [options]", "the same as call"],
            ]
        return """
            \(TextWrap.text("\(tool) calls HTTP APIs by name: every endpoint is a command, every parameter a flag.", width: table.width))

            APIs
            \(table.text(context.registry.apis.map { [$0.name, $0.summary] }))
            Try
              \(tool) \(example.prefix { $0 != "." })
              \(tool) call \(example) --sample
              \(tool) curl \(example)

            Commands
            \(table.text(commands))
            Options
              --help, -h     show this help
              --version, -V  print the version

            \(TextWrap.text("See '\(tool) help COMMAND' for a command's options, '\(tool) help API.ENDPOINT' for an endpoint.", width: table.width))

            """
    }

    static func command(_ command: CommandName, _ context: RunContext) -> String {
        let width = context.textWidth
        let help = command.help(context)
        return "\(context.tool) \(command.usage)\n  \(TextWrap.text(command.summary, width: width, hang: 2))\n"
            + options(help.groups, width)
            + (help.paragraphs.isEmpty ? "" : "\n")
            + help.paragraphs.map { TextWrap.text($0, width: width) + "\n" }.joined()
            + (help.example.isEmpty ? "" : "\n" + help.example)
    }

    /// The endpoint, and the options of `call`: all with their help, or only their names.
    static func endpoint(_ declaration: EndpointDeclaration, all: Bool, _ context: RunContext) -> String {
        let text = DescriptionText.text(declaration, context)
        if all { return text + options(CommandHelp(CallOptions.table).groups, context.textWidth) }
        let rows = CallOptions.table.groups.map { group in
            [group.title, group.options.map(\.spec.flag).joined(separator: " ")]
        }
        return text + "\nOptions of call\n" + Table(width: context.textWidth).text(rows)
            + "  See '\(context.tool) call \(declaration.name) --help-all' for what they do.\n"
    }

    static var exitCodeRows: [[String]] { ExitCode.allCases.map { [String($0.rawValue), $0.meaning] } }

    static func environmentRows(_ context: RunContext) -> [[String]] {
        let names = context.variableNames
        var rows = [
            [names.server, "the server to use, like --env"],
            [names.configuration, "the configuration file; see '\(context.tool) help config'"],
            [
                "\(names.pager), PAGER",
                "the program that shows long texts on a terminal, in place of less; cat or nothing: none",
            ],
            ["NO_COLOR", "no colour, even on a terminal"],
            ["CLICOLOR_FORCE", "colour, even in a pipe"],
            ["http_proxy, https_proxy, no_proxy", "proxies, as libcurl reads them, with a password if one is needed"],
            ["CURL_CA_BUNDLE, SSL_CERT_FILE", "the bundle of certificates to trust; the first one set counts"],
            ["SSL_CERT_DIR", "the directory of certificates to trust, unless CURL_CA_BUNDLE is set"],
            ["NETRC", "the file that --netrc reads, instead of ~/.netrc"],
            [names.keyPassphrase, "the passphrase of an encrypted key (--cert, --key)"],
        ]
        for api in context.registry.apis {
            rows.append([names.server(of: api), "the server of \(api.name), like --env"])
            rows.append([names.url(of: api), "the base URL of \(api.name), like --base-url"])
        }
        return rows
            + CredentialVariable.all(of: context.registry.apis).map { credential in
                [credential.name, "a credential of \(credential.owners.joined(separator: ", "))"]
            }
    }

    /// Every variable that holds a credential, whether it is set, and what needs it.
    static func credentials(_ context: RunContext) -> String {
        let rows = CredentialVariable.all(of: context.registry.apis).map { credential in
            [
                credential.name, context.hasValue(credential.name) ? "set" : "not set",
                credential.owners.joined(separator: ", "), credential.page ?? "",
            ]
        }
        let note =
            "Credentials are read from these variables, or from where the configuration file says (see '\(context.tool) help config'). They are never printed; '\(context.tool) API' shows how each is sent."
        let width = context.textWidth
        return "Credentials\n" + Table(width: width).text(rows) + "\n" + TextWrap.text(note, width: width) + "\n"
    }

    /// The options under their headings, with aligned help texts.
    private static func options(_ groups: [CommandHelp.Group], _ width: Int) -> String {
        let rows = groups.flatMap(\.options).map { spec in
            let short = spec.short.map { "-\($0), " } ?? "    "
            return [short + spec.syntax, spec.help]
        }
        var lines = Table(width: width).lines(rows)[...]
        return groups.map { group in
            defer { lines = lines.dropFirst(group.options.count) }
            return "\n\(group.title)\n" + lines.prefix(group.options.count).map { $0 + "\n" }.joined()
        }.joined()
    }
}
