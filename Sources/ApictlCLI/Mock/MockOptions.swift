import EndpointKit

/// The options of `mock`.
struct MockOptions: CommandOptions {
    /// The delays and failures that the server makes on purpose.
    struct Faults: Sendable {
        /// The time before each response.
        var latency = Duration.zero
        /// The share of requests that fail, from 0 to 1; nil is none.
        var rate: Double?
        /// The seed that chooses the requests that fail; nil chooses them anew each time.
        var seed: Int?
    }

    var common = CommonOptions()

    // MARK: Server

    /// The port; 0 lets the system choose a free one.
    var port: UInt16 = 8080
    /// The address to listen on.
    var host = "127.0.0.1"
    /// Whether a single API or group is served under its name too.
    var usesPrefix = false
    /// Whether the log has no line for each request.
    var quiet = false

    // MARK: Responses

    /// The values of `--status`, such as `movies.video=503`, in the order of the command line.
    var statuses: [SourcedText] = []
    /// The directory or archive of `--samples`.
    var samples: String?
    /// Whether calls with missing or wrong parameters are refused.
    var isStrict = true
    /// Whether calls without their credentials are refused.
    var requiresCredentials = true
    /// How long a token of a login is valid.
    var tokenLifetime = Duration.seconds(3600)
    var faults = Faults()

    // MARK: Recording

    /// The directory of `--record`.
    var record: String?
    /// The real server; nil is the one that `call` would use.
    var server: SourcedText?
    /// The values of `--allow-origin`: web pages of these origins may use real credentials. `*` stands for all origins.
    var origins: Set<String> = []
    /// Whether methods that may change data are forwarded.
    var includesUnsafe = false

    static let table = OptionTable<MockOptions>(command: [
        OptionGroup(
            title: "Server",
            options: [
                Option("port", .number(0...65535, "a port"), "the port; 0 picks a free one; default 8080") {
                    $0.port = $1
                },
                Option("host", .text("ADDRESS"), "the address to listen on; default 127.0.0.1: this machine only") {
                    options, address in
                    // An IPv6 address may have the brackets that it has in a URL: `[::1]`.
                    let isBracketed = address.hasPrefix("[") && address.hasSuffix("]")
                    options.host = isBracketed ? String(address.dropFirst().dropLast()) : address
                }.rarelyUsed(),
                Option("prefix", \.usesPrefix, "serve an API or group under its name even if it is the only one")
                    .rarelyUsed(),
                Option("quiet", short: "q", \.quiet, "no line for each request").rarelyUsed(),
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
                Option("no-validate", \.isStrict, is: false, "accept missing and wrong parameters").rarelyUsed(),
                Option("no-auth", \.requiresCredentials, is: false, "accept requests without credentials").rarelyUsed(),
                Option("token-lifetime", .duration, "how long tokens of its logins are valid; default 1h") {
                    $0.tokenLifetime = $1
                }.rarelyUsed(),
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
                ) { $0.origins.insert($1) }.needing("record").rarelyUsed(),
                Option(
                    "unsafe", \.includesUnsafe,
                    "forward POST, PUT, PATCH and DELETE too, which change data on the real server"
                ).needing("record").rarelyUsed(),
            ]),
        OptionGroup(
            title: "Faults",
            options: [
                Option("latency", .duration, "wait before each response, such as 300ms") { $0.faults.latency = $1 },
                Option(
                    "fail-rate", .number(0...1), \.faults.rate,
                    "answer this share of requests with 503, such as 0.3"),
                Option("seed", .count, \.faults.seed, "choose the same failures each time").needing("fail-rate")
                    .rarelyUsed(),
            ]),
    ])
}
