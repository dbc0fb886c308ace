import EndpointKit
import MockServer

/// `mock`: serves the samples of APIs on this machine until it is interrupted.
struct MockCommand: Command {
    static let name = "mock"
    static let usage = "mock [API…] [options]"
    static let summary = "serve the samples of APIs on this machine"
    static let operands = Operands.apis
    static let table = MockOptions.table

    static func notes(_ context: RunContext) -> CommandNotes {
        CommandNotes(paragraphs: [
            "The address is the only line on stdout; the routes, the variables to set and a line for each request go to stderr.",
            "Files in --samples DIR are named after the calls that they respond to: movies.video.json, movies.video@id=550.json with that parameter, movies.video.2.json for the second call, movies.video!503.json with that status, and movies.video!503.headers with its headers.",
            "A client chooses a status with the header 'Prefer: code=503'. Any credential is accepted, and none is logged.",
            "One API is served at /, several under /API each; without a name, all are served. The path of an API's own server, such as /3, may be there or not.",
            "Ctrl-C stops the server when the responses under way have been sent, after 5 seconds at the latest.",
        ])
    }

    let apis: [any API.Type]
    private(set) var statuses: [String: Int] = [:]
    let options: MockOptions

    private static let drainTime = Duration.seconds(5)

    init(_ words: CommandWords<MockOptions>) throws {
        options = words.options
        let names = try Set(words.others.map { try words.registry.api($0).name })
        // In the catalogue's order.
        apis = words.registry.apis.filter { names.isEmpty || names.contains($0.name) }
        for word in options.statuses {
            let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let status = Int(parts[1]), (200...599).contains(status) else {
                throw UsageError.invalidValue(
                    option: "--status", value: word.text,
                    expected: "an endpoint and a status such as movies.video=503", position: word.position)
            }
            let endpoint = try words.registry.endpoint(Word(text: String(parts[0]), position: word.position))
            guard apis.contains(where: { $0 == endpoint.api }) else {
                throw UsageError.unusableValue(
                    option: "--status", problem: "\(endpoint.name) is not served", position: word.position)
            }
            statuses[endpoint.name] = status
        }
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        let environment = context.environment
        // Nothing is ever sent on it: it ends when the run is cancelled or stderr fails.
        let (end, ending) = AsyncThrowingStream<Never, any Error>.makeStream()
        let responder = try MockResponder(self, context) { text in
            do { try environment.stderr.write(text) } catch { ending.finish(throwing: error) }
        }
        // Before the server: its threads inherit the blocked signals.
        environment.watchSignals(Self.drainTime)
        if options.record != nil { environment.transport.prepare() }
        let server = try MockServer(
            host: options.host, port: options.port,
            limits: .init(head: 64 << 10, body: 16 << 20, idle: .seconds(60)), recording: false
        ) { responder.response(to: $0) }
        defer { server.drain() }
        try responder.forwarder?.requireOthers(than: server, apis)
        try environment.stdout.write(server.baseURL + "\n")
        try environment.stderr.write(summary(responder, address: server.baseURL, context))
        for try await _ in end {}
        throw CancellationError()
    }

    /// The routes of each API, and the variables that make a shell's calls go to the server.
    private func summary(_ responder: MockResponder, address: String, _ context: RunContext) -> String {
        let mounts = responder.routes.mounts
        let table = Table(width: context.textWidth)
        var text = ""
        for mount in mounts {
            let rows = mount.endpoints.map { route in
                let name = route.declaration.name
                let notes = [
                    statuses[name].map { "status \($0)" }, route.endpoint.sample == nil ? "no sample" : nil,
                ].compactMap(\.self)
                return [
                    route.endpoint.method.rawValue, mount.path + route.template,
                    name + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"),
                ]
            }
            text += "\(mount.api.name)\n\(table.text(rows))"
        }
        if let chance = responder.chance {
            let failures = options.failRate.map { "Failures: \($0) of the requests, with" } ?? "Latencies:"
            text += "\n\(failures) --seed \(chance.seed)\n"
        }
        text += "\nTo call it from a shell:\n"
        for mount in mounts {
            text += "export \(context.variableNames.url(of: mount.api))=\(address)\(mount.path)\n"
        }
        return text + "\n"
    }
}

