import EndpointKit
import EndpointTools

/// A command with its options and operands, as parsed from a command line. Operands are the words that are not options.
///
/// A type describes its command by static properties. The parser, help, completion and the manual page are made from
/// them. An instance is one use of the command, which ``run(_:)`` executes.
protocol Command: Sendable {
    /// The values of the command's options.
    associatedtype Options: CommandOptions

    // MARK: The description of the command

    /// The word that names the command, such as `list`.
    static var name: String { get }
    /// The syntax of the command with its name, such as `list [PATTERN…] [--json]`.
    static var usage: String { get }
    /// A sentence that explains a word of ``usage``, to stand below it; empty if there is none.
    static var usageNote: String { get }
    /// The purpose of the command in a few words, in lower case and without a period.
    static var summary: String { get }
    /// All options that the command accepts.
    static var table: OptionTable<Options> { get }
    /// The options that the help of the command lists, under their headings.
    static var groups: [OptionSpecGroup] { get }
    /// The meaning of the words that are not options.
    static var operands: CommandOperands { get }
    /// The names of programs that the command takes in the place of its first operand, such as `curl` for `import`. All
    /// words after such a name belong to that program.
    static var foreignPrograms: Set<String> { get }
    /// Returns the end of the command's help page, after usage, summary and options.
    static func notes(_ context: CommandContext) -> CommandNotes

    // MARK: One use of the command

    /// Makes the command from the words of a command line.
    ///
    /// - Throws: ``UsageError`` for words that the command can't use.
    init(_ words: CommandWords<Options>) throws
    /// The API whose configuration decides on colours and on the pager; nil if the command is not about one API.
    var api: CatalogueAPI? { get }
    /// Whether the output is a text to read, which is shown in a pager if the terminal is too short for it.
    var isPaged: Bool { get }
    /// Runs the command, and prints its result on stdout.
    ///
    /// - Returns: The exit code.
    /// - Throws: Any error that ``Failure`` turns into a message and an exit code.
    func run(_ context: CommandContext) async throws -> ExitCode
}

// MARK: - Defaults

extension Command {
    /// By default, nothing in the usage needs an explanation.
    static var usageNote: String { "" }

    /// By default, help lists all options that the command accepts.
    static var groups: [OptionSpecGroup] {
        table.groups.map { group in OptionSpecGroup(title: group.title, options: group.options.map(\.spec)) }
    }

    /// By default, a command takes options only, so that any other word is an error.
    static var operands: CommandOperands { .nothing }

    /// By default, all words belong to the command itself.
    static var foreignPrograms: Set<String> { [] }

    /// By default, help ends after the options.
    static func notes(_ context: CommandContext) -> CommandNotes { CommandNotes() }

    /// By default, a command is not about one API.
    var api: CatalogueAPI? { nil }

    /// By default, the output is not a text to read page by page.
    var isPaged: Bool { false }
}

extension Command {
    /// How the options of the command are spelled and described, without what they do.
    static var specs: [OptionSpec] { table.specs }
}

/// Options under a heading, as help shows them.
struct OptionSpecGroup {
    let title: String
    let options: [OptionSpec]

    /// Returns this group without the options of these names.
    func without(_ names: Set<String>) -> OptionSpecGroup {
        OptionSpecGroup(title: title, options: options.filter { !names.contains($0.name) })
    }
}

/// The values of a command's options.
protocol CommandOptions: Sendable {
    /// Makes the values for a command line without options.
    init()
    /// The values of the options that every command has.
    var common: CommonOptions { get set }
}

/// The meaning of a command's operands: the words that are not options.
enum CommandOperands: Sendable, Equatable {
    /// The command takes no such words.
    case nothing
    /// Names of APIs and groups.
    case apis
    /// A command, an API, an endpoint or a topic of help.
    case topics
    /// Paths of files.
    case files
    /// Patterns that choose endpoints.
    case patterns
    /// An API, a group or an endpoint.
    case subject
    /// An endpoint and its parameters.
    case call
    /// One of these words.
    case values([String])
    /// One of these words, then files.
    case valueAndFiles([String])
}

/// The text of help about a topic, or the end of the help about a command, after usage, summary and options.
struct CommandNotes {
    /// Rows of a name and its meaning. They follow the paragraphs.
    var rows: [[String]] = []
    /// The paragraphs at the start.
    var paragraphs: [String] = []
    /// Paragraphs after the rows. One that starts with a dash is an item of a list.
    var closing: [String] = []
    /// Lines that are not wrapped, at the end.
    var example = ""

    /// Returns the parts that are not empty, in the order of help: paragraphs, rows, closing paragraphs, example.
    ///
    /// - Parameter table: The layout, which has the width of lines.
    func text(_ table: Table) -> String {
        let parts = [
            Self.wrapped(paragraphs, width: table.width), table.text(rows),
            Self.wrapped(closing, width: table.width), example,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Returns paragraphs with lines of at most `width` columns. The lines of a list's item are aligned after its dash.
    private static func wrapped(_ paragraphs: [String], width: Int) -> String {
        paragraphs.map { paragraph in
            let isListItem = paragraph.hasPrefix("- ")
            return TextWrap.text(paragraph, width: width, hang: isListItem ? 2 : 0) + "\n"
        }.joined()
    }
}

extension Apictl {
    /// The commands in the order of help.
    static let commands: [any Command.Type] = [
        ListCommand.self, DescribeCommand.self, CallCommand.self, CurlCommand.self, CheckCommand.self, DiffCommand.self,
        MockCommand.self, LoginCommand.self, LogoutCommand.self, TokenCommand.self,
        FormatCommand.self, ImportCommand.self, OpenAPICommand.self, DocsCommand.self,
        MCPCommand.self, ConfigCommand.self, CompletionsCommand.self, HelpCommand.self,
    ]
}
