import EndpointKit

/// `help`: shows help on the tool, a command, an endpoint or a topic.
struct HelpCommand: Command {
    struct Options: CommandOptions {
        var common = CommonOptions()
        var printsManual = false
    }

    static let name = "help"
    static let usage = "help [COMMAND | API | API.ENDPOINT | TOPIC]"
    static let summary = "show help; topics: exit-codes, environment, credentials"
    static let operands = Operands.topics
    static let table = OptionTable<Options>(command: [
        OptionGroup(
            title: "Options", options: [Option("man", "print the manual page, for man") { $0.printsManual = true }])
    ])

    /// The text of a topic.
    typealias Topic = @Sendable (RunContext) throws -> String

    private let topic: Topic
    let isPaged: Bool

    init(_ words: CommandWords<Options>) throws {
        if words.options.printsManual { try words.requireAtMost(0) }
        self.init(topic: words.options.printsManual ? ManualPage.text : try Self.topic(words))
    }

    /// Prints any text.
    init(isPaged: Bool = true, topic: @escaping Topic) {
        self.topic = topic
        self.isPaged = isPaged
    }

    /// The topics with a name of their own.
    static let topics: [String: Topic] = [
        "exit-codes": { "Exit codes\n" + Table(width: $0.textWidth).text(HelpText.exitCodeRows) },
        "environment": { "Environment variables\n" + Table(width: $0.textWidth).text(HelpText.environmentRows($0)) },
        "credentials": HelpText.credentials,
    ]

    /// The topic that the words name. Throws ``UsageError``.
    private static func topic(_ words: CommandWords<Options>) throws -> Topic {
        let (commands, registry, others) = (words.commands, words.registry, words.others)
        if let command = commands.first(where: { $0.name == others.first?.text }) {
            // `help call movies.popular` is about the endpoint.
            let isAboutEndpoint = [.call, .subject].contains(command.operands) && command != DiffCommand.self
            guard isAboutEndpoint, let word = try registry.name(Array(others.dropFirst())) else {
                if others.count > 1 { throw UsageError.unexpectedArgument(others[1]) }
                return { HelpText.command(command, $0) }
            }
            return HelpText.endpoint(try registry.endpoint(word), all: false)
        }
        guard let word = try registry.name(others) else { return HelpText.overview }
        if let topic = topics[word.text] { return topic }
        if let api = registry.api(word.text) { return HelpText.api(api) }
        if registry.api(String(word.text.prefix { $0 != "." })) != nil || word.text.contains(".") {
            return HelpText.endpoint(try registry.endpoint(word), all: false)
        }
        let known = commands.map { $0.name } + topics.keys.sorted() + registry.apis.map { $0.name }
        throw UsageError("unknown help topic \(word.shown)" + Nearest.question(word.text, in: known))
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        try context.environment.stdout.write(topic(context))
        return .success
    }
}

