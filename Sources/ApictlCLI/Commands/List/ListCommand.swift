import EndpointKit
import EndpointTools
import JSONText

/// `list`: prints one line per endpoint.
struct ListCommand: Command {
    struct Options: CommandOptions {
        var common = CommonOptions()
        var json = false
        var lint = false
    }

    static let name = "list"
    static let usage = "list [PATTERN…] [--json] [--lint]"
    static let summary = "list endpoints"
    static let operands = CommandOperands.patterns
    static let table = OptionTable<Options>(command: [
        OptionGroup(
            title: "Options",
            options: [
                Option("json", "print JSON") { $0.json = true },
                Option("lint", "show what is probably wrong in the declarations; exit 1 if anything is") {
                    $0.lint = true
                },
            ])
    ])

    /// The sentence about patterns for the help of all commands that take them.
    static let patternNote =
        """
        PATTERN is the name of an API or group, or else part of an endpoint's name, method, path or summary. With * \
        or ?, it must match one of them as a whole.
        """

    static func notes(_ context: CommandContext) -> CommandNotes {
        let lines = "In a pipe, each endpoint is a line: name, method, path and summary, with tabs between them."
        return CommandNotes(paragraphs: [patternNote, lines])
    }

    /// The patterns that choose the endpoints to list. Without any, all endpoints are listed.
    let patterns: [SourcedText]
    let options: Options

    init(_ words: CommandWords<Options>) {
        patterns = words.others
        options = words.options
    }

    var isPaged: Bool { true }

    /// Prints the endpoints that match, under the titles of their APIs, or what `--lint` finds.
    func run(_ context: CommandContext) async throws -> ExitCode {
        if options.lint { return try printLint(context) }
        let description = try context.registry.description(matching: patterns)
        if !options.json, !context.environment.stdout.isTerminal {
            try context.environment.stdout.write(context.environment.marked(Self.lines(description)))
            return .success
        }
        try context.print(
            asJSON: options.json, options.common, description.json, or: Self.text(description, context))
        return .success
    }

    /// Returns the endpoints under the titles of their APIs, in columns for a person.
    private static func text(_ description: CatalogueDescription, _ context: CommandContext) -> String {
        description.apis.map { "\($0.api.title)\n\(context.table.text($0.endpoints.map(\.row)))" }.joined()
    }

    /// Returns a line for each endpoint, for other programs: name, method, path and summary with tabs between them.
    private static func lines(_ description: CatalogueDescription) -> String {
        description.endpoints.map { $0.row.map(\.safeToShow).joined(separator: "\t") + "\n" }.joined()
    }

    /// Prints what `--lint` finds: probable mistakes in the declarations of the APIs and endpoints that match.
    ///
    /// - Returns: The exit code: a failure if there are any.
    private func printLint(_ context: CommandContext) throws -> ExitCode {
        let findings = try findings(context.registry)
        try context.print(
            asJSON: options.json, options.common,
            LintReport(findings: findings), or: findings.map { "\($0.description.safeToShow)\n" }.joined())
        let code = findings.isEmpty ? ExitCode.success : .failure
        return try code.reported(findings.count.counted("finding"))
    }

    /// Returns the findings about the endpoints that match the patterns, and about APIs that they name.
    ///
    /// A finding may be about an endpoint that can't be listed, so that patterns are also compared with its own name.
    private func findings(_ registry: APIRegistry) throws -> [LintFinding] {
        if patterns.isEmpty { return registry.apisWithoutNames.flatMap { $0.lint() } }
        let all = registry.apis.flatMap { $0.lint() }
        let endpoints = try registry.description(matching: patterns).endpoints.map(\.name)
        let apis = patterns.flatMap { registry.apiOrGroup($0.text)?.apis ?? [] }.map(\.name)
        let namePatterns = patterns.filter { registry.apiOrGroup($0.text) == nil }.map { NamePattern($0.text) }
        return all.filter { finding in
            let isNamed = endpoints.contains(finding.name) || apis.contains(finding.name)
            return isNamed || namePatterns.contains { $0.matches(finding.name) }
        }
    }
}

/// The output of `list --lint --json`.
private struct LintReport: Encodable {
    let version = 1
    let findings: [LintFinding]
}
