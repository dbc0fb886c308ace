import EndpointKit
import EndpointTools

/// The APIs, the commands and the process around them, which every command gets.
struct CommandContext: Sendable {
    /// The name of the tool, for messages and help.
    let tool: String
    let version: String
    @Indirect var registry: APIRegistry
    let commands: [any Command.Type]
    @Indirect var environment: ProcessEnvironment
    /// The configuration, or the error of reading it; nil if there is none.
    @Indirect var configuration: Result<Configuration?, any Error> = .success(nil)
    /// Whether failures are reported as one line of JSON (`--json-errors`). Stderr then has nothing else, except the
    /// notes that options ask for.
    var reportsJSON = false
    /// Shows on a terminal what the call is waiting for; nil if nothing is shown.
    var activity: ActivityLine?

    /// The layout of help and descriptions: as wide as the terminal, but at least 40 columns; 80 columns if stdout is
    /// no terminal.
    var table: Table { Table(width: max(environment.stdout.columns ?? 80, 40), marked: environment.marked) }

    /// The start of commands that the tool proposes: `apictl`, or `apictl --api shop.yaml` if the APIs come from a
    /// document.
    var invocation: String { registry.invocation }

    /// The names of the environment variables that the tool reads, which begin with its own name.
    var variableNames: VariableNames { VariableNames(tool: tool) }

    /// Prints a description on stdout, as JSON or as text. Only the one that is printed is made.
    ///
    /// - Parameters:
    ///   - asJSON: Whether `json` is printed, and not `text`.
    ///   - options: The options of the command. `--color` decides on colours in JSON.
    ///   - json: The description for programs.
    ///   - text: The description for people. Control characters in it are made visible.
    func print<Description: Encodable>(
        asJSON: Bool, _ options: CommonOptions, json: @autoclosure () throws -> Description,
        text: @autoclosure () throws -> String
    ) throws {
        let output = environment.stdout
        if asJSON {
            let isColored = environment.isColored(options.color, output, isForPrograms: true)
            let printer = BodyPrinter(output: output, style: .pretty(indent: .spaces(2)), isColored: isColored)
            try printer.print(json())
        } else {
            try output.write(environment.marked(text().safeLines))
        }
    }
}
