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

    static func notes(_ context: CommandContext) -> CommandNotes {
        let topics = HelpTopic.all.map { [$0.name, $0.summary] }
        return CommandNotes(
            rows: topics, paragraphs: ["COMMAND --help is the same as help COMMAND. These are the topics:"])
    }

    /// A function that makes a page of help.
    typealias Page = @Sendable (CommandContext) throws -> String

    private let page: Page
    let isPaged: Bool

    init(_ words: CommandWords<Options>) throws {
        if words.options.printsManual { try words.requireAtMost(0) }
        self.init(words.options.printsManual ? ManualPage.text : try Self.page(words))
    }

    /// Makes a command that prints a text, as `--version`, `--help` and `__complete` need it.
    init(isPaged: Bool = true, _ page: @escaping Page) {
        self.page = page
        self.isPaged = isPaged
    }

    /// Returns the page about the command, topic, API, group or endpoint that the words name. Without words, it is the
    /// overview.
    ///
    /// - Throws: ``UsageError`` if there is no such page.
    private static func page(_ words: CommandWords<Options>) throws -> Page {
        let registry = words.registry
        let others = words.others
        let extent: HelpExtent = words.options.showsAll ? .all : .common
        if let command = words.commands.first(where: { $0.name == others.first?.text }) {
            if others.count == 1 { return { HelpText.command(command, $0, extent) } }
            // `help call movies.popular` is about the endpoint.
            guard [.call, .subject].contains(command.operands),
                let name = try registry.joinedName(Array(others.dropFirst()))
            else { throw UsageError.unexpectedArgument(others[1]) }
            return HelpText.endpoint(try registry.endpoint(name), extent)
        }
        guard let word = try registry.joinedName(others) else { return { HelpText.overview($0, extent) } }
        let topic = HelpTopic.all.first { $0.name == word.text }
        let subject = registry.apiOrGroup(word.text)
        if topic != nil || subject != nil, extent == .all {
            throw UsageError("--all is for a command or an endpoint, not for \(word.shown)")
        }
        if let topic { return topic.text }
        if let subject { return HelpText.subject(subject) }
        if word.text.contains(".") { return HelpText.endpoint(try registry.endpoint(word), extent) }
        let known = words.commands.map { $0.name } + HelpTopic.all.map(\.name) + registry.names
        throw UsageError("unknown help topic \(word.shown)" + NearestWord.question(word.text, in: known))
    }

    func run(_ context: CommandContext) async throws -> ExitCode {
        let environment = context.environment
        let text = try page(context)
        // A page is for people. Completion, which is for a shell, makes its own texts safe.
        try environment.stdout.write(environment.marked(isPaged ? text.safeLines : text))
        return .success
    }
}
