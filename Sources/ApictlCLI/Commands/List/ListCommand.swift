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
        command.patterns = try DisplayOptions.table.parse(words, into: &command.options).positionals
        return command.options.help ? nil : command
    }

    var isPaged: Bool { true }

    func run(_ context: RunContext) async throws -> ExitCode {
        let endpoints = try EndpointFilter.endpoints(
            matching: patterns, in: context.registry.summaries(), apis: context.registry.apis.map { $0.name })
        if options.json {
            try BodyPrinter(options, context.environment).print(EndpointList(endpoints: endpoints))
        } else {
            try context.environment.stdout.write(text(endpoints, context))
        }
        return .success
    }

    /// The endpoints grouped by API, under the API's name and summary.
    private func text(_ endpoints: [EndpointSummary], _ context: RunContext) -> String {
        let table = Table(width: context.textWidth)
        return context.registry.apis.map { api in
            let rows = endpoints.filter { $0.name.hasPrefix(api.name + ".") }
                .map { [$0.name, $0.method, $0.path, $0.summary] }
            let title = api.name + (api.summary.isEmpty ? "" : ": " + api.summary)
            return rows.isEmpty ? "" : "\(title)\n" + table.text(rows)
        }.joined()
    }
}

/// What `list --json` prints.
private struct EndpointList: Encodable {
    let version = 1
    let endpoints: [EndpointSummary]
}
