import EndpointKit
import EndpointTools

/// Which options a page of help shows.
enum HelpExtent: Sendable {
    /// The options that most people need.
    case common
    /// All options.
    case all

    /// Returns the options that are shown, under their headings. A heading without options is left out.
    func shown(_ groups: [OptionSpecGroup]) -> [OptionSpecGroup] {
        guard self == .common else { return groups }
        return groups.map { group in
            OptionSpecGroup(title: group.title, options: group.options.filter { $0.use == .common })
        }.filter { !$0.options.isEmpty }
    }
}

/// The pages of help about the tool, commands, APIs and endpoints.
enum HelpText {
    /// Returns the page of `help`: commands to try, the APIs, all commands and topics.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - extent: With all options, each command is shown with its syntax.
    static func overview(_ context: CommandContext, _ extent: HelpExtent = .common) -> String {
        let table = context.table
        let title = "\(context.tool) calls HTTP APIs by name: every endpoint is a command, every parameter a flag."
        let apis = context.registry.outermostSubjects.map { [$0.name, $0.summary] }
        let commands = context.commands.map { [extent == .all ? $0.usage : $0.name, $0.summary] }
        let sections = [
            TextWrap.text(title, width: table.width) + "\n",
            table.section("Try", examples(context)),
            table.section("APIs", apis),
            table.section("Commands", commands),
        ]
        let paragraphs = nextSteps(context).map { "\n" + TextWrap.text($0, width: table.width) + "\n" }
        return (sections + paragraphs).joined()
    }

    /// Returns the paragraphs at the end of the overview: what may be left out, and where there is more help.
    private static func nextSteps(_ context: CommandContext) -> [String] {
        let tool = context.tool
        let api = context.registry.exampleName.map { $0.prefix { $0 != "." } } ?? "API"
        let topics = HelpTopic.all.map(\.name).joined(separator: ", ")
        return [
            "call and describe may be left out: '\(tool) \(api)', '\(tool) \(api).ENDPOINT', '\(tool) URL'.",
            """
            '\(tool) help COMMAND' shows a command's options, '\(tool) help API.ENDPOINT' an endpoint's parameters, \
            '\(tool) --version' the version. More help, as '\(tool) help TOPIC': \(topics).
            """,
        ]
    }

    /// Returns rows of a command line to start with and the description of its output. They need no network if there
    /// are samples.
    static func examples(_ context: CommandContext) -> [[String]] {
        let endpoint = context.registry.exampleName ?? "API.ENDPOINT"
        let api = endpoint.prefix { $0 != "." }
        let trial = context.registry.offlineArguments(endpoint)
        let hasSample = trial.hasSuffix("--sample")
        return [
            ["call \(trial)", hasSample ? "a recorded response: no network, no key" : "the request; nothing is sent"],
            ["\(api)", "its servers, credentials and endpoints"],
            ["curl \(endpoint)", "the request as a curl command"],
            hasSample
                ? ["mock \(api)", "a local server with recorded responses"]
                : ["mock \(api) --record DIR", "a local server that records the real one"],
            ["call URL", "a request without an API"],
            ["--api FILE|URL list", "the endpoints of an OpenAPI document"],
        ].map { ["\(context.invocation) \($0[0])", $0[1]] }
    }

    /// Returns the page about a command: usage, summary, options, notes, and how to see its other options.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - context: The context.
    ///   - extent: The options to show.
    ///   - excluded: The names of options that are not listed.
    static func command(
        _ command: any Command.Type, _ context: CommandContext, _ extent: HelpExtent = .common,
        without excluded: Set<String> = []
    ) -> String {
        let table = context.table
        let groups = extent.shown(command.groups.map { $0.without(excluded) }.filter { !$0.options.isEmpty })
        let notes = command.notes(context).text(table)
        let explanations = [command.summary, command.usageNote].filter { !$0.isEmpty }
            .map { "  " + TextWrap.text($0, width: table.width, hang: 2) + "\n" }
        let head = "\(context.tool) \(command.usage)\n" + explanations.joined()
        var page = head + options(groups, table)
        if !notes.isEmpty { page += "\n" + notes }
        let hiddenCount = command.groups.optionCount - groups.optionCount
        if hiddenCount > 0 {
            page += "\n\(hiddenCount.counted("more option")): '\(context.tool) help \(command.name) --all'\n"
        }
        return page
    }

    /// Returns the page about an API, a group or an endpoint.
    static func subject(_ subject: Subject) -> HelpCommand.Page {
        switch subject {
        case .api(let api): { try APIDescription(api, $0).text($0) }
        case .group(let group): { try GroupDescription(group, $0).text($0) }
        case .endpoint(let declaration): endpoint(declaration)
        }
    }

    /// Returns the page about an endpoint, with the names of the options of `call`.
    static func endpoint(_ declaration: EndpointDeclaration, _ extent: HelpExtent = .common) -> HelpCommand.Page {
        { context in
            let groups = CallCommand.groups.map { $0.without(CallOptions.ofURLs) }
            let rows = extent.shown(groups).filter { !$0.options.isEmpty }.map { group in
                [group.title, group.options.map(\.flag).joined(separator: " ")]
            }
            let help = "'\(context.tool) help call'"
            let hint =
                extent == .all ? "\(help) says what they do." : "\(help) says what they do, with --all what others do."
            return EndpointDescription(declaration).text(declaration, context)
                + context.table.section("Options of call", rows) + "  \(hint)\n"
        }
    }

    /// Returns the options under their headings.
    ///
    /// All options are laid out as one table, so that their help texts are aligned, and then divided among the groups.
    private static func options(_ groups: [OptionSpecGroup], _ table: Table) -> String {
        let rows = groups.flatMap(\.options).map { option in
            [(option.short.map { "-\($0), " } ?? "    ") + option.syntax, option.help]
        }
        var lines = table.lines(rows)[...]
        var text = ""
        for group in groups {
            text += "\n\(group.title)\n"
            for line in lines.prefix(group.options.count) { text += line + "\n" }
            lines = lines.dropFirst(group.options.count)
        }
        return text
    }
}

extension [OptionSpecGroup] {
    /// How many options the groups have together.
    fileprivate var optionCount: Int { reduce(0) { $0 + $1.options.count } }
}
