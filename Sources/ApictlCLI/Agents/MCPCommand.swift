import EndpointKit
import EndpointTools
import JSONText

/// The command `mcp`, which serves the catalogue as tools for agents, over stdin and stdout.
struct MCPCommand: Command {
    static let name = "mcp"
    static let usage = "mcp [PATTERN…] [options]"
    static let summary = "serve endpoints as tools for agents (Model Context Protocol)"
    static let operands = CommandOperands.patterns
    static let table = AgentOptions.table

    /// Returns the paragraphs that the help page of the command has below its usage.
    static func notes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(paragraphs: [
            """
            A client such as an editor or a chat program starts this command, and talks to it over stdin and stdout. \
            --print-config prints the lines for the client's configuration. \(ListCommand.patternNote)
            """,
            """
            Up to \(Toolbox.maxEndpoints) endpoints become a tool each. If there are more, the tools find_endpoints, \
            describe_endpoint and call_endpoint find, describe and call them.
            """,
            """
            Tools only read (GET, HEAD), unless you give --unsafe. Arguments are checked as on the command line, and \
            results are the same as those of call. The text of a long result is an outline. Credentials come from \
            variables, --env-file and the configuration, and appear in no message.
            """,
            """
            A program with a shell needs no server: '\(context.tool) help agents' is a page that teaches it the \
            command line.
            """,
        ])
    }

    private let words: CommandWords<AgentOptions>

    private var options: AgentOptions { words.options }

    init(_ words: CommandWords<AgentOptions>) { self.words = words }

    /// Serves the tools until the client ends, or prints what a client has in its configuration.
    func run(_ context: CommandContext) async throws -> ExitCode {
        let environmentFiles = options.call.request.environmentFiles
        // Messages of the client come from stdin (`-`). So an option that reads a file from stdin as well is an error.
        try UsageError.requireAtMostOneStdin(among: environmentFiles + [SourcedText("-", .preset)])
        let catalogue = try context.registry.description(matching: words.operands)
        let apis = catalogue.apis.map(\.api)
        let resolver = try CallResolver(context, environmentFiles: environmentFiles, apis: apis)
        try validateServers(of: apis, resolver)
        if options.printsConfiguration {
            try printConfiguration(context, apis)
            return .success
        }
        let tools = Toolbox(options, resolver, catalogue)
        try writeNotes(about: tools, catalogue, context)
        try await serve(tools, context)
        return .success
    }

    /// Checks that each API has the server that `--server`, a variable or the configuration chooses for it.
    ///
    /// A wrong server is reported when the command starts, instead of in the result of each call.
    ///
    /// - Throws: ``UsageError`` if an API has no such server.
    private func validateServers(of apis: [CatalogueAPI], _ resolver: CallResolver) throws {
        for api in apis {
            // Nil without a choice. Then the API's first server is used.
            let choice = CallServerChoice(
                api, options.call.request.server, resolver.settings, resolver.context)
            // The URL itself is not needed here, only the error of a wrong choice.
            _ = try choice?.base()
        }
    }

    /// Prints the entry for the list of servers in a client's configuration.
    ///
    /// The entry has the command with its arguments, and the names of the variables that the APIs' credentials need:
    ///
    ///     {"mcpServers": {"apictl": {"command": "apictl", "args": ["mcp"], "env": {"API_KEY": "${API_KEY}"}}}}
    private func printConfiguration(_ context: CommandContext, _ apis: [CatalogueAPI]) throws {
        let arguments = words.all.filter { $0 != "--print-config" }
        let variables = CredentialVariable.all(of: apis).map { ($0.name, JSONValue("${\($0.name)}")) }
        let server = JSONValue(members: [
            "command": context.tool,
            "args": arguments,
            "env": variables.nonEmpty.map { JSONValue($0) },
        ])
        let printer = BodyPrinter(output: context.environment.stdout, style: .pretty(indent: .spaces(2)))
        try printer.print(["mcpServers": JSONValue([(context.tool, server)])])
    }

    /// Writes notes to stderr for a person who wonders why no endpoint can be called, or who started the command by
    /// hand, so that it waits for messages on a terminal.
    private func writeNotes(
        about tools: Toolbox, _ catalogue: CatalogueDescription, _ context: CommandContext
    ) throws {
        let environment = context.environment
        // Clients show any text on stderr as an error. It is no error that some endpoints need `--unsafe`, so the note
        // is written only if no endpoint at all can be called.
        let canCallAny = catalogue.endpoints.contains { options.allows($0.method) }
        if !canCallAny, let omission = tools.omission {
            try environment.stderr.write("note: \(omission)\n")
        }
        if environment.stdin.isTerminal {
            try environment.stderr.write(
                "note: messages are read from stdin; see '\(context.tool) help \(Self.name)'\n")
        }
    }

    /// Answers the messages of one client until it closes stdin.
    ///
    /// - Throws: `CancellationError` after a signal, and the errors of stdout.
    private func serve(_ tools: Toolbox, _ context: CommandContext) async throws {
        let environment = context.environment
        // Signals must be blocked before any thread is started, because threads inherit what is blocked. After a
        // signal, calls have 200 ms to end.
        environment.signals.startHandling(.milliseconds(200))
        // From here on, stray output of this process goes to stderr. In stdout it would break the protocol.
        let output = try environment.takeStdout?() ?? environment.stdout
        let stream = try MessageStream(environment.stdin, output, interrupt: environment.signals.interrupt)
        var session = ProtocolSession(stream, tools, context)
        try await session.run()
        try Task.checkCancellation()
    }
}
