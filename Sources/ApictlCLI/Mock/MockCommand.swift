import EndpointKit
import EndpointTools
import MockServer
import Synchronization

/// `mock`: serves the samples of APIs on this machine until it is interrupted.
struct MockCommand: Command {
    static let name = "mock"
    static let usage = "mock [API|GROUP…] [options]"
    static let summary = "serve the samples of APIs on this machine"
    static let operands = CommandOperands.apis
    static let table = MockOptions.table

    static func notes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(paragraphs: [
            "The address is the only line on stdout; the routes, the variables to set and a line for each request go to stderr.",
            "Files in --samples DIR are named after the calls that they respond to: see '\(context.tool) help samples'.",
            "In files of --samples, addresses of the API's servers become the mock's own.",
            "Any credential is accepted, and none is logged.",
            "With --record, real credentials are sent: so web pages are refused unless --allow-origin names theirs, and POST, PUT, PATCH and DELETE without --unsafe.",
            "One API or group is served at /, several under /API or /GROUP each; without a name, all are served. The APIs of a group are served together. The path of an API's own server, such as /3, may be there or not.",
            "Ctrl-C stops the server when the responses under way have been sent, after 5 seconds at the latest.",
        ])
    }

    /// The APIs and groups, each of which has a base URL of its own.
    let subjects: [Subject]
    var apis: [CatalogueAPI] { subjects.flatMap(\.apis) }
    private(set) var statuses: [String: Int] = [:]
    let options: MockOptions

    private static let drainTime = Duration.seconds(5)

    init(_ words: CommandWords<MockOptions>) throws {
        options = words.options
        let named = try words.others.map { try words.registry.apiOrGroup($0) }
        subjects = Self.served(named.nonEmpty ?? words.registry.outermostSubjects, words.registry)
        let apis = subjects.flatMap(\.apis)
        for word in options.statuses {
            let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let status = Int(parts[1]), (200...599).contains(status) else {
                throw UsageError.invalidValue(
                    option: "--status", value: word.text,
                    expected: "an endpoint and a status such as movies.video=503", source: word.source)
            }
            let name = word.with(String(parts[0]))
            let isPattern = name.text.contains("*") || name.text.contains("?")
            let endpoints =
                try isPattern
                ? words.registry.description(matching: [name]).endpoints.map(\.name)
                : [words.registry.endpoint(name).name]
            let served = endpoints.filter { endpoint in apis.contains { endpoint.hasPrefix($0.name + ".") } }
            if served.isEmpty {
                throw UsageError.unusableValue(
                    option: "--status", problem: "\(endpoints[0]) is not served", source: word.source)
            }
            for endpoint in served { statuses[endpoint] = status }
        }
    }

    /// Returns the subjects in the order of the registry, without those that belong to another one.
    private static func served(_ subjects: [Subject], _ registry: APIRegistry) -> [Subject] {
        var known: Set<String> = []
        return registry.apis.compactMap { api in
            let owners = subjects.filter { subject in subject.apis.contains { $0.name == api.name } }
            let owner = owners.max { $0.apis.count < $1.apis.count }
            return owner.flatMap { known.insert($0.name).inserted ? $0 : nil }
        }
    }

    func run(_ context: CommandContext) async throws -> ExitCode {
        let environment = context.environment
        let log = MockLog(context.reportsJSON ? NoOutput() : environment.stderr)
        let responder = try MockResponder(self, context) { log.write($0) }
        // Before the server: its threads inherit the blocked signals.
        environment.signals.watch(Self.drainTime)
        if options.record != nil { environment.transport.prepare() }
        let server = try MockServer(
            host: options.host, port: options.port,
            limits: .init(head: 64 << 10, body: 16 << 20, idle: .seconds(60), request: .seconds(30)), recording: false,
            refuse: { responder.refusal($0, $1) }, respond: { responder.response(to: $0) })
        defer { server.drain() }
        try responder.forwarder?.requireOthers(than: server)
        try environment.stdout.write(server.baseURL + "\n")
        log.write(summary(responder, address: server.baseURL, context))
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    /// Returns the path that a subject is served under, such as `/movies`; empty for the root.
    func path(of subject: Subject) -> String {
        options.usesPrefix || subjects.count > 1 ? "/" + subject.name : ""
    }

    /// The routes of each API, and the variables that make a shell's calls go to the server.
    private func summary(_ responder: MockResponder, address: String, _ context: CommandContext) -> String {
        var text = responder.listing
        if let faults = responder.faults {
            text += "\nFailures: \(faults.rate) of the requests, with --seed \(faults.seed)\n"
        }
        text += "\nTo call it from a shell:\n"
        for subject in subjects {
            text += "export \(context.variableNames.url(of: subject.name))=\(address)\(path(of: subject))\n"
        }
        return text + "\n"
    }
}