/// The options of `mock`.
struct MockOptions: CommandOptions {
    var common = CommonOptions()
    var port: UInt16 = 8080
    var host = "127.0.0.1"
    var usesPrefix = false

    var statuses: [Word] = []
    var samples: String?
    var record: String?
    var server: String?
    var isStrict = true
    var requiresCredentials = true

    var delivery = MockDelivery()
    var failRate: Double?
    var seed: Int?

    var quiet = false

    static let table = OptionTable<MockOptions>(command: [
        OptionGroup(
            title: "Server",
            options: [
                Option("port", .number(0...65535, "a port"), "the port; 0 picks a free one; default 8080") {
                    $0.port = $1
                },
                Option("host", .text("ADDRESS"), "the address to listen on; default 127.0.0.1: this machine only") {
                    $0.host = $1
                },
                Option("prefix", "serve an API under /API even if it is the only one") { $0.usesPrefix = true },
                Option("quiet", short: "q", "no line for each request") { $0.quiet = true },
            ]),
        OptionGroup(
            title: "Responses",
            options: [
                Option("samples", .directory, "respond with the files in DIR, such as movies.video@id=550.json") {
                    $0.samples = $1
                },
                Option(
                    "status", .word("API.ENDPOINT=STATUS", completion: .statuses),
                    "respond to an endpoint with another status, such as movies.video=503"
                ) { $0.statuses.append($1) },
                Option("no-validate", "accept missing and wrong parameters") { $0.isStrict = false },
                Option("no-auth", "accept requests without credentials") { $0.requiresCredentials = false },
            ]),
        OptionGroup(
            title: "Recording",
            options: [
                Option(
                    "record", .directory,
                    "ask the real server, and save each response in DIR as a file for --samples",
                    excludes: ["samples"]
                ) { $0.record = $1 },
                Option(
                    "env", .text("NAME", completion: .servers), "the server to ask, see describe",
                    missing: { $0.record == nil ? "--record DIR" : nil }
                ) { $0.server = $1 },
            ]),
        OptionGroup(
            title: "Faults",
            options: [
                Option("latency", .latency, "wait before each response, such as 300ms or 100ms..2s") {
                    $0.delivery.latency = $1
                },
                Option("rate", .rate, "send at most so many bytes of a body in a second") { $0.delivery.rate = $1 },
                Option("chunked", "send bodies in chunks, without their length") { $0.delivery.isChunked = true },
                Option(
                    "gzip", "compress bodies for clients that accept it",
                    missing: { $0.delivery.gzip == nil ? "zlib, which is not installed" : nil }
                ) { $0.delivery.gzip = Gzip() },
                Option("cut", "close the connection in the middle of each body") { $0.delivery.isCut = true },
                Option("fail-rate", .number(0...1), "let this part of the requests fail with 503, such as 0.3") {
                    $0.failRate = $1
                },
                Option(
                    "seed", .count, "choose the same failures and latencies each time",
                    missing: { $0.isRandom ? nil : "--fail-rate N or --latency D1..D2" }
                ) { $0.seed = $1 },
            ]),
    ])

    var isRandom: Bool { failRate != nil || delivery.latency.map { $0.lowerBound < $0.upperBound } ?? false }
}

extension ValueType where Value == Int {
    fileprivate static let rate = parsed("SIZE", expected: ByteCountText.expectation) { text in
        ByteCountText.parse(text).flatMap { $0 > 0 ? $0 : nil }
    }
}

extension ValueType where Value == ClosedRange<Duration> {
    fileprivate static let latency = parsed(
        "D|D1..D2", expected: "a duration such as 300ms, or two such as 100ms..2s, the shorter one first"
    ) { text in
        guard let dots = text.firstRange(of: "..") else { return DurationText.parse(text).map { $0...$0 } }
        guard let shortest = DurationText.parse(String(text[..<dots.lowerBound])),
            let longest = DurationText.parse(String(text[dots.upperBound...])), shortest <= longest
        else { return nil }
        return shortest...longest
    }
}
