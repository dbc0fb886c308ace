/// The options of `mock`.
struct MockOptions: Sendable {
    /// 0 picks a free port.
    var port: UInt16 = 8080
    var host = "127.0.0.1"
    var usesPrefix = false

    var statuses: [StatusChoice] = []
    /// The directory with responses that replace the samples.
    var samples: String?
    /// The directory in which the real server's responses are saved.
    var record: String?
    /// The real server's name.
    var server: String?
    var isStrict = true
    var requiresCredentials = true

    var delivery = MockDelivery()
    /// The part of the requests that fail, from 0 to 1.
    var failRate: Double?
    /// Nil is a random seed.
    var seed: UInt64?

    var quiet = false
    var help = false

    static let table = OptionTable<MockOptions>([
        OptionGroup(
            title: "Server",
            options: [
                Option("port", .port, "the port; 0 picks a free one; default 8080") { $0.port = $1 },
                Option("host", .text("ADDRESS"), "the address to listen on; default 127.0.0.1: this machine only") {
                    $0.host = $1
                },
                Option("prefix", "serve an API under /API even if it is the only one") { $0.usesPrefix = true },
                Option("quiet", short: "q", "no line for each request") { $0.quiet = true },
            ]),
        OptionGroup(
            title: "Responses",
            options: [
                Option("samples", .text("DIR"), "respond with the files in DIR, such as movies.video@id=550.json") {
                    $0.samples = $1
                },
                Option("status", .statusChoice, "respond to an endpoint with another status, such as movies.video=503")
                {
                    $0.statuses.append($1)
                },
                Option("no-validate", "accept missing and wrong parameters") { $0.isStrict = false },
                Option("no-auth", "accept requests without credentials") { $0.requiresCredentials = false },
            ]),
        OptionGroup(
            title: "Recording",
            options: [
                Option(
                    "record", .text("DIR"),
                    "ask the real server, and save each response in DIR as a file for --samples",
                    excludes: ["samples"]
                ) { $0.record = $1 },
                Option(
                    "env", .text("NAME"), "the server to ask, see describe",
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
                Option("gzip", "compress bodies for clients that accept it") { $0.delivery.isCompressed = true },
                Option("cut", "close the connection in the middle of each body") { $0.delivery.isCut = true },
                Option("fail-rate", .probability, "let this part of the requests fail with 503, such as 0.3") {
                    $0.failRate = $1
                },
                Option(
                    "seed", .seed, "choose the same failures and latencies each time",
                    missing: { $0.isRandom ? nil : "--fail-rate P or --latency D1..D2" }
                ) { $0.seed = $1 },
            ]),
        OptionGroup(
            title: "Help", options: [Option("help", short: "h", HelpCommand.optionHelp) { $0.help = true }]),
    ])

    /// Whether anything depends on the seed.
    var isRandom: Bool { failRate != nil || delivery.latency.map { $0.lowerBound < $0.upperBound } ?? false }
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