/// Writes to stderr without ever waiting for its reader: what finds no room is left out.
final class MockLog: Sendable {
    /// A pipe that is ready has room for so many bytes.
    private static let chunk = 4096

    private let output: any ByteOutput
    private let omitted = Mutex(0)

    init(_ output: any ByteOutput) { self.output = output }

    func write(_ text: String) {
        omitted.withLock { omitted in
            let note = omitted > 0 ? "(\(omitted) messages left out: stderr was not read)\n" : ""
            var rest = (note + text).exactBytes[...]
            while !rest.isEmpty, output.isReady {
                // Without a reader the server goes on.
                try? output.write(Array(rest.prefix(Self.chunk)))
                rest = rest.dropFirst(Self.chunk)
            }
            omitted = rest.isEmpty ? 0 : omitted + 1
        }
    }
}

/// The options of `mock`.
struct MockOptions: CommandOptions {
    /// How the mock server behaves worse than it must.
    struct Faults: Sendable {
        /// What each response waits for.
        var latency = Duration.zero
        /// The part of the requests that fail; nil is none.
        var rate: Double?
        /// Chooses the requests that fail, the same each time.
        var seed: Int?
    }

    var common = CommonOptions()
    var port: UInt16 = 8080
    var host = "127.0.0.1"
    var usesPrefix = false

    var statuses: [SourcedText] = []
    var samples: String?
    var record: String?
    var server: SourcedText?
    var origins: Set<String> = []
    var includesUnsafe = false
    var isStrict = true
    var requiresCredentials = true

    var faults = Faults()

    var quiet = false

    func allows(origin: String) -> Bool { !origins.isDisjoint(with: [origin, "*"]) }

    static let table = OptionTable<MockOptions>(command: [
        OptionGroup(
            title: "Server",
            options: [
                Option("port", .number(0...65535, "a port"), "the port; 0 picks a free one; default 8080") {
                    $0.port = $1
                },
                Option("host", .text("ADDRESS"), "the address to listen on; default 127.0.0.1: this machine only") {
                    $0.host = $1.hasPrefix("[") && $1.hasSuffix("]") ? String($1.dropFirst().dropLast()) : $1
                },
                Option("prefix", \.usesPrefix, "serve an API or group under its name even if it is the only one"),
                Option("quiet", short: "q", \.quiet, "no line for each request"),
            ]),
        OptionGroup(
            title: "Responses",
            options: [
                Option(
                    "samples", .text("DIR|FILE.har", completion: .files), \.samples,
                    "respond with the files in DIR, such as movies.video@id=550.json, or with a browser's recording"),
                Option(
                    "status", .word("API.ENDPOINT=STATUS", completion: .statuses),
                    "respond to an endpoint with another status, such as movies.video=503 or 'movies.*=500'"
                ) { $0.statuses.append($1) },
                Option("no-validate", \.isStrict, is: false, "accept missing and wrong parameters"),
                Option("no-auth", \.requiresCredentials, is: false, "accept requests without credentials"),
            ]),
        OptionGroup(
            title: "Recording",
            options: [
                Option(
                    "record", .directory, \.record,
                    "ask the real server, and save each response in DIR as a file for --samples"
                ).excluding("samples"),
                Option.server("the server to ask, see describe") { $0.server = $1 }.needing("record"),
                Option(
                    "allow-origin", .text("ORIGIN", problem: OptionValueRules.problem(origin:)),
                    "let web pages of that origin use it, such as http://localhost:3000; '*': of all"
                ) { $0.origins.insert($1) }.needing("record"),
                Option(
                    "unsafe", \.includesUnsafe,
                    "forward POST, PUT, PATCH and DELETE too, which change data on the real server"
                ).needing("record"),
            ]),
        OptionGroup(
            title: "Faults",
            options: [
                Option("latency", .duration, "wait before each response, such as 300ms") { $0.faults.latency = $1 },
                Option(
                    "fail-rate", .number(0...1), \.faults.rate,
                    "let this part of the requests fail with 503, such as 0.3"),
                Option("seed", .count, \.faults.seed, "choose the same failures each time").needing("fail-rate"),
            ]),
    ])
}
