import EndpointKit
import JSONText

/// `mcp`: the catalogue as tools for programs that use models, over stdin and stdout.
struct MCPCommand: Command {
    static let name = "mcp"
    static let usage = "mcp [PATTERN…] [options]"
    static let summary = "serve endpoints as tools for agents, over stdin and stdout (Model Context Protocol)"
    static let operands = CommandOperands.patterns
    static let table = AgentOptions.table

    static func notes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(paragraphs: [
            "A client such as an editor or a chat program starts this; --print-config prints what to put into its configuration. \(ListCommand.patternNote)",
            "Up to \(Toolbox.maxEndpoints) endpoints are a tool each. More are found, described and called by find_endpoints, describe_endpoint and call_endpoint.",
            "Tools only read (GET, HEAD), unless --unsafe is given. Arguments are checked as on the command line, and results are what call prints; the text of a long one is an outline. Credentials come from variables, --env-file and the configuration, and no message has one.",
            "A program with a shell needs no server: '\(context.tool) help agents' is a page that teaches it the command line.",
        ])
    }

    private let words: CommandWords<AgentOptions>

    init(_ words: CommandWords<AgentOptions>) { self.words = words }

    func run(_ context: CommandContext) async throws -> ExitCode {
        let options = words.options
        // Messages come from stdin.
        try UsageError.check(readers: options.call.request.environmentFiles + [SourcedText("-", .preset)])
        let catalogue = try context.registry.description(matching: words.others)
        let apis = catalogue.apis.map(\.api)
        let resolver = try CallResolver(context, environmentFiles: options.call.request.environmentFiles, apis: apis)
        for api in apis {
            _ = try CallServerChoice(api, options.call.request.server, resolver.settings, resolver.context)?.base()
        }
        let environment = context.environment
        if options.printsConfiguration {
            // What clients have in their files of servers: the command, and the variables that it needs, without values.
            let words = words.all.filter { $0 != "--print-config" }
            let variables = CredentialVariable.all(of: apis).map { ($0.name, JSONValue("${\($0.name)}")) }
            let server = JSONValue(members: [
                "command": context.tool, "args": words, "env": variables.nonEmpty.map { JSONValue($0) },
            ])
            try BodyPrinter(output: environment.stdout, style: .pretty(indent: .spaces(2)))
                .print(["mcpServers": JSONValue([(context.tool, server)])])
            return .success
        }
        let tools = Toolbox(options, resolver, catalogue)
        // Clients show what is on stderr as an error.
        let isUseful = catalogue.endpoints.contains { options.allows($0.method) }
        let usage = "messages are read from stdin; see '\(context.tool) help \(Self.name)'"
        let notes = [isUseful ? nil : tools.omission, environment.stdin.isTerminal ? usage : nil]
        for case let note? in notes { try environment.stderr.write("note: \(note)\n") }
        // Before other threads are started: they inherit the blocked signals.
        environment.signals.watch(.milliseconds(200))
        let output = try environment.takeStdout?() ?? environment.stdout
        environment.transport.prepare()
        let stream = try MessageStream(environment.stdin, output, interrupt: environment.signals.interrupt)
        var session = ProtocolSession(stream, tools, context)
        try await session.run()
        try Task.checkCancellation()
        return .success
    }
}

/// The options of `mcp`.
struct AgentOptions: CommandOptions {
    /// Which tools there are.
    enum Form: String, CaseIterable { case auto, endpoints, search }

    var common = CommonOptions()
    var includesUnsafe = false
    var call = CallOptions()
    /// How long a text may be, in bytes.
    var maxBytes = 16_384
    var form = Form.auto
    var printsConfiguration = false

    func allows(_ method: String) -> Bool { includesUnsafe || HTTPMethod(rawValue: method).isSafe }

    static let table = OptionTable<AgentOptions>(command: [
        OptionGroup(
            title: "Options",
            options: [
                Option("unsafe", \.includesUnsafe, "also have tools that send POST, PUT, PATCH and DELETE")
            ] + ["server", "env-file"].compactMap { CallOptions.table[$0]?.lifted(to: \.call) } + [
                Option("max-bytes", .size(1024), "how long the text of a result may be, at least 1k; default 16k") {
                    $0.maxBytes = $1
                },
                Option(
                    "tools", .choice(Form.self),
                    "a tool for each endpoint, or tools to find and call them; auto: by their number"
                ) { $0.form = $1 },
                Option("print-config", \.printsConfiguration, "print what clients have in their configuration"),
            ])
    ])
}

/// `help agents`: the page that teaches a program with a shell to use this one; with its title, a file SKILL.md as it is.
enum AgentsPage {
    /// The most lines about APIs: the page is read into every conversation.
    private static let maxAPIs = 8

    static func text(_ context: CommandContext) -> String {
        let (tool, registry) = (context.tool, context.registry)
        let invocation = context.invocation
        func list(_ lines: [String]) -> String { lines.map { "- \($0)" }.joined(separator: "\n") }
        let endpoint = registry.exampleName ?? "API.ENDPOINT"
        let apis = registry.apis.map { $0.title }
        let more = apis.count > maxAPIs ? ["… and \(apis.count - maxAPIs) more"] : []
        let options = ["select", "all-pages", "max-items", "sample", "dry-run", "json-errors"]
        return String(
            template: PackageResources.skill_md,
            [
                "name": String(tool.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }),
                "tool": tool, "names": registry.apis.map { $0.name }.joined(separator: ", ").cut(to: 600),
                "apis": list(apis.prefix(maxAPIs) + more),
                "find": "`\(invocation) \(ListCommand.usage)`: \(ListCommand.summary)",
                "look": "`\(invocation) describe \(endpoint)`: \(DescribeCommand.summary)",
                "call":
                    "`\(invocation) call \(registry.trial(endpoint))`, then without the last word: \(CallCommand.summary)",
                "options": list(
                    options.compactMap { CallOptions.table[$0]?.spec }.map { "`\($0.syntax)`: \($0.help)" }),
                "codes": list(ExitCode.allCases.filter { $0.rawValue < 100 }.map { "\($0.rawValue): \($0.meaning)" }),
            ])
    }
}
