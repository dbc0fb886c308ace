import EndpointKit
import JSONText

/// A command that writes a document about endpoints to stdout or into a file.
protocol DocumentCommand: Command where Options == DocumentOptions {
    /// A sentence about the document, for help.
    static var note: String { get }
    /// The words that were typed.
    var words: CommandWords<DocumentOptions> { get }
    /// Writes the document about the endpoints of a catalogue to `output`.
    func write(_ catalogue: CatalogueDescription, to output: any ByteOutput, context: CommandContext) throws
}

extension DocumentCommand {
    static var operands: CommandOperands { .patterns }

    static func notes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(paragraphs: [ListCommand.patternNote, note])
    }

    /// Whether a pager shows the document. It does unless the document is written into a file.
    var isPaged: Bool { words.options.file == nil }

    /// Writes the document about the endpoints that match the patterns of the command line, into the file of `--output`
    /// or to stdout. The file is replaced only if the whole document could be written.
    ///
    /// - Throws: ``UsageError`` for a pattern that matches nothing, and ``FileError``.
    func run(_ context: CommandContext) async throws -> ExitCode {
        let catalogue = try context.registry.description(matching: words.operands)
        if let file = words.options.file {
            try context.environment.files.replace(file) { try write(catalogue, to: $0, context: context) }
        } else {
            try write(catalogue, to: context.environment.stdout, context: context)
        }
        return .success
    }
}

/// The options of `openapi` and `docs`.
struct DocumentOptions: CommandOptions {
    var common = CommonOptions()
    /// The file to write; nil for stdout.
    var file: String?
    /// The name of the only server to write; nil for all.
    var server: SourcedText?
    /// The format; nil for the one that the name of the file tells.
    var format: DocsFormat?

    /// Returns the options of a command: `--output`, which both commands have, and one option more.
    fileprivate static func table(withOutputAnd option: Option<DocumentOptions>) -> OptionTable<DocumentOptions> {
        let output = Option<DocumentOptions>("output", short: "o", .file, "write to FILE; default -, stdout") {
            $0.file = $1 == "-" ? nil : $1
        }
        return OptionTable(command: [OptionGroup(title: "Options", options: [output, option])])
    }
}

/// `openapi`: prints APIs as an OpenAPI document.
struct OpenAPICommand: DocumentCommand {
    static let name = "openapi"
    static let usage = "openapi [PATTERN…] [-o FILE] [--server NAME]"
    static let summary = "print endpoints as an OpenAPI document"
    static let note =
        """
        Writes OpenAPI 3.1 (3.2 if an API of a document needs it). The same declarations give the same bytes. The \
        document has the names of variables, never their values.
        """
    static let table = DocumentOptions.table(
        withOutputAnd: .server("the only server to write, see describe") { $0.server = $1 })

    let words: CommandWords<DocumentOptions>

    init(_ words: CommandWords<DocumentOptions>) { self.words = words }

    /// Writes the OpenAPI document, in colours if it goes to a terminal.
    func write(_ catalogue: CatalogueDescription, to output: any ByteOutput, context: CommandContext) throws {
        let document = try OpenAPIWriter.document(catalogue, tool: context.tool, server: words.options.server)
        let isForFile = words.options.file != nil
        let isColored =
            !isForFile && context.environment.isColored(words.options.common.color, output, isForPrograms: true)
        try BodyPrinter(output: output, style: .pretty(indent: .spaces(2)), isColored: isColored)
            .printJSON(Array(document.written))
    }
}

/// `docs`: writes a page about APIs.
struct DocsCommand: DocumentCommand {
    static let name = "docs"
    static let usage = "docs [PATTERN…] [-o FILE] [--format html|markdown]"
    static let summary = "write documentation as one page"
    static let note =
        "The page needs no other file and no network. No variable's value is on it, and secrets in samples are removed."
    static let table = DocumentOptions.table(
        withOutputAnd: Option("format", .choice(DocsFormat.self), "default html, or markdown if FILE ends in .md") {
            $0.format = $1
        })

    let words: CommandWords<DocumentOptions>

    init(_ words: CommandWords<DocumentOptions>) { self.words = words }

    /// Writes the page in the format of `--format`. Without the option, a file whose name ends in `.md` gets Markdown,
    /// and anything else HTML.
    func write(_ catalogue: CatalogueDescription, to output: any ByteOutput, context: CommandContext) throws {
        let isMarkdownFile = words.options.file?.hasSuffix(".md") == true
        let format = words.options.format ?? (isMarkdownFile ? .markdown : .html)
        try output.write(DocsPage.text(about: catalogue, in: format, context: context).exactBytes)
    }
}