/// The texts of help.
enum HelpText {
    @Sendable static func overview(_ context: RunContext) -> String {
        let tool = context.tool
        let table = Table(width: context.textWidth)
        let example = context.registry.exampleName ?? "API.ENDPOINT"
        let commands =
            context.commands.map { [$0.usage, $0.summary] } + [
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

    static func command(_ command: any Command.Type, _ context: RunContext) -> String {
        let width = context.textWidth
        let notes = command.notes(context)
        return "\(context.tool) \(command.usage)\n  \(TextWrap.text(command.summary, width: width, hang: 2))\n"
            + options(command.groups, width)
            + (notes.paragraphs.isEmpty ? "" : "\n")
            + notes.paragraphs.map { TextWrap.text($0, width: width) + "\n" }.joined()
            + (notes.example.isEmpty ? "" : "\n" + notes.example)
    }

    static func api(_ api: any API.Type) -> HelpCommand.Topic {
        { try APIDescription(api, isSet: Settings($0).variables(of: api).hasValue).text(api, $0) }
    }

    /// The endpoint, and the options of `call`: all with their help, or only their names.
    static func endpoint(_ declaration: EndpointDeclaration, all: Bool) -> HelpCommand.Topic {
        { context in
            let text = DescriptionText.text(declaration, context)
            if all { return text + options(CallCommand.groups, context.textWidth) }
            let rows = CallOptions.table.groups.map { group in
                [group.title, group.options.map(\.spec.flag).joined(separator: " ")]
            }
            return text + "\nOptions of call\n" + Table(width: context.textWidth).text(rows)
                + "  See '\(context.tool) call \(declaration.name) --help-all' for what they do.\n"
        }
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
    @Sendable static func credentials(_ context: RunContext) throws -> String {
        let settings = try Settings(context)
        let rows = CredentialVariable.all(of: context.registry.apis).map { credential in
            let isSet = context.registry.apis.contains { settings.variables(of: $0).hasValue(credential.name) }
            return [
                credential.name, isSet ? "set" : "not set",
                credential.owners.joined(separator: ", "), credential.page ?? "",
            ]
        }
        let note =
            "Credentials are read from these variables, or from where the configuration file says (see '\(context.tool) help config'). They are never printed; '\(context.tool) API' shows how each is sent."
        let text = TextWrap.text(note, width: context.textWidth)
        return "Credentials\n" + Table(width: context.textWidth).text(rows) + "\n" + text + "\n"
    }

    /// The options under their headings, with aligned help texts.
    private static func options(_ groups: [(title: String, options: [OptionSpec])], _ width: Int) -> String {
        let rows = groups.flatMap(\.options).map { [($0.short.map { "-\($0), " } ?? "    ") + $0.syntax, $0.help] }
        var lines = Table(width: width).lines(rows)[...]
        return groups.map { group in
            defer { lines = lines.dropFirst(group.options.count) }
            return "\n\(group.title)\n" + lines.prefix(group.options.count).map { $0 + "\n" }.joined()
        }.joined()
    }
}

/// The manual page, in the language of man(7).
enum ManualPage {
    @Sendable static func text(_ context: RunContext) -> String {
        let tool = context.tool
        let title = tool.uppercased()
        let apis = context.registry.apis.map { [$0.name, $0.summary] }
        var text = ".TH \(escaped(title)) 1 \"\" \"\(escaped(tool)) \(escaped(context.version))\"\n"
        text += section("NAME") + lines("\(tool) - call HTTP APIs by name")
        text += section("SYNOPSIS")
        text += context.commands.map { "\(bold(tool)) \(escaped($0.usage))\n" }.joined(separator: ".br\n")
        text += section("DESCRIPTION")
        text += lines(
            "Every endpoint of an API is a command, every parameter a flag; responses are decoded through the models of the API."
        )
        if !apis.isEmpty { text += paragraph("The APIs are:") + list(apis) }
        text += section("COMMANDS") + context.commands.map { command($0, context) }.joined()
        text += section("EXIT STATUS") + list(HelpText.exitCodeRows)
        text += section("ENVIRONMENT") + list(HelpText.environmentRows(context))
        text += section("SEE ALSO") + ".BR curl (1)\n"
        return text
    }

    private static func command(_ command: any Command.Type, _ context: RunContext) -> String {
        // The options of call are those of curl too.
        let notes = command.notes(context)
        var text = ".SS \(escaped(context.tool)) \(escaped(command.usage))\n" + lines(sentence(command.summary))
        if command == CurlCommand.self {
            text += paragraph("Its options are those of \(CallCommand.name).")
        } else {
            for group in command.groups {
                let rows = group.options.map { [($0.short.map { "-\($0), " } ?? "") + $0.syntax, $0.help] }
                text += paragraph(group.title + ":") + list(rows)
            }
        }
        text += notes.paragraphs.map(paragraph).joined()
        if !notes.example.isEmpty { text += ".PP\n.nf\n" + lines(notes.example) + ".fi\n" }
        return text
    }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
    private static func section(_ title: String) -> String { ".SH \(title)\n" }
    private static func paragraph(_ text: String) -> String { ".PP\n" + lines(text) }
    private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    /// Each row's first text in bold, the second one indented under it.
    private static func list(_ rows: [[String]]) -> String {
        rows.map { ".TP\n\(bold($0[0]))\n" + lines($0[1].isEmpty ? " " : $0[1]) }.joined()
    }

    private static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0).map {
            line in
            // A dot or quote at the start of a line would be a request.
            (line.first == "." || line.first == "'" ? "\\&" : "") + escaped(String(line)) + "\n"
        }.joined()
    }

    private static let escapes: [Character: String] = [
        "\\": "\\e", "-": "\\-", "^": "\\(ha", "~": "\\(ti", "`": "\\(ga",
    ]

    private static func escaped(_ text: String) -> String { text.map { escapes[$0] ?? String($0) }.joined() }
}
