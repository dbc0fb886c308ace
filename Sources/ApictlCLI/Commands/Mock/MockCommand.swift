import EndpointKit
import MockServer

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
        let apis = try apis(context.registry)
        let catalogue = try MockCatalogue(
            apis, usesPrefix: options.usesPrefix, statuses: options.statuses, in: context.registry)
        // Nothing is ever sent on it: it ends when the run is cancelled or stderr fails.
        let (end, ending) = AsyncThrowingStream<Never, any Error>.makeStream()
        let write: @Sendable (String) -> Void = { text in
            do { try environment.stderr.write(text) } catch { ending.finish(throwing: error) }
        }
        let note: @Sendable (String) -> Void = { write("\(context.tool): \($0.safeToShow)\n") }
        let seed = options.seed ?? UInt64(UInt32.random(in: 0 ... .max))
        let chance = options.isRandom ? MockChance(seed: seed) : nil
        var replies = EndpointReplies(
            statuses: catalogue.statuses, failRate: options.failRate, isStrict: options.isStrict,
            requiresCredentials: options.requiresCredentials)
        replies.samples = try options.samples.map {
            try SampleDirectory($0, environment.files, catalogue.routes, report: note)
        }
        replies.forwarder = try options.record.map { directory in
            let recorder = try SampleRecorder(directory, environment.files, report: note)
            return try MockForwarder(catalogue.routes, server: options.server, recorder, context)
        }
        let isQuiet = options.quiet
        let responder = try MockResponder(
            catalogue, replies, options.delivery, chance, now: environment.secondsSince1970
        ) { if !isQuiet { write($0) } }
        // Before the server: its threads inherit the blocked signals.
        environment.watchSignals(Self.drainTime)
        if replies.forwarder != nil { environment.transport.prepare() }
        let server = try responder.start(host: options.host, port: options.port)
        defer { server.drain() }
        try replies.forwarder?.requireOthers(than: server, apis)
        try environment.stdout.write(server.baseURL + "\n")
        try environment.stderr.write(summary(catalogue, chance, address: server.baseURL, context))
        for try await _ in end {}
        throw CancellationError()
    }

    /// The APIs that are named, in the catalogue's order.
    private func apis(_ registry: Registry) throws(UsageError) -> [any API.Type] {
        if names.isEmpty { return registry.apis }
        var chosen: Set<String> = []
        for word in names { chosen.insert(try registry.api(word).name) }
        return registry.apis.filter { chosen.contains($0.name) }
    }

    /// The routes of each API, and the variables that make a shell's calls go to the server.
    private func summary(
        _ catalogue: MockCatalogue, _ chance: MockChance?, address: String, _ context: RunContext
    ) -> String {
        let table = Table(width: context.textWidth)
        var text = ""
        for mount in catalogue.routes.mounts {
            let rows = mount.endpoints.map { route in
                let name = route.declaration.name
                let notes = [
                    catalogue.statuses[name].map { "status \($0)" }, route.endpoint.sample == nil ? "no sample" : nil,
                ].compactMap(\.self)
                return [
                    route.endpoint.method.rawValue, mount.path + route.template,
                    name + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"),
                ]
            }
            text += "\(mount.api.name)\n\(table.text(rows))"
        }
        if let chance {
            let failures = options.failRate.map { "Failures: \($0) of the requests, with" } ?? "Latencies:"
            text += "\n\(failures) --seed \(chance.seed)\n"
        }
        text += "\nTo call it from a shell:\n"
        for mount in catalogue.routes.mounts {
            text += "export \(context.variableNames.url(of: mount.api))=\(address)\(mount.path)\n"
        }
        return text + "\n"
    }
}

extension MockCommand {
    static func help(_ context: RunContext) -> CommandHelp {
        CommandHelp(
            MockOptions.table,
            [
                "The address is the only line on stdout; the routes, the variables to set and a line for each request go to stderr.",
                "Files in --samples DIR are named after the calls that they respond to: movies.video.json, movies.video@id=550.json with that parameter, movies.video.2.json for the second call, movies.video!503.json with that status, and movies.video!503.headers with its headers.",
                "A client chooses a status with the header 'Prefer: code=503'. Any credential is accepted, and none is logged.",
                "One API is served at /, several under /API each; without a name, all are served. The path of an API's own server, such as /3, may be there or not.",
                "Ctrl-C stops the server when the responses under way have been sent, after 5 seconds at the latest.",
            ])
    }
}
