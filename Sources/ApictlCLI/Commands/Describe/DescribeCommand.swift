import EndpointKit
import JSONText

/// `describe`: shows everything about an endpoint.
struct DescribeCommand: Command {
    let declaration: EndpointDeclaration
    let options: DisplayOptions

    var isPaged: Bool { true }

    func run(_ context: RunContext) async throws -> ExitCode {
        if options.json {
            let description = EndpointDescription(
                declaration, tool: context.tool, schema: declaration.responseShape?.jsonSchema)
            try BodyPrinter(options, context.environment).print(description)
        } else {
            try context.environment.stdout.write(DescriptionText.text(declaration, context))
        }
        return .success
    }
}

extension BodyPrinter {
    /// The printer for `list` and `describe`.
    init(_ options: DisplayOptions, _ environment: ProcessEnvironment) {
        self.init(
            output: environment.stdout, style: .pretty(indent: .spaces(2)),
            palette: environment.palette(options.color, for: environment.stdout))
    }
}
