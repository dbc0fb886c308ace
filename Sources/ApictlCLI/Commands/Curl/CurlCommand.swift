import EndpointKit

/// `curl`: prints the curl command that sends the same request as `call`.
struct CurlCommand: Command {
    let arguments: CallArguments

    func run(_ context: RunContext) async throws -> ExitCode {
        let (arguments, context) = try arguments.configured(context, runsCommands: false)
        let environment = context.environment
        let plan = try PlanResolver(arguments: arguments, purpose: .print, context: context).plan()
        let curl = CurlInvocation(plan, context)
        for warning in curl.warnings {
            try environment.stderr.write("note: \(warning.safeToShow)\n")
        }
        try environment.stdout.write(ShellText.command(curl) + "\n")
        return .success
    }
}

extension CurlInvocation {
    /// The command that does what `plan` says.
    init(_ plan: CallPlan, _ context: RunContext) {
        var request = plan.request
        request.headers.removeAll(where: plan.headersOfCurl.contains)
        self.init(request, replacement: plan.options.body)
        addOptions(
            CurlContext(
                options: plan.options, method: plan.request.method,
                passphraseVariable: context.variableNames.keyPassphrase, isSet: context.environment.isSet))
    }
}

extension CurlCommand {
    static func help(_ context: RunContext) -> CommandHelp {
        var help = CallCommand.help(context)
        help.paragraphs.append("The printed command can be pasted into sh, bash, zsh and fish.")
        return help
    }
}
