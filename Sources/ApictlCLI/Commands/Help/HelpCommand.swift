import EndpointKit
import EndpointTools

/// `help`: shows help on the tool, a command, an endpoint or a topic.
struct HelpCommand: Command {
    struct Options: CommandOptions {
        var common = CommonOptions()
        var printsManual = false
        /// Whether rarely used options are shown too (`--all`).
        var showsAll = false
    }

    static let name = "help"
    static let usage = "help [COMMAND | API | GROUP | API.ENDPOINT | TOPIC] [--all]"
    static let summary = "show help on a command, an API, an endpoint or a topic"
    static let operands = CommandOperands.topics
    static let table = OptionTable<Options>(command: [
        OptionGroup(
            title: "Options",
            options: [
                Option("all", "all options of a command; without it, those that most people need") {
                    $0.showsAll = true
                },
                Option("man", "print the manual page, for man") { $0.printsManual = true },
            ])
    ])

    /// Lists the topics of help.
    static func notes(_ context: CommandContext) -> CommandNotes {
        let topics = HelpTopic.all.map { [$0.name, $0.summary] }
        return CommandNotes(
            rows: topics, paragraphs: ["COMMAND --help is the same as help COMMAND. These are the topics:"])
    }

    /// A function that makes the text of a page. It is called when the command runs, because only then the settings are
    /// known.
    typealias Page = @Sendable (CommandContext) throws -> String

    private let makePage: Page
    let isPaged: Bool

    /// Finds the page that the words ask for: the manual page with `--man`, or else a page of help.
    ///
    /// - Throws: ``UsageError`` if there is no such page.
    init(_ words: CommandWords<Options>) throws {
        if words.options.printsManual {
            try words.requireAtMost(0)
            self.init(ManualPage.text)
        } else {
            self.init(try Self.page(for: words))
        }
    }

    /// Makes a command that prints a text, as `--version`, `--help` and `__complete` need it.
    ///
    /// - Parameters:
    ///   - isPaged: Whether the text is for people, who may read it in a pager.
    ///   - makePage: Returns the text.
    init(isPaged: Bool = true, _ makePage: @escaping Page) {
        self.makePage = makePage
        self.isPaged = isPaged
    }

    /// Returns a function that makes the page about the command, topic, API, group or endpoint that the words name.
    /// Without words, the page is the overview.
    ///
    /// - Throws: ``UsageError`` if there is no such page.
    private static func page(for words: CommandWords<Options>) throws -> Page {
        let extent: HelpExtent = words.options.showsAll ? .all : .common
        if let command = words.commands.first(where: { $0.name == words.operands.first?.text }) {
            return try page(about: command, words, showing: extent)
        }
        let registry = words.registry
        guard let word = try registry.joinedName(words.operands) else {
            return { HelpText.overview($0, showing: extent) }
        }
        let topic = HelpTopic.all.first { $0.name == word.text }
        let subject = registry.apiOrGroup(word.text)
        let hasNoOptions = topic != nil || subject != nil
        if extent == .all, hasNoOptions {
            throw UsageError("--all is for a command or an endpoint, not for \(word.shown)")
        }
        if let topic { return topic.text }
        if let subject { return HelpText.subjectPage(subject) }
        // Only the names of endpoints and of APIs in groups have dots.
        if word.text.contains(".") { return HelpText.endpointPage(try registry.endpoint(word), showing: extent) }
        let candidates = words.commands.map { $0.name } + HelpTopic.all.map(\.name) + registry.names
        throw UsageError("unknown help topic \(word.shown)" + NearestWord.question(word.text, in: candidates))
    }

    /// Returns a function that makes the page about a command. If the words after the command name an endpoint, as in
    /// `help call movies.popular`, the page is about the endpoint.
    ///
    /// - Throws: ``UsageError`` for other words after the command.
    private static func page(
        about command: any Command.Type, _ words: CommandWords<Options>, showing extent: HelpExtent
    ) throws -> Page {
        let wordsAfterCommand = Array(words.operands.dropFirst())
        guard let firstWord = wordsAfterCommand.first else {
            return { HelpText.commandPage(command, $0, showing: extent) }
        }
        let takesEndpoint = [.call, .subject].contains(command.operands)
        guard takesEndpoint, let endpointName = try words.registry.joinedName(wordsAfterCommand) else {
            throw UsageError.unexpectedArgument(firstWord)
        }
        return HelpText.endpointPage(try words.registry.endpoint(endpointName), showing: extent)
    }

    /// Prints the page on stdout.
    func run(_ context: CommandContext) async throws -> ExitCode {
        let environment = context.environment
        let text = try makePage(context)
        // A page is for people. Completion, which is for a shell, makes its own texts safe.
        try environment.stdout.write(environment.marked(isPaged ? text.safeLines : text))
        return .success
    }
}
