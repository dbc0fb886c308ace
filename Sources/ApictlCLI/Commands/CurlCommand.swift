import EndpointKit
import JSONText

/// `curl`: prints the curl command that sends the same request as `call`.
struct CurlCommand: ImmediateCommand {
    var invocation: EndpointInvocation

    func run(_ context: RunContext) throws -> ExitCode {
        let environment = context.environment
        let declaration = try context.registry.endpoint(Word(text: invocation.endpoint, position: 2))
        let call = try invocation.call(declaration, environment)
        let request = try RequestPreparation(
            declaration: declaration, invocation: invocation, environment: environment, readsInput: false
        )
        .request(call, missing: .placeholder)
        try invocation.options.checkContinuing(request)
        var curl = CurlInvocation(request, replacement: invocation.options.body?.text)
        curl.add(invocation.options, for: request.method, environment.variable)
        for warning in curl.warnings {
            try environment.stderr.write("\(context.tool): \(warning.safeToShow)\n")
        }
        try environment.stdout.write(ShellText.command(curl) + "\n")
        return .success
    }
}
