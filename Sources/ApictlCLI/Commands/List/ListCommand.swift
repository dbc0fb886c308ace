import EndpointKit
import JSONText

/// `list`: prints one line per endpoint.
struct ListCommand: Command {
    /// Endpoints that match any of these are listed; none lists everything.
    var patterns: [Word] = []
    var options = DisplayOptions()

    /// The command that `words` describe; nil for `--help`. Throws ``UsageError``.
    static func parse(_ words: [Word]) throws(UsageError) -> ListCommand? {
        var command = ListCommand()
        command.patterns = try DisplayOptions.listTable.parse(words, into: &command.options).positionals
        return command.options.help ? nil : command
    }

    var isPaged: Bool { true }

    func run(_ context: RunContext) async throws -> ExitCode {
        if options.lint { return try printLint(context) }
        let endpoints = try EndpointFilter.endpoints(
            matching: patterns, in: context.registry.summaries(), apis: context.registry.apis.map { $0.name })
        try options.print(EndpointList(endpoints: endpoints), or: text(endpoints, context), context.environment)
        return .success
    }

    /// `--lint`: prints what is probably wrong with the APIs or endpoints that match.
    private func printLint(_ context: RunContext) throws -> ExitCode {
        let patterns = patterns.map { NamePattern($0.text) }
        let findings = context.registry.apis.flatMap { $0.lint() }.filter { finding in
            patterns.isEmpty || patterns.contains { $0.matches(finding.name) }
        }
        try options.print(
            LintReport(findings: findings), or: findings.map { "\($0.description.safeToShow)\n" }.joined(),
            context.environment)
        return findings.isEmpty ? .success : .failure
    }

    /// The endpoints grouped by API, under the API's name and summary.
    private func text(_ endpoints: [EndpointSummary], _ context: RunContext) -> String {
        let table = Table(width: context.textWidth)
        let colors = HeadColors(options.color, for: context.environment.stdout, context.environment)
        var text = ""
        for api in context.registry.apis {
            let prefix = api.name + "."
            let own = endpoints.filter { $0.name.hasPrefix(prefix) }
            let rows =
                own.map { [$0.name, $0.method, $0.path, $0.summary] }
                + (patterns.isEmpty ? api.rowsWithoutExample(own) : [])
            let title = api.name + (api.summary.isEmpty ? "" : ": " + api.summary)
            if !rows.isEmpty { text += title + "\n" }
            for (row, line) in zip(rows, table.lines(rows)) { text += colored(line, method: row[1], colors) + "\n" }
        }
        return text
    }

    /// The row `line` with its method in colour.
    private func colored(_ line: String, method: String, _ colors: HeadColors) -> String {
        guard colors.isOn, !method.isEmpty,
            let place = line.indices.first(where: { line[$0...].hasPrefix("  \(method)  ") })
        else { return line }
        let rest = line[place...].dropFirst(2 + method.count)
        return line[..<place] + "  " + colors.method(method) + rest
    }
}

/// What `list --json` prints.
private struct EndpointList: Encodable {
    let version = 1
    let endpoints: [EndpointSummary]
}

/// What `list --lint --json` prints.
private struct LintReport: Encodable {
    let version = 1
    let findings: [LintFinding]
}
