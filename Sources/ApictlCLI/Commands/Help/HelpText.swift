import EndpointKit
import EndpointTools

/// Which options a page of help shows.
enum HelpExtent: Sendable {
    /// The options that most people need.
    case common
    /// All options.
    case all

    /// Returns the options that are shown, under their headings. A heading without options is left out.
    func shownOptions(of groups: [OptionSpecGroup]) -> [OptionSpecGroup] {
        let shownGroups = groups.map { group in
            let options = group.options.filter { self == .all || $0.use == .common }
            return OptionSpecGroup(title: group.title, options: options)
        }
        return shownGroups.filter { !$0.options.isEmpty }
    }
}

/// The pages of help about the tool, commands, APIs and endpoints.
enum HelpText {
    /// Returns the page of `help`: commands to try, the APIs, all commands and topics.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - extent: Whether each command is shown with its syntax (``HelpExtent/all``), or by its name.
    static func overview(_ context: CommandContext, showing extent: HelpExtent = .common) -> String {
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
        let api = exampleEndpoint(context).prefix { $0 != "." }
        let topics = HelpTopic.all.map(\.name).joined(separator: ", ")
        return [
            "call and describe may be left out: '\(tool) \(api)', '\(tool) \(api).ENDPOINT', '\(tool) URL'.",
            """
            '\(tool) help COMMAND' shows a command's options, '\(tool) help API.ENDPOINT' an endpoint's parameters, \
            '\(tool) --version' the version. More help, as '\(tool) help TOPIC': \(topics).
            """,
        ]
    }

    /// Returns rows of command lines to start with. Each row has a command and the description of its output.
    ///
    ///     ["apictl call movies.popular --sample", "a recorded response: no network, no key"]
    ///
    /// If the first endpoint has a sample, the commands about it need no network.
    static func examples(_ context: CommandContext) -> [[String]] {
        let endpoint = exampleEndpoint(context)
        let api = endpoint.prefix { $0 != "." }
        let offlineArguments = context.registry.offlineArguments(endpoint)
        let hasSample = offlineArguments.hasSuffix("--sample")
        let callResult = hasSample ? "a recorded response: no network, no key" : "the request; nothing is sent"
        let mockRow =
            hasSample
            ? ["mock \(api)", "a local server with recorded responses"]
            : ["mock \(api) --record DIR", "a local server that records the real one"]
        let rows = [
            ["call \(offlineArguments)", callResult],
            ["\(api)", "its servers, credentials and endpoints"],
            ["curl \(endpoint)", "the request as a curl command"],
            mockRow,
            ["call URL", "a request without an API"],
            ["--api FILE|URL list", "the endpoints of an OpenAPI document"],
        ]
        return rows.map { ["\(context.invocation) \($0[0])", $0[1]] }
    }

    /// Returns the name of the first endpoint, or a placeholder if there are no APIs.
    private static func exampleEndpoint(_ context: CommandContext) -> String {
        context.registry.exampleName ?? "API.ENDPOINT"
    }

    /// Returns the page about a command: usage, summary, options, notes, and how to see its other options.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - context: The context.
    ///   - extent: The options to show. A line at the end says how many others there are.
    ///   - excludedOptions: The names of options that are never shown, whatever `extent` is. The line counts them too.
    static func commandPage(
        _ command: any Command.Type, _ context: CommandContext, showing extent: HelpExtent = .common,
        without excludedOptions: Set<String> = []
    ) -> String {
        let table = context.table
        var page = "\(context.tool) \(command.usage)\n"
        for explanation in [command.summary, command.usageNote] {
            if explanation.isEmpty { continue }
            page += "  " + TextWrap.text(explanation, width: table.width, hang: 2) + "\n"
        }
        let listedGroups = command.groups.map { $0.without(excludedOptions) }
        let shownGroups = extent.shownOptions(of: listedGroups)
        page += options(in: shownGroups, table)
        let notes = command.notes(context).text(table)
        if !notes.isEmpty { page += "\n" + notes }
        let hiddenCount = command.groups.optionCount - shownGroups.optionCount
        if hiddenCount > 0 {
            page += "\n\(hiddenCount.counted("more option")): '\(context.tool) help \(command.name) --all'\n"
        }
        return page
    }

    /// Returns a function that makes the page about an API, a group or an endpoint.
    static func subjectPage(_ subject: Subject) -> HelpCommand.Page {
        switch subject {
        case .api(let api): { try APIDescription(api, $0).text($0) }
        case .group(let group): { try GroupDescription(group, $0).text($0) }
        case .endpoint(let declaration): endpointPage(declaration)
        }
    }

    /// Returns a function that makes the page about an endpoint: its description, and the names of the options of
    /// `call`.
    static func endpointPage(
        _ declaration: EndpointDeclaration, showing extent: HelpExtent = .common
    ) -> HelpCommand.Page {
        { context in
            EndpointDescription(declaration).text(declaration, context) + namesOfCallOptions(context, showing: extent)
        }
    }

    /// Returns the section of an endpoint's page with the names of the options of `call`, a row for each heading.
    private static func namesOfCallOptions(_ context: CommandContext, showing extent: HelpExtent) -> String {
        let groups = extent.shownOptions(of: CallCommand.groups.map { $0.without(CallOptions.ofURLs) })
        let rows = groups.map { group in
            [group.title, group.options.map(\.flag).joined(separator: " ")]
        }
        var hint = "'\(context.tool) help call' says what they do"
        if extent == .common { hint += ", with --all what others do" }
        return context.table.section("Options of call", rows) + "  \(hint).\n"
    }

    /// Returns the options under their headings.
    ///
    /// All options are laid out as one table, so that their help texts are aligned. Then the lines of the table are
    /// divided among the groups. Each option has one line.
    private static func options(in groups: [OptionSpecGroup], _ table: Table) -> String {
        let rows = groups.flatMap(\.options).map { option in
            // Without a short form, four blanks take the place of `-o, `.
            let shortForm = option.short.map { "-\($0), " } ?? "    "
            return [shortForm + option.syntax, option.help]
        }
        var remainingLines = table.lines(rows)[...]
        var text = ""
        for group in groups {
            text += "\n\(group.title)\n"
            let optionCount = group.options.count
            for line in remainingLines.prefix(optionCount) { text += line + "\n" }
            remainingLines = remainingLines.dropFirst(optionCount)
        }
        return text
    }
}

extension [OptionSpecGroup] {
    /// How many options the groups have together.
    fileprivate var optionCount: Int { reduce(0) { $0 + $1.options.count } }
}
