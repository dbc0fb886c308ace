import EndpointKit
import JSONText

/// `openapi`: prints APIs as an OpenAPI document.
struct OpenAPICommand: Command {
    struct Options: CommandOptions {
        var common = CommonOptions()
        var output: String?
        var server: Word?
    }

    static let name = "openapi"
    static let usage = "openapi [PATTERN…] [-o FILE] [--env NAME]"
    static let summary = "print endpoints as an OpenAPI document"
    static let operands = Operands.patterns
    static let table = OptionTable<Options>(command: [
        OptionGroup(
            title: "Options",
            options: [
                Option("output", short: "o", .file, "write to FILE; default -, stdout") { $0.output = $1 },
                Option("env", .word("NAME", completion: .servers), "the only server to write, see describe") {
                    $0.server = $1
                },
            ])
    ])

    static func notes(_ context: RunContext) -> CommandNotes {
        CommandNotes(
            paragraphs: [
                ListCommand.patternNote,
                "The document is of version 3.1, and the same for the same declarations: it has the names of variables, never their values.",
            ],
            example: """
                  \(context.tool) openapi \(context.registry.apis.first?.name ?? "API") -o openapi.json

                """)
    }

    private let patterns: [Word]
    private let options: Options

    init(_ words: CommandWords<Options>) {
        patterns = words.others
        options = words.options
    }

    var isPaged: Bool { options.output == nil }

    func run(_ context: RunContext) async throws -> ExitCode {
        let document = try OpenAPIWriter.document(
            context.registry.description(matching: patterns), tool: context.tool, server: options.server)
        if let output = options.output, output != "-" {
            try context.environment.files.replace(output) { file in
                try BodyPrinter(output: file, style: .pretty(indent: .spaces(2)), palette: nil).print(document)
            }
        } else {
            try context.print(asJSON: true, options.common, document, or: "")
        }
        return .success
    }
}
