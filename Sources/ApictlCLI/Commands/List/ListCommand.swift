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
        PATTERN is the name of an API or group, or a part of an endpoint's name, method, path or summary. With * or ?, \
        it must match one of these as a whole.
        """

    /// Explains patterns, and the lines that a program can read.
    static func notes(_ context: CommandContext) -> CommandNotes {
        let lines = "In a pipe, each endpoint is a line: name, method, path and summary, with tabs between them."
        return CommandNotes(paragraphs: [patternNote, lines])
    }

    /// The patterns that choose the endpoints to list. Without any, all endpoints are listed.
    let patterns: [SourcedText]
    let options: Options

    init(_ words: CommandWords<Options>) {
        patterns = words.operands
        options = words.options
    }

    var isPaged: Bool { true }

    /// Prints the endpoints that match, or what `--lint` finds.
    ///
    /// A terminal gets columns under the titles of the APIs, a pipe gets lines, and `--json` prints JSON.
    func run(_ context: CommandContext) async throws -> ExitCode {
        if options.lint { return try printLint(context) }
        let description = try context.registry.description(matching: patterns)
        let environment = context.environment
        if options.json || environment.stdout.isTerminal {
            try context.print(
                asJSON: options.json, options.common, json: description.json,
                text: Self.columns(description, context.table))
        } else {
            try environment.stdout.write(environment.marked(Self.lines(description)))
        }
        return .success
    }

    /// Returns the endpoints for a person: in columns, under the titles of their APIs.
    private static func columns(_ description: CatalogueDescription, _ table: Table) -> String {
        description.apis.map { "\($0.api.title)\n\(table.text($0.endpoints.map(\.row)))" }.joined()
    }

    /// Returns the endpoints for other programs: a line for each, with tabs between name, method, path and summary.
    private static func lines(_ description: CatalogueDescription) -> String {
        description.endpoints.map { endpoint in
            endpoint.row.map(\.safeToShow).joined(separator: "\t") + "\n"
        }.joined()
    }

    /// Prints what `--lint` finds: probable mistakes in the declarations of the APIs and endpoints that match.
    ///
    /// - Returns: Success if nothing is found.
    /// - Throws: ``Failure`` with the exit code 1 if anything is found, ``UsageError`` for a pattern that matches
    ///   nothing, and the error of stdout.
    private func printLint(_ context: CommandContext) throws -> ExitCode {
        let findings = try lintFindings(in: context.registry)
        try context.print(
            asJSON: options.json, options.common, json: LintReport(findings: findings),
            text: findings.map { "\($0.description.safeToShow)\n" }.joined())
        let code = findings.isEmpty ? ExitCode.success : .failure
        return try code.successOrThrow(findings.count.counted("finding"))
    }

    /// Returns the findings about the endpoints that match the patterns, and about the APIs that the patterns name.
    ///
    /// - Throws: ``UsageError`` for a pattern that matches nothing.
    private func lintFindings(in registry: APIRegistry) throws -> [LintFinding] {
        if patterns.isEmpty { return registry.apisWithoutNames.flatMap { $0.lint() } }
        let endpointNames = try registry.description(matching: patterns).endpoints.map(\.name)
        let apiNames = patterns.flatMap { registry.apiOrGroup($0.text)?.apis ?? [] }.map(\.name)
        // A finding may be about an endpoint that can't be listed, and whose name is not in `endpointNames` therefore.
        let namePatterns = patterns.filter { registry.apiOrGroup($0.text) == nil }.map { NamePattern($0.text) }
        let allFindings = registry.apis.flatMap { $0.lint() }
        return allFindings.filter { finding in
            let isListed = endpointNames.contains(finding.name) || apiNames.contains(finding.name)
            return isListed || namePatterns.contains { $0.matches(finding.name) }
        }
    }
}

/// The output of `list --lint --json`.
private struct LintReport: Encodable {
    let version = 1
    let findings: [LintFinding]
}
