import EndpointKit
import EndpointTools

/// A command with its options, as parsed from a command line.
///
/// A command describes itself. Help, completion and the manual page are made from its static properties.
protocol Command: Sendable {
    associatedtype Options: CommandOptions

    /// The word that names the command.
    static var name: String { get }
    /// The syntax of the command, with its name.
    static var usage: String { get }
    /// A sentence that explains a word of ``usage``, to stand below it; empty if there is none.
    static var usageNote: String { get }
    /// The purpose of the command in a few words.
    static var summary: String { get }
    /// The options that the command accepts.
    static var table: OptionTable<Options> { get }
    /// The options that the help of the command lists, under their headings.
    static var groups: [OptionSpecGroup] { get }
    /// The meaning of the words that are not options.
    static var operands: CommandOperands { get }
    /// The words after which all others belong to another program, such as `curl` for `import`.
    static var foreignPrograms: Set<String> { get }
    /// Returns the text of help after usage, summary and options.
    static func notes(_ context: CommandContext) -> CommandNotes

    /// Takes the words of a command line.
    ///
    /// - Throws: ``UsageError`` for words that the command can't use.
    init(_ words: CommandWords<Options>) throws
    /// The API whose settings apply to how results are shown; nil if the command is not about one API.
    var api: CatalogueAPI? { get }
    /// Whether the output is a text to read, which is shown in a pager if the terminal is too short for it.
    var isPaged: Bool { get }
    /// Runs the command.
    ///
    /// - Returns: The exit code.
    /// - Throws: Any error that ``Failure`` turns into a message and an exit code.
    func run(_ context: CommandContext) async throws -> ExitCode
}

extension Command {
    static var usageNote: String { "" }
    static var operands: CommandOperands { .nothing }
    static var foreignPrograms: Set<String> { [] }
    static func notes(_ context: CommandContext) -> CommandNotes { CommandNotes() }
    var api: CatalogueAPI? { nil }
    var isPaged: Bool { false }

    /// All options that the command accepts.
    static var specs: [OptionSpec] { table.specs }

    /// All options that the command accepts, under their headings.
    static var groups: [OptionSpecGroup] {
        table.groups.map { OptionSpecGroup(title: $0.title, options: $0.options.map(\.spec)) }
    }
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

/// The options of a command.
protocol CommandOptions: Sendable {
    init()
    var common: CommonOptions { get set }
}

/// The meaning of a command's words that are not options.
enum CommandOperands: Sendable, Equatable {
    case nothing, apis, topics, files
    /// Patterns that choose endpoints.
    case patterns
    /// An API or an endpoint.
    case subject
    /// An endpoint and its parameters.
    case call
    case values([String])
    /// One of these words, then files.
    case valueAndFiles([String])
}

/// The text of help about a topic, or the end of the help about a command, after usage, summary and options.
struct CommandNotes {
    /// Rows of a name and its meaning. They follow the paragraphs.
    var rows: [[String]] = []
    var paragraphs: [String] = []
    /// Paragraphs after the rows. One that starts with a dash is an item of a list.
    var closing: [String] = []
    /// Lines that are not wrapped, at the end.
    var example = ""

    /// Returns the parts that are not empty, in the order of help: paragraphs, rows, closing paragraphs, example.
    ///
    /// - Parameter table: The layout, which has the width of lines.
    func text(_ table: Table) -> String {
        func wrapped(_ paragraph: String) -> String {
            TextWrap.text(paragraph, width: table.width, hang: paragraph.hasPrefix("- ") ? 2 : 0) + "\n"
        }
        let parts = [
            paragraphs.map(wrapped).joined(), table.text(rows), closing.map(wrapped).joined(), example,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
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
