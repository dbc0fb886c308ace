import EndpointKit
import JSONText

/// `describe`: shows everything about an endpoint.
struct DescribeCommand: Command {
    let declaration: EndpointDeclaration
    let options: DisplayOptions

    func run(_ context: RunContext) async throws -> ExitCode {
        let shape = declaration.endpoint.response.shape(
            sample: declaration.endpoint.sample?.bytes, coding: declaration.api.coding)
        let description = EndpointDescription(declaration, tool: context.tool, schema: shape?.jsonSchema)
        if options.json {
            try BodyPrinter(options, context.environment).print(description)
        } else {
            try context.environment.stdout.write(DescriptionText.text(description, outline: shape?.outline))
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
