import EndpointKit

/// `curl`: prints the curl command that sends the same request as `call`.
struct CurlCommand: Command {
    static let name = "curl"
    static let usage = "curl API.ENDPOINT [parameters] [options]"
    static let summary = "print the curl command that sends the same request"
    static let table = CallOptions.table
    static let operands = Operands.call

    static func notes(_ context: RunContext) -> CommandNotes {
        var notes = CallCommand.notes(context)
        notes.paragraphs.append("The printed command can be pasted into sh, bash, zsh and fish.")
        return notes
    }

    private let words: CallWords

    init(_ words: CommandWords<CallOptions>) throws { self.words = try words.call(of: Self.name) }

    func run(_ context: RunContext) async throws -> ExitCode {
        let resolver = try Resolver(
            context, environmentFiles: words.options.environmentFiles, apis: [words.declaration.api])
        let context = resolver.context
        let environment = context.environment
        let plan = try resolver.plan(words, .curl)
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
        request.headers.removeAll(where: plan.headersOmittedFromCurl.contains)
        self.init(request, replacement: plan.options.body)
        addOptions(
            CurlContext(
                options: plan.options, method: plan.request.method,
                passphraseVariable: context.variableNames.keyPassphrase, isSet: context.environment.isSet))
    }
}
