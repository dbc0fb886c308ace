import EndpointKit
import EndpointTools

/// What every command needs: the APIs and the process around it.
struct CommandContext: Sendable {
    /// The name of the tool, for messages and help.
    let tool: String
    let version: String
    var registry: APIRegistry
    let commands: [any Command.Type]
    var environment: ProcessEnvironment
    /// The configuration, or why it can't be used; nil if there is none.
    var configuration: Result<Configuration?, any Error> = .success(nil)
    /// Whether stderr holds nothing but a failure as one line of JSON, and what options ask for.
    var reportsJSON = false

    /// The layout of help and descriptions: as wide as the terminal, at least 40 columns; 80 elsewhere.
    var table: Table { Table(width: max(environment.stdout.columns ?? 80, 40), marked: environment.marked) }

    /// The start of commands that the tool proposes: `apictl`, or `apictl --api shop.yaml`.
    var invocation: String { registry.invocation }

    var variableNames: VariableNames { VariableNames(tool: tool) }

    /// Prints `description`, or `text`; only what is printed is made.
    func print<Description: Encodable>(
        asJSON: Bool, _ options: CommonOptions, _ description: @autoclosure () throws -> Description,
        or text: @autoclosure () throws -> String
    ) throws {
        let output = environment.stdout
        guard asJSON else { return try output.write(environment.marked(text())) }
        let isColored = environment.isColored(options.color, output)
        try BodyPrinter(output: output, style: .pretty(indent: .spaces(2)), isColored: isColored).print(description())
    }
}

/// A command with its options, as parsed from a command line. It describes itself: help, completion and the manual page ask it.
protocol Command: Sendable {
    associatedtype Options: CommandOptions

    /// The word that names it.
    static var name: String { get }
    /// Its syntax, with its name.
    static var usage: String { get }
    /// What it does, in a few words.
    static var summary: String { get }
    static var table: OptionTable<Options> { get }
    /// What its words other than options are.
    static var operands: CommandOperands { get }
    /// Words after which all that follow are another program's.
    static var foreignPrograms: Set<String> { get }
    /// What help says besides usage, summary and options.
    static func notes(_ context: CommandContext) -> CommandNotes

    /// Throws ``UsageError`` for words that the command can't use.
    init(_ words: CommandWords<Options>) throws
    /// The API whose settings count for how results are shown; nil if the command is not about one.
    var api: CatalogueAPI? { get }
    /// Whether its output is a text to read, for which a terminal may be too short.
    var isPaged: Bool { get }
    /// Carries the command out. Throws what ``Failure`` turns into text and an exit code.
    func run(_ context: CommandContext) async throws -> ExitCode
}

extension Command {
    static var operands: CommandOperands { .none }
    static var foreignPrograms: Set<String> { [] }
    static func notes(_ context: CommandContext) -> CommandNotes { CommandNotes() }
    var api: CatalogueAPI? { nil }
    var isPaged: Bool { false }

    /// The options under their headings.
    static var groups: [(title: String, options: [OptionSpec])] {
        table.groups.map { ($0.title, $0.options.map(\.spec)) }
    }
}

/// The options of a command.
protocol CommandOptions: Sendable {
    init()
    var common: CommonOptions { get set }
}

/// What the words of a command are that are not options.
enum CommandOperands: Sendable, Equatable {
    case none, apis, topics, files
    /// Patterns that choose endpoints.
    case patterns
    /// An API or an endpoint.
    case subject
    /// An endpoint and its parameters.
    case call
    case values([String])
    /// One of these words, and files.
    case valueAndFiles([String])
}

/// What help says about a topic, or about a command besides usage, summary and options.
struct CommandNotes {
    /// Names, and what they mean; they follow the paragraphs.
    var rows: [[String]] = []
    var paragraphs: [String] = []
    /// Lines that are not wrapped.
    var example = ""

    func text(_ table: Table) -> String {
        let paragraphs = paragraphs.map { TextWrap.text($0, width: table.width) + "\n" }.joined()
        return [paragraphs, table.text(rows), example].filter { !$0.isEmpty }.joined(separator: "\n")
    }
}

/// The words of a command line, checked against the command's options.
struct CommandWords<Options: CommandOptions>: Sendable {
    var options = Options()
    /// All words of the command line.
    var all: [String] = []
    /// The words that are not options.
    var others: [SourcedText] = []
    /// The endpoint and its parameters; nil unless the command is about a call and an endpoint is named.
    var call: CallWords?
    let registry: APIRegistry
    let commands: [any Command.Type]

    /// Begins the call of the endpoint or URL that the other words name; does nothing without any. Throws ``UsageError``.
    @discardableResult
    mutating func beginCall(mayBeURL: Bool = false) throws -> EndpointDeclaration? {
        if mayBeURL, let word = others.first, CalledURL.begins(word.text) {
            call = CallWords(try CallRequest(CalledURL(word)))
            return nil
        }
        guard let name = try registry.name(others) else { return nil }
        let declaration = try registry.endpoint(name)
        call = CallWords(CallRequest(declaration))
        return declaration
    }

    /// Throws ``UsageError`` if there are more than `count` other words.
    func requireAtMost(_ count: Int) throws(UsageError) {
        if others.count > count { throw .unexpectedArgument(others[count]) }
    }
}

/// The commands, in the order of help.
extension Apictl {
    static let commands: [any Command.Type] = [
        ListCommand.self, DescribeCommand.self, CallCommand.self, CurlCommand.self, CheckCommand.self, DiffCommand.self,
        MockCommand.self, FormatCommand.self, ImportCommand.self, OpenAPICommand.self, DocsCommand.self,
        MCPCommand.self, ConfigCommand.self, CompletionsCommand.self, HelpCommand.self,
    ]
}
