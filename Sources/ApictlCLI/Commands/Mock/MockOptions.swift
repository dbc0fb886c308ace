/// The options of `mock`.
struct MockOptions: Sendable {
    /// 0 picks a free port.
    var port: UInt16 = 8080
    var usesPrefix = false
    var statuses: [StatusChoice] = []
    var latency: Duration?
    /// The part of the requests that fail, from 0 to 1.
    var failRate: Double?
    /// Nil is a random seed.
    var seed: UInt64?
    var quiet = false
    var help = false

    static let table = OptionTable<MockOptions>([
        Option("port", .port, "the port; 0 picks a free one; default 8080") { $0.port = $1 },
        Option("prefix", "serve an API under /API even if it is the only one") { $0.usesPrefix = true },
        Option("status", .statusChoice, "respond to an endpoint with another status, such as movies.video=503") {
            $0.statuses.append($1)
        },
        Option("latency", .duration, "wait before each response") { $0.latency = $1 },
        Option("fail-rate", .probability, "let this part of the requests fail with 503, such as 0.3") {
            $0.failRate = $1
        },
        Option(
            "seed", .seed, "choose the same failures each time", missing: { $0.failRate == nil ? "--fail-rate P" : nil }
        ) { $0.seed = $1 },
        Option("quiet", short: "q", "no line for each request") { $0.quiet = true },
        Option("help", short: "h", HelpCommand.optionHelp) { $0.help = true },
    ])
}

/// A status for the responses of an endpoint.
struct StatusChoice: Sendable {
    /// The endpoint's name, not looked up yet.
    let endpoint: Word
    let status: Int
}

extension ValueType where Value == StatusChoice {
    fileprivate static let statusChoice = ValueType(placeholder: "API.ENDPOINT=STATUS") {
        word, flag throws(UsageError) in
        let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let status = Int(parts[1]), (200...599).contains(status) else {
            throw .invalidValue(
                option: flag, value: word.text, expected: "an endpoint and a status such as movies.video=503",
                position: word.position)
        }
        return StatusChoice(endpoint: Word(text: String(parts[0]), position: word.position), status: status)
    }
}

extension ValueType where Value == UInt16 {
    fileprivate static let port = parsed("N", expected: "a port from 0 to 65535") { UInt16($0) }
}

extension ValueType where Value == UInt64 {
    fileprivate static let seed = parsed("N", expected: "0 or a higher number") { UInt64($0) }
}

extension ValueType where Value == Double {
    fileprivate static let probability = parsed("P", expected: "a number from 0 to 1") { text in
        Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
    }
}
