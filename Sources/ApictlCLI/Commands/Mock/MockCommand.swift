import EndpointKit

/// `mock`: serves the samples of APIs on this machine until it is interrupted.
struct MockCommand: Command {
    /// The names of the APIs; none means all.
    var names: [Word] = []
    var options = MockOptions()

    /// The time in which responses under way are sent after an interruption.
    private static let drainTime = Duration.seconds(5)

    /// The command that `words` describe; nil for `--help`. Throws ``UsageError``.
    static func parse(_ words: [Word]) throws(UsageError) -> MockCommand? {
        var command = MockCommand()
        let (names, given) = try MockOptions.table.parse(words, into: &command.options)
        if command.options.help { return nil }
        try MockOptions.table.check(command.options, given: given)
        command.names = names
        return command
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        let environment = context.environment
        let catalogue = try MockCatalogue(
            apis(context.registry), usesPrefix: options.usesPrefix, statuses: options.statuses, in: context.registry)
        let failures = options.failRate.map { rate in
            MockFailures(rate: rate, seed: options.seed ?? UInt64(UInt32.random(in: 0 ... .max)))
        }
        // Nothing is ever sent on it: it ends when the run is cancelled or stderr fails.
        let (end, ending) = AsyncThrowingStream<Never, any Error>.makeStream()
        let isQuiet = options.quiet
        let responder = MockResponder(catalogue, latency: options.latency, failures: failures) { line in
            if isQuiet { return }
            do { try environment.stderr.write(line) } catch { ending.finish(throwing: error) }
        }
        // Before the server: its threads inherit the blocked signals.
        environment.watchSignals(Self.drainTime)
        let server = try responder.start(port: options.port)
        defer { server.drain() }
        try environment.stdout.write(server.baseURL + "\n")
        try environment.stderr.write(summary(catalogue, failures, address: server.baseURL, context))
        for try await _ in end {}
        throw CancellationError()
    }

    /// The APIs that are named, in the catalogue's order.
    private func apis(_ registry: Registry) throws(UsageError) -> [any API.Type] {
        if names.isEmpty { return registry.apis }
        var chosen: Set<String> = []
        for word in names {
            guard let api = registry.api(word.text) else {
                let nearest = Nearest.matches(word.text, in: registry.apis.map { $0.name })
                throw .unknownAPI(word.text, position: word.position, nearest: nearest)
            }
            chosen.insert(api.name)
        }
        return registry.apis.filter { chosen.contains($0.name) }
    }

    /// The routes of each API, and the variables that make a shell's calls go to the server.
    private func summary(
        _ catalogue: MockCatalogue, _ failures: MockFailures?, address: String, _ context: RunContext
    ) -> String {
        let table = Table(width: context.textWidth)
        var text = ""
        for mount in catalogue.mounts {
            let rows = mount.endpoints.map { endpoint in
                let notes = [
                    endpoint.status.map { "status \($0)" }, endpoint.sample == nil ? "no sample" : nil,
                ].compactMap(\.self)
                return [
                    endpoint.method, mount.path + endpoint.template,
                    endpoint.name + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"),
                ]
            }
            text += "\(mount.api.name)\n\(table.text(rows))"
        }
        if let failures { text += "\nFailures: \(failures.rate) of the requests, with --seed \(failures.seed)\n" }
        text += "\nTo call it from a shell:\n"
        for mount in catalogue.mounts {
            text += "export \(context.variableNames.url(of: mount.api))=\(address)\(mount.path)\n"
        }
        return text + "\n"
    }
}
