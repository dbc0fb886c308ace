import EndpointKit
import JSONText

/// `describe`: shows everything about an endpoint.
struct DescribeCommand: Command {
    let declaration: EndpointDeclaration
    let options: DisplayOptions

    var isPaged: Bool { true }

    func run(_ context: RunContext) async throws -> ExitCode {
        try options.print(
            EndpointDescription(declaration, tool: context.tool, schema: declaration.responseShape?.jsonSchema),
            or: DescriptionText.text(declaration, context), context.environment)
        return .success
    }
}
