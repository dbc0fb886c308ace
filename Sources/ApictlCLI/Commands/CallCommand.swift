import EndpointKit

/// `call`: sends one request and shows the answer.
struct CallCommand: TransferCommand {
    var invocation: EndpointInvocation

    func run(_ context: RunContext) async throws -> ExitCode {
        let declaration = try context.registry.endpoint(Word(text: invocation.endpoint, position: 2))
        let call = try invocation.call(declaration, context.environment)
        return try await CallRunner(
            tool: context.tool, userAgent: "\(context.tool)/\(context.version)", declaration: declaration,
            invocation: invocation, environment: context.environment, call: call
        ).run()
    }
}
