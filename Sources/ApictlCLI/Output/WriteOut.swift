import EndpointKit
import JSONText

/// The text of `--write-out`, in curl's notation: `%{http_code}`, `%header{name}`, `%%`, `\n`, `\r` and `\t`.
///
/// It is written to stderr; `%{stdout}` and `%{stderr}` turn to the other stream.
struct WriteOut: Sendable {
    private var parts: [(isForStdout: Bool, text: @Sendable (WriteOutFacts) -> String)] = []

    /// Whether nothing of it goes to stderr.
    var isForStdout: Bool { parts.allSatisfy(\.isForStdout) }

    /// Throws ``UsageError`` for an unknown variable.
    init(_ text: String, from source: ValueSource) throws(UsageError) {
        let escapes = ["%%": "%", "\\n": "\n", "\\r": "\r", "\\t": "\t"]
        var rest = text.unicodeScalars[...]
        var isForStdout = false
        func name(after start: String) -> String? {
            guard rest.starts(with: start.unicodeScalars), let end = rest.firstIndex(of: "}") else { return nil }
            defer { rest = rest[end...].dropFirst() }
            return String(rest[..<end].dropFirst(start.unicodeScalars.count))
        }
        while !rest.isEmpty {
            if let header = name(after: "%header{") {
                parts.append((isForStdout, { ($0.log.head?[header] ?? "").safeToShow }))
            } else if let name = name(after: "%{") {
                if ["stdout", "stderr"].contains(name) {
                    isForStdout = name == "stdout"
                } else {
                    parts.append((isForStdout, try Self.part(name, source)))
                }
            } else if let character = escapes[String(rest.prefix(2))] {
                rest = rest.dropFirst(2)
                parts.append((isForStdout, { _ in character }))
            } else {
                let end = rest.dropFirst().firstIndex { $0 == "%" || $0 == "\\" } ?? rest.endIndex
                let plain = String(rest[..<end])
                rest = rest[end...]
                parts.append((isForStdout, { _ in plain }))
            }
        }
    }

    private static func part(
        _ name: String, _ source: ValueSource
    ) throws(UsageError) -> @Sendable (WriteOutFacts) -> String {
        let known = WriteOutFacts.variables.map { ($0.name, $0.value) } + WriteOutFacts.summaries
        if let (_, value) = known.first(where: { $0.0 == name }) { return { value($0).safeToShow } }
        let names = known.map(\.0)
        let nearest = NearestWord.match(name, in: names).map { "; did you mean '%{\($0)}'?" } ?? ""
        throw .unusableValue(
            option: "--write-out",
            problem: "unknown variable '%{\(name)}'\(nearest) (known: stdout, stderr, "
                + names.joined(separator: ", ") + ")",
            source: source)
    }

    /// Writes the text with the values of `facts`.
    func write(_ facts: WriteOutFacts, to environment: ProcessEnvironment) throws {
        for part in parts {
            try (part.isForStdout ? environment.stdout : environment.stderr).write(part.text(facts))
        }
    }
}

/// What `--write-out` can tell about a call.
struct WriteOutFacts {
    /// That of the request, without secrets.
    let url: String
    let method: HTTPMethod
    let log: ExchangeLog.Facts
    /// The file of `-o`.
    let file: String?
    let code: ExitCode
    /// What went wrong; empty if the call succeeded.
    let message: String

    private var head: ResponseHead? { log.head }
    private var transfers: [TransferTimes] { log.transfers }

    /// curl's variables; `isNumber` is whether its JSON value is a number.
    static let variables: [(name: String, isNumber: Bool, value: @Sendable (WriteOutFacts) -> String)] = [
        ("content_type", false, { $0.head?["Content-Type"] ?? "" }),
        ("errormsg", false, { $0.message }),
        ("exitcode", true, { "\($0.code.rawValue)" }),
        ("filename_effective", false, { $0.file ?? "" }),
        ("http_code", true, { $0.status }),
        ("http_version", false, { String($0.head?.version.drop { $0 != "/" }.dropFirst() ?? "0") }),
        ("method", false, { $0.method.rawValue }),
        ("num_headers", true, { "\($0.head?.fields.count ?? 0)" }),
        ("num_redirects", true, { "\(max($0.transfers.count - $0.log.attempts, 0))" }),
        ("num_retries", true, { "\($0.log.attempts - 1)" }),
        ("remote_ip", false, { $0.transfers.last?.remoteIP ?? "" }),
        ("remote_port", true, { "\($0.transfers.last?.remotePort ?? 0)" }),
        ("response_code", true, { $0.status }),
        ("scheme", false, { String($0.finalURL.prefix { $0 != ":" }) }),
        ("size_download", true, { "\($0.transfers.last?.size ?? 0)" }),
        ("speed_download", true, { "\($0.transfers.last?.speed ?? 0)" }),
        ("time_appconnect", true, { $0.transfers.contains { $0.tls != nil } ? $0.sum(\.untilTLS) : seconds(.zero) }),
        ("time_connect", true, { $0.sum { $0.nameLookup + $0.connect } }),
        ("time_namelookup", true, { $0.sum(\.nameLookup) }),
        ("time_starttransfer", true, { $0.sum { $0.untilTLS + $0.firstByte } }),
        ("time_total", true, { $0.sum(\.total) }),
        ("url", false, { $0.url }),
        ("url_effective", false, { $0.finalURL }),
    ]

    /// What curl has besides its variables.
    static let summaries: [(String, @Sendable (WriteOutFacts) -> String)] = [
        ("header_json", { $0.headersJSON }), ("json", { $0.json }),
    ]

    /// Three zeros without a response, as in curl.
    private var status: String { head.map { "\($0.status)" } ?? "000" }
    private var finalURL: String { transfers.last?.url ?? url }

    private func sum(_ phase: (TransferTimes) -> Duration) -> String {
        Self.seconds(transfers.reduce(.zero) { $0 + phase($1) })
    }

    /// With microseconds.
    private static func seconds(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        return "\(seconds)." + String(1_000_000 + attoseconds / 1_000_000_000_000).dropFirst()
    }

    /// All variables as a JSON object on one line.
    var json: String {
        let members = Self.variables.map { name, isNumber, value in
            let text = value(self)
            // JSON has no number 000.
            return "\"\(name)\":" + (isNumber ? text == "000" ? "0" : text : JSONValue(shown: text).description)
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// The headers as a JSON object: names in lower case, all values of each in the order received.
    var headersJSON: String {
        let headers = (head?.fields ?? []).grouped { $0.name.lowercased() }
        return JSONValue(headers.map { ($0.key, JSONValue($0.elements.map { JSONValue(shown: $0.value) })) })
            .description
    }
}

extension TransferTimes {
    /// The body's size in bytes.
    var size: Int { Int(max(receivedBytes, 0)) }

    /// The average speed over the whole transfer in bytes per second, as in curl; 0 if it took no time.
    var speed: Int {
        // A higher rate is a measuring error, and would overflow.
        total > .zero ? Int(min(Double(size) / total.inSeconds, 1e18)) : 0
    }

    fileprivate var untilTLS: Duration { nameLookup + connect + (tls ?? .zero) }
}
