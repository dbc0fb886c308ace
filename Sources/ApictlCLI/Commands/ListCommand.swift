import EndpointKit
import JSONText

/// `list`: one line an endpoint.
struct ListCommand: ImmediateCommand {
    /// A part of a name, or a glob with `*` and `?` for the whole of it; nil lists everything.
    var pattern: Word?
    var json = false
    var color = ColorChoice.auto

    func run(_ context: RunContext) throws -> ExitCode {
        var endpoints = try context.registry.summaries()
        if let pattern {
            // Swift's spelling of a name is as good.
            let kebab = pattern.text.split(separator: ".", omittingEmptySubsequences: false)
                .map { KebabCase.text(String($0)) }.joined(separator: ".")
            let patterns = [NamePattern(pattern.text), NamePattern(kebab)]
            endpoints = endpoints.filter { endpoint in patterns.contains { $0.matches(endpoint.name) } }
            if endpoints.isEmpty {
                let names = try context.registry.apis.map { $0.name } + context.registry.summaries().map(\.name)
                throw UsageError.noMatch(
                    pattern.text, position: pattern.position, nearest: Nearest.match(pattern.text, in: names))
            }
        }
        let output = context.environment.stdout
        if json {
            let printer = BodyPrinter(
                output: output, style: .pretty(indent: .spaces(2)),
                palette: context.environment.palette(color, for: output))
            try printer.printJSON(try JSONCoding.encode(endpoints))
        } else {
            let rows = endpoints.map { [$0.name, $0.method, $0.path, $0.summary] }
            try output.write(Table.text(rows))
        }
        return .success
    }
}
