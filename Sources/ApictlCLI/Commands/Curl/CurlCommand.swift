import EndpointKit

/// `curl`: prints the curl command that sends the same request as `call`.
struct CurlCommand: Command {
    let arguments: CallArguments

    func run(_ context: RunContext) async throws -> ExitCode {
        let environment = context.environment
        let plan = try PlanResolver(arguments: arguments, purpose: .print, context: context).plan()
        var curl = CurlInvocation(plan.request, replacement: plan.options.body)
        curl.addOptions(
            CurlContext(
                options: plan.options, method: plan.request.method,
                passphraseVariable: context.variableNames.keyPassphrase
            ) { !(environment.variable($0) ?? "").isEmpty })
        for warning in curl.warnings {
            try environment.stderr.write("note: \(warning.safeToShow)\n")
        }
        try environment.stdout.write(ShellText.command(curl) + "\n")
        return .success
    }
}
