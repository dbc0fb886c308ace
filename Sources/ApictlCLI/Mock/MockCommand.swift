import EndpointKit
import EndpointTools
import MockServer

/// `mock`: serves the samples of APIs on this machine until it is interrupted.
struct MockCommand: Command {
    static let name = "mock"
    static let usage = "mock [API|GROUP…] [options]"
    static let summary = "serve the samples of APIs on this machine"
    static let operands = CommandOperands.apis
    static let table = MockOptions.table

    static func notes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(paragraphs: [
            """
            The address is the only line on stdout; the routes, the variables to set and a line for each request go \
            to stderr.
            """,
            """
            Files in --samples DIR are named after the calls that they respond to: see '\(context.tool) help \
            samples'.
            """,
            "In files of --samples, addresses of the API's servers become the mock's own.",
            "Any credential is accepted, and none is logged.",
            """
            The logins of an API work too: '\(context.tool) login API --base-url ADDRESS' gets a token that nobody \
            has to approve. Once a token was given, other tokens of that API are refused.
            """,
            """
            --record sends real credentials, so it refuses web pages without --allow-origin and changes (POST, PUT, \
            PATCH and DELETE) without --unsafe.
            """,
            """
            One API or group is served at /, several under /API or /GROUP each; without a name, all are served. The \
            APIs of a group are served together. The path of an API's own server, such as /3, may be there or not.
            """,
            "Ctrl-C stops the server when the responses under way have been sent, after 5 seconds at the latest.",
        ])
    }

    /// The APIs and groups that are served. Each of them has a base URL of its own.
    let subjects: [Subject]
    var apis: [CatalogueAPI] { subjects.flatMap(\.apis) }
    /// The statuses that `--status` chooses, by the names of the endpoints.
    let statuses: [String: Int]
    let options: MockOptions

    /// The time in which the responses under way may end after an interrupt. The help says the same number.
    private static let drainTime = Duration.seconds(5)

    /// Reads the APIs and groups to serve, and the statuses of endpoints.
    ///
    /// Without names, everything is served. If several values of `--status` choose an endpoint, the last one counts.
    ///
    /// - Throws: ``UsageError`` for an unknown name, and for a `--status` that can't be used.
    init(_ words: CommandWords<MockOptions>) throws {
        options = words.options
        let named = try words.others.map { try words.registry.apiOrGroup($0) }
        let registry = words.registry
        let chosen = named.nonEmpty ?? registry.outermostSubjects(of: registry.apisWithoutNames)
        let subjects = Self.outermost(chosen, registry)
        let apis = subjects.flatMap(\.apis)
        var statuses: [String: Int] = [:]
        for word in options.statuses {
            let choice = try StatusChoice(word)
            for endpoint in try choice.endpoints(of: apis, words.registry) { statuses[endpoint] = choice.status }
        }
        self.subjects = subjects
        self.statuses = statuses
    }

    /// Returns the subjects in the order of the registry, without those that are part of another one.
    ///
    /// An API must not be served twice: of `kinto` and `kinto.buckets`, only the group `kinto` stays.
    private static func outermost(_ subjects: [Subject], _ registry: APIRegistry) -> [Subject] {
        var outermost: [Subject] = []
        for api in registry.apis {
            let owners = subjects.filter { subject in subject.apis.contains { $0.name == api.name } }
            guard let largest = owners.max(by: { $0.apis.count < $1.apis.count }) else { continue }
            let isKnown = outermost.contains { $0.name == largest.name }
            if !isKnown { outermost.append(largest) }
        }
        return outermost
    }

    /// Serves until an interrupt, which ends the command with an error. Before the server starts to wait, its address
    /// goes to stdout, and the routes go to stderr.
    func run(_ context: CommandContext) async throws -> ExitCode {
        let environment = context.environment
        let log = MockLog(context.reportsJSON ? NoOutput() : environment.stderr)
        let responder = try MockResponder(self, context) { log.write($0) }
        // Signals must be blocked before the server starts its threads, which inherit what is blocked.
        environment.signals.watch(Self.drainTime)
        if options.record != nil { environment.transport.prepare() }
        // With these limits, a client can't fill the memory or keep an idle connection open. Received requests are not
        // kept, because the server may run for days.
        let server = try MockServer(
            host: options.host, port: options.port,
            limits: .init(head: 64 << 10, body: 16 << 20, idle: .seconds(60), request: .seconds(30)), recording: false,
            refuse: { responder.refusal($0, $1) }, respond: { responder.response(to: $0) })
        defer { server.drain() }
        try responder.forwarder?.requireOtherServers(than: server)
        try environment.stdout.write(server.baseURL + "\n")
        log.write(introduction(responder, address: server.baseURL, context))
        // Waits until an interrupt cancels the task, which ends the sleep with an error.
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    /// Returns the path that an API or group is served under, such as `/movies`. It is empty if nothing else is served
    /// and `--prefix` is not given.
    func path(of subject: Subject) -> String {
        options.usesPrefix || subjects.count > 1 ? "/" + subject.name : ""
    }

    /// Returns the text that is printed at the start: the routes of each API, the faults, and lines for a shell, which
    /// make calls go to this server: `export APICTL_MOVIES_URL=…`, and a value for each credential that the calls need
    /// and that is not set. The server accepts any value.
    private func introduction(_ responder: MockResponder, address: String, _ context: CommandContext) -> String {
        var text = responder.listing
        if let faults = faultsText(responder.faults) { text += "\nFaults: \(faults)\n" }
        text += "\nTo call it from a shell:\n"
        for subject in subjects {
            text += "export \(context.variableNames.url(of: subject.name))=\(address)\(path(of: subject))\n"
        }
        for variable in missingVariables(context.environment) { text += "export \(variable)=any\n" }
        return text + "\n"
    }

    /// Returns the variables of the credentials that calls to this server need and that have no value. A real server
    /// does not accept any value, so there are none with `--record`.
    private func missingVariables(_ environment: ProcessEnvironment) -> [String] {
        if options.record != nil || !options.requiresCredentials { return [] }
        let credentials = apis.flatMap { CredentialVariable.credentials(of: $0) }.map(\.credential)
        let required = credentials.filter { credential in
            let hasValue = credential.alternatives.contains { $0.variables.allSatisfy { environment.isSet($0) } }
            return !credential.isOptional && !hasValue
        }
        return required.flatMap { $0.alternatives.first?.variables ?? [] }.withoutRepetitions
    }

    /// Returns the faults that the server makes on purpose, such as `30 % get 503 (--seed 3); latency 300 ms`; nil if it
    /// makes none.
    private func faultsText(_ faults: MockFaults?) -> String? {
        var texts: [String] = []
        if let faults { texts.append("\(Decimals.trimmed(faults.rate * 100)) % get 503 (--seed \(faults.seed))") }
        if options.faults.latency > .zero { texts.append("latency \(options.faults.latency.shown)") }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}

/// A value of `--status`: the endpoints and the status of their responses, such as `movies.*=500`.
private struct StatusChoice {
    /// The name of an endpoint, or a pattern for names.
    let name: SourcedText
    let status: Int

    /// Reads a value of `--status`.
    ///
    /// - Throws: ``UsageError`` if it has another form.
    init(_ word: SourcedText) throws(UsageError) {
        let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let status = Int(parts[1]), (200...599).contains(status) else {
            throw .invalidValue(
                option: "--status", value: word.text, expected: "an endpoint and a status such as movies.video=503",
                source: word.source)
        }
        name = word.with(String(parts[0]))
        self.status = status
    }

    /// Returns the names of the chosen endpoints, as far as their APIs are served.
    ///
    /// - Throws: ``UsageError`` if no endpoint has the name or matches the pattern, or if none of them is served.
    func endpoints(of apis: [CatalogueAPI], _ registry: APIRegistry) throws -> [String] {
        let isPattern = name.text.contains("*") || name.text.contains("?")
        let chosen =
            isPattern
            ? try registry.description(matching: [name]).endpoints.map(\.name)
            : [try registry.endpoint(name).name]
        let served = chosen.filter { endpoint in apis.contains { endpoint.hasPrefix($0.name + ".") } }
        if served.isEmpty {
            throw UsageError.unusableValue(
                option: "--status", problem: "\(chosen[0]) is not served", source: name.source)
        }
        return served
    }
}
