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

    /// Prints a description as JSON or as text.
    ///
    /// - Parameters:
    ///   - asJSON: Whether `description` is printed instead of `text`. The other one is not made.
    ///   - options: The options that decide on colours.
    ///   - description: The description, for JSON.
    ///   - text: The description as text.
    func print<Description: Encodable>(
        asJSON: Bool, _ options: CommonOptions, _ description: @autoclosure () throws -> Description,
        or text: @autoclosure () throws -> String
    ) throws {
        let output = environment.stdout
        guard asJSON else { return try output.write(environment.marked(text().safeLines)) }
        let isColored = environment.isColored(options.color, output, isForPrograms: true)
        let printer = BodyPrinter(output: output, style: .pretty(indent: .spaces(2)), isColored: isColored)
        try printer.print(description())
    }
}
