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

    /// Explains, for the help, the output, the files of samples, credentials and logins, `--record`, the paths of APIs,
    /// and how the server is stopped.
    static func notes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(paragraphs: [
            """
            The address is the only line on stdout. The routes, the variables to set and a line for each request go to \
            stderr.
            """,
            """
            Files in --samples DIR are named after the calls that they respond to: see '\(context.tool) help \
            samples'.
            """,
            "In files of --samples, addresses of the API's servers become the mock's own.",
            "Any credential is accepted, and none is logged.",
            """
            The logins of an API work too: '\(context.tool) login API --base-url ADDRESS' gets a token that nobody has \
            to approve. After the mock has issued a token, it refuses other tokens of that API.
            """,
            """
            --record sends real credentials. So it refuses requests from web pages without --allow-origin, and POST, \
            PUT, PATCH and DELETE without --unsafe.
            """,
            """
            A single API or group is served at /. If there are several, each is served under /API or /GROUP. Without a \
            name, all APIs are served. The APIs of a group are served together. Requests may have the path of the \
            API's own server, such as /3, or omit it.
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

    /// With these limits, a client can't fill the memory or keep an idle connection open.
    private static let limits = MockServer.Limits(
        head: 64 << 10, body: 16 << 20, idle: .seconds(60), request: .seconds(30))

    /// Reads the APIs and groups to serve, and the statuses of endpoints.
    ///
    /// Without names, everything is served. If several values of `--status` choose an endpoint, the last one counts.
    ///
    /// - Throws: ``UsageError`` for an unknown name, and for a `--status` that can't be used.
    init(_ words: CommandWords<MockOptions>) throws {
        options = words.options
        let registry = words.registry
        let namedSubjects = try words.operands.map { try registry.apiOrGroup($0) }
        let chosenSubjects = namedSubjects.nonEmpty ?? registry.outermostSubjects(of: registry.apisWithoutNames)
        let subjects = Self.withoutNestedSubjects(chosenSubjects, in: registry)
        let apis = subjects.flatMap(\.apis)
        var statuses: [String: Int] = [:]
        for word in options.statuses {
            let choice = try StatusChoice(word)
            for endpoint in try choice.endpoints(servedBy: apis, in: registry) { statuses[endpoint] = choice.status }
        }
        self.subjects = subjects
        self.statuses = statuses
    }

    /// Returns the chosen APIs and groups without those that are part of another one, in the order of the registry.
    ///
    /// An API must not be served twice: of the API `kinto.buckets` and the group `kinto`, only the group stays.
    private static func withoutNestedSubjects(_ chosenSubjects: [Subject], in registry: APIRegistry) -> [Subject] {
        var outermost: [Subject] = []
        for api in registry.apis {
            let subjectsWithAPI = chosenSubjects.filter { subject in subject.apis.contains { $0.name == api.name } }
            // The outermost group around an API is the one with the most APIs.
            guard let largestSubject = subjectsWithAPI.max(by: { $0.apis.count < $1.apis.count }) else { continue }
            let isListed = outermost.contains { $0.name == largestSubject.name }
            if !isListed { outermost.append(largestSubject) }
        }
        return outermost
    }

    /// Serves until an interrupt, which ends the command with an error.
    ///
    /// When the server can be called, its address goes to stdout, and the routes go to stderr.
    ///
    /// - Throws: ``UsageError`` and ``FileError`` if options or samples can't be used, `MockServerError` if nothing can
    ///   listen at the address, and `CancellationError` after an interrupt.
    func run(_ context: CommandContext) async throws -> ExitCode {
        let environment = context.environment
        let log = MockLog(context.reportsJSON ? NoOutput() : environment.stderr)
        let responder = try MockResponder(for: self, context: context) { log.write($0) }
        // Signals must be blocked before the server starts its threads, which inherit what is blocked.
        environment.signals.startHandling(Self.drainTime)
        if options.record != nil { environment.transport.prepare() }
        // Received requests are not kept (`recording`), because the server may run for days.
        let server = try MockServer(
            host: options.host, port: options.port, limits: Self.limits, recording: false,
            refuse: { status, reason in responder.refuse(status: status, reason: reason) },
            respond: { request in responder.respond(to: request) })
        defer { server.drain() }
        try responder.forwarder?.requireOtherServers(than: server)
        try environment.stdout.write(server.baseURL + "\n")
        log.write(introduction(for: responder, address: server.baseURL, context: context))
        // Waits until an interrupt cancels the task, which ends the sleep with an error.
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    /// Returns the path that an API or group is served under: its name, such as `/movies`. The path is empty if nothing
    /// else is served and `--prefix` is not given.
    func mountPath(of subject: Subject) -> String {
        options.usesPrefix || subjects.count > 1 ? "/" + subject.name : ""
    }

    // MARK: Introduction

    /// Returns the text that is printed at the start: the routes of each API, the faults, and lines for a shell that
    /// make calls go to this server.
    ///
    ///     To call it from a shell:
    ///     export APICTL_MOVIES_URL=http://127.0.0.1:8080
    ///     export TMDB_TOKEN=any
    private func introduction(
        for responder: MockResponder, address: String, context: CommandContext
    ) -> String {
        var text = responder.routeList
        if let faults = faultsText(responder.faults) { text += "\nFaults: \(faults)\n" }
        text += "\nTo call it from a shell:\n"
        for subject in subjects {
            text += "export \(context.variableNames.url(of: subject.name))=\(address)\(mountPath(of: subject))\n"
        }
        for variable in unsetCredentialVariables(context.environment) { text += "export \(variable)=any\n" }
        return text + "\n"
    }

    /// Returns the variables of credentials that calls to this server need and that have no value.
    ///
    /// This server accepts any value. With `--record`, the real server does not, so that the result is empty.
    private func unsetCredentialVariables(_ environment: ProcessEnvironment) -> [String] {
        if options.record != nil || !options.requiresCredentials { return [] }
        let credentials = apis.flatMap { CredentialVariable.credentials(of: $0) }.map(\.credential)
        let unsetCredentials = credentials.filter { credential in
            let hasValue = credential.alternatives.contains { scheme in
                scheme.variables.allSatisfy { environment.isSet($0) }
            }
            return !credential.isOptional && !hasValue
        }
        return unsetCredentials.flatMap { $0.alternatives.first?.variables ?? [] }.withoutRepetitions
    }

    /// Returns the faults that the server makes on purpose, such as `30 % get 503 (--seed 3); latency 300 ms`; nil if
    /// it makes none.
    private func faultsText(_ faults: MockFaults?) -> String? {
        var texts: [String] = []
        if let faults { texts.append("\(Decimals.trimmed(faults.rate * 100)) % get 503 (--seed \(faults.seed))") }
        if options.faults.latency > .zero { texts.append("latency \(options.faults.latency.shown)") }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}
