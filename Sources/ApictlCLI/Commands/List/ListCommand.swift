import EndpointKit
import JSONText

/// `list`: prints one line per endpoint.
struct ListCommand: Command {
    /// Part of a name, or a glob with `*` and `?` for the whole name; nil lists everything.
    var pattern: Word?
    var options = DisplayOptions()

    /// The command that `words` describe; nil for `--help`. Throws ``UsageError``.
    static func parse(_ words: [Word]) throws(UsageError) -> ListCommand? {
        var command = ListCommand()
        command.pattern = try DisplayOptions.table.parse(words, into: &command.options, most: 1).positionals.first
        return command.options.help ? nil : command
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        var endpoints = try context.registry.summaries()
        if let pattern {
            // Names in Swift's spelling match too.
            let kebab = pattern.text.split(separator: ".", omittingEmptySubsequences: false)
                .map { KebabCase.text(String($0)) }.joined(separator: ".")
            let patterns = [NamePattern(pattern.text), NamePattern(kebab)]
            let all = endpoints
            endpoints = all.filter { endpoint in patterns.contains { $0.matches(endpoint.name) } }
            if endpoints.isEmpty {
                let names = context.registry.apis.map { $0.name } + all.map(\.name)
                throw UsageError.noMatch(
                    pattern.text, position: pattern.position, nearest: Nearest.match(pattern.text, in: names))
            }
        }
        if options.json {
            try BodyPrinter(options, context.environment).print(endpoints)
        } else {
            try context.environment.stdout.write(text(endpoints, context.registry))
        }
        return .success
    }

    /// The endpoints grouped by API, under the API's name and summary.
    private func text(_ endpoints: [EndpointSummary], _ registry: Registry) -> String {
        var lines = Table.lines(endpoints.map { [$0.name, $0.method, $0.path, $0.summary] }, indent: "  ")[...]
        var text = ""
        for api in registry.apis {
            let prefix = api.name + "."
            let count = endpoints.count { $0.name.hasPrefix(prefix) }
            if count == 0 { continue }
            text += api.name + (api.summary.isEmpty ? "" : ": " + api.summary) + "\n"
            for line in lines.prefix(count) { text += line + "\n" }
            lines = lines.dropFirst(count)
        }
        return text
    }
}
