import EndpointKit
import JSONText

/// `describe`: everything there is to know of one endpoint.
struct DescribeCommand: ImmediateCommand {
    var endpoint: Word
    var json = false
    var color = ColorChoice.auto

    func run(_ context: RunContext) throws -> ExitCode {
        let declaration = try context.registry.endpoint(endpoint)
        let description = EndpointDescription(declaration, tool: context.tool)
        let output = context.environment.stdout
        if json {
            let printer = BodyPrinter(
                output: output, style: .pretty(indent: .spaces(2)),
                palette: context.environment.palette(color, for: output))
            try printer.printJSON(try JSONCoding.encode(description))
        } else {
            try output.write(DescriptionText.text(description))
        }
        return .success
    }
}
