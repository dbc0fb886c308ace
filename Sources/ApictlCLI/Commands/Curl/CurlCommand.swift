import EndpointKit
import EndpointTools

/// `curl`: prints the curl command that sends the same request as `call`.
struct CurlCommand: Command {
    static let name = "curl"
    static let usage = "curl API.ENDPOINT|URL [parameters] [options]"
    static let summary = "print the curl command that sends the same request"
    static let table = CallOptions.table
    static let operands = CommandOperands.call

    /// The options that change the printed command, and those of every command.
    ///
    /// `curl` accepts the other options of `call` too, so that a line of `call` becomes one of `curl` by its first
    /// word. Help does not list them.
    static var groups: [OptionSpecGroup] {
        let groups = CallCommand.groups.map { group in
            let options = group.options.filter { CurlOption.listed.contains($0.name) }
            return OptionSpecGroup(title: group.title, options: options)
        }
        return groups.filter { !$0.options.isEmpty }
    }

    /// The notes of `call`, and a paragraph about the printed command.
    static func notes(_ context: CommandContext) -> CommandNotes {
        var notes = CallCommand.notes(context)
        notes.paragraphs.append(
            """
            The printed command can be pasted into sh, bash, zsh and fish. Options of call that curl does not have, \
            such as --select and --timing, are left out. A note on stderr names them.
            """
        )
        return notes
    }

    private let request: CallRequest

    init(_ words: CommandWords<CallOptions>) throws { request = try words.request(of: Self.name, with: words.options) }

    /// Prints the curl command on stdout, and on stderr notes about its differences from `call`. Nothing is sent.
    ///
    /// With `--json-errors`, stderr has no notes.
    func run(_ context: CommandContext) async throws -> ExitCode {
        // Reading stdin may take long, and an interruption is to be reported as JSON too. The command has 200 ms for
        // that.
        if context.reportsJSON { context.environment.signals.startHandling(.milliseconds(200)) }
        let request = try context.completed(request)
        let resolver = try CallResolver(
            context, environmentFiles: request.options.request.environmentFiles, apis: [request.declaration.api])
        let plan = try resolver.resolveForCurl(request)
        var curl = CurlCommandText(plan, resolver.context)
        let environment = context.environment
        // The shell does not know variables whose values come from --env-file and the configuration.
        let variablesUnknownToShell = plan.request.usedVariables.filter { !environment.isSet($0) }
        for name in variablesUnknownToShell { curl.warnAboutUnsetVariable(name) }
        if !context.reportsJSON {
            for warning in curl.warnings { try environment.stderr.write("note: \(warning.safeToShow)\n") }
        }
        try environment.stdout.write(ShellText.command(curl) + "\n")
        return .success
    }
}
