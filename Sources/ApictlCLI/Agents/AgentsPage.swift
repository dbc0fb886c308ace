import EndpointKit

/// The page of `help agents`, which teaches the command line to a program that can run shell commands.
///
/// The page begins with a title in the format of a file SKILL.md (agentskills.io), so that it can be saved as one.
enum AgentsPage {
    /// The most APIs that are listed. A page must be short, because it is part of every conversation.
    private static let maxAPIs = 8
    /// The most bytes for the names of APIs in the title, whose length is limited to 1,024 characters.
    private static let maxNames = 600
    /// The options of `call` that agents use.
    private static let optionNames = ["select", "all-pages", "max-items", "sample", "dry-run", "json-errors"]

    /// Returns the page as Markdown: the template `skill.md`, in which `<!--find-->` and other marks are replaced by
    /// facts about this tool and its APIs.
    static func text(_ context: CommandContext) -> String {
        let tool = context.tool
        let registry = context.registry
        let invocation = context.invocation
        let endpoint = registry.exampleName ?? "API.ENDPOINT"
        // An example call whose last word is `--sample` or `--dry-run`, so that trying it sends nothing.
        let offlineArguments = registry.offlineArguments(endpoint)
        let offlineOption = offlineArguments.split(separator: " ").last ?? ""
        let apiNames = registry.apis.map { $0.name }.joined(separator: ", ")
        return String(
            template: PackageResources.skill_md,
            [
                "name": skillName(of: tool),
                "tool": tool,
                "names": apiNames.cut(to: maxNames),
                "apis": markdownList(of: apiTitles(in: registry)),
                "find": "`\(invocation) \(ListCommand.usage)`: \(ListCommand.summary)",
                "look": "`\(invocation) describe \(endpoint)`: \(DescribeCommand.summary)",
                "call":
                    "`\(invocation) call \(offlineArguments)`, then without \(offlineOption): \(CallCommand.summary)",
                "options": markdownList(of: optionLines),
                "codes": markdownList(of: exitCodeLines),
            ])
    }

    /// Returns the name of the tool in the characters that the name of a skill may have: `my-tool` for `My.Tool`.
    private static func skillName(of tool: String) -> String {
        String(tool.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    }

    /// Returns the titles of the first ``maxAPIs`` APIs, and a last line such as `… and 3 more` if there are others.
    private static func apiTitles(in registry: APIRegistry) -> [String] {
        var titles = registry.apis.prefix(maxAPIs).map { $0.title }
        let omitted = registry.apis.count - titles.count
        if omitted > 0 { titles.append("… and \(omitted) more") }
        return titles
    }

    /// The lines about ``optionNames``: the syntax of an option and its help.
    private static var optionLines: [String] {
        let specs = optionNames.compactMap { CallOptions.table[$0]?.spec }
        return specs.map { "`\($0.syntax)`: \($0.help)" }
    }

    /// The lines about exit codes, such as `2: …`. The codes of signals, which are 100 and more, are left out, because
    /// an agent can't react to them.
    private static var exitCodeLines: [String] {
        let codes = ExitCode.allCases.filter { $0.rawValue < 100 }
        return codes.map { "\($0.rawValue): \($0.meaning)" }
    }

    /// Returns lines as a list in Markdown, each after a dash.
    private static func markdownList(of lines: [String]) -> String {
        lines.map { "- \($0)" }.joined(separator: "\n")
    }
}
