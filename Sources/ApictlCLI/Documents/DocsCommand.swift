import EndpointKit

/// `docs`: writes a page about APIs.
struct DocsCommand: Command {
    struct Options: CommandOptions {
        var common = CommonOptions()
        var output: String?
        var format: DocsFormat?
    }

    static let name = "docs"
    static let usage = "docs [PATTERN…] [-o FILE] [--format html|markdown]"
    static let summary = "write documentation as one page, which needs no other file and no network"
    static let operands = Operands.patterns
    static let table = OptionTable<Options>(command: [
        OptionGroup(
            title: "Options",
            options: [
                Option("output", short: "o", .file, "write to FILE; default -, stdout") { $0.output = $1 },
                Option(
                    "format",
                    .parsed(
                        "html|markdown", expected: "html or markdown",
                        completion: .values(DocsFormat.allCases.map(\.rawValue)), DocsFormat.init(rawValue:)),
                    "default html, or markdown if FILE ends in .md"
                ) { $0.format = $1 },
            ])
    ])

    static func notes(_ context: RunContext) -> CommandNotes {
        CommandNotes(paragraphs: [
            ListCommand.patternNote,
            "The page has no value of a variable. What looks like a credential in samples is removed.",
        ])
    }

    private let patterns: [Word]
    private let options: Options

    init(_ words: CommandWords<Options>) {
        patterns = words.others
        options = words.options
    }

    private var file: String? { options.output == "-" ? nil : options.output }

    var isPaged: Bool { file == nil }

    func run(_ context: RunContext) async throws -> ExitCode {
        let outline = try DocsOutline(context.registry.description(matching: patterns), context)
        let format = options.format ?? (file?.hasSuffix(".md") == true ? .markdown : .html)
        let text = format == .html ? DocsHTML.text(outline) : DocsMarkdown.text(outline)
        if let file {
            try context.environment.files.replace(file, with: text.exactBytes)
        } else {
            try context.environment.stdout.write(text)
        }
        return .success
    }
}

/// A format of documentation.
enum DocsFormat: String, CaseIterable { case html, markdown }
