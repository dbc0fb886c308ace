import EndpointKit
import JSONText

/// The text of `--write-out`, in curl's notation: `%{http_code}`, `%header{name}`, `%%`, `\n`, `\r` and `\t`.
struct WriteOut: Sendable {
    private var parts: [@Sendable (WriteOutFacts) -> String] = []

    /// Throws ``UsageError`` for an unknown variable.
    init(_ text: String, position: Int) throws(UsageError) {
        let escapes = ["%%": "%", "\\n": "\n", "\\r": "\r", "\\t": "\t"]
        var rest = text.unicodeScalars[...]
        func name(after start: String) -> String? {
            guard rest.starts(with: start.unicodeScalars), let end = rest.firstIndex(of: "}") else { return nil }
            defer { rest = rest[end...].dropFirst() }
            return String(rest[..<end].dropFirst(start.unicodeScalars.count))
        }
        while !rest.isEmpty {
            if let header = name(after: "%header{") {
                parts.append { ($0.log.head?[header] ?? "").safeToShow }
            } else if let name = name(after: "%{") {
                parts.append(try Self.part(name, position))
            } else if let character = escapes[String(rest.prefix(2))] {
                rest = rest.dropFirst(2)
                parts.append { _ in character }
            } else {
                let end = rest.dropFirst().firstIndex { $0 == "%" || $0 == "\\" } ?? rest.endIndex
                let plain = String(rest[..<end])
                rest = rest[end...]
                parts.append { _ in plain }
            }
        }
    }

    private static func part(
        _ name: String, _ position: Int
    ) throws(UsageError) -> @Sendable (WriteOutFacts) -> String {
        switch name {
        case "json": return { $0.json }
        case "header_json": return { $0.headersJSON }
        // It is always written to stderr.
        case "stderr": return { _ in "" }
        default: break
        }
        if let variable = WriteOutFacts.variables.first(where: { $0.name == name }) {
            return { variable.value($0).text.safeToShow }
        }
        let names = WriteOutFacts.variables.map(\.name) + ["header_json", "json", "stderr"]
        throw .invalidValue(
            option: "--write-out", value: "%{\(name)}",
            expected: "a variable such as %{\(Nearest.match(name, in: names) ?? "http_code")}", position: position)
    }

    /// The text with the values of `facts`.
    func text(_ facts: WriteOutFacts) -> String { parts.map { $0(facts) }.joined() }
}

/// What `--write-out` can tell about a call.
struct WriteOutFacts {
    let request: Request
    let log: TransferLog.Facts
    /// The file of `-o`.
    let file: String?
    let code: ExitCode
    /// What went wrong; empty if the call succeeded.
    let message: String

    private var head: ResponseHead? { log.head }
    private var transfers: [TransferTimes] { log.transfers }

    /// The value of a variable.
    struct Value {
        let text: String
        var isNumber = false

        static func count(_ count: Int) -> Value { Value(text: "\(count)", isNumber: true) }

        /// In seconds, with microseconds.
        static func time(_ time: Duration) -> Value {
            let (seconds, attoseconds) = time.components
            let decimals = String(1_000_000 + attoseconds / 1_000_000_000_000).dropFirst()
            return Value(text: "\(seconds).\(decimals)", isNumber: true)
        }
    }

    /// curl's variables.
    static let variables: [(name: String, value: @Sendable (WriteOutFacts) -> Value)] = [
        ("content_type", { Value(text: $0.head?["Content-Type"] ?? "") }),
        ("errormsg", { Value(text: $0.message) }),
        ("exitcode", { .count(Int($0.code.rawValue)) }),
        ("filename_effective", { Value(text: $0.file ?? "") }),
        ("http_code", { $0.status }),
        ("http_version", { Value(text: String($0.head?.version.drop { $0 != "/" }.dropFirst() ?? "0")) }),
        ("method", { Value(text: $0.request.method.rawValue) }),
        ("num_headers", { .count($0.head?.fields.count ?? 0) }),
        ("num_redirects", { .count(max($0.transfers.count - $0.log.attempts, 0)) }),
        ("num_retries", { .count($0.log.attempts - 1) }),
        ("response_code", { $0.status }),
        ("scheme", { Value(text: String($0.finalURL.prefix { $0 != ":" })) }),
        ("size_download", { .count($0.transfers.last?.size ?? 0) }),
        ("speed_download", { .count($0.transfers.last?.speed ?? 0) }),
        ("time_appconnect", { .time($0.transfers.contains { $0.tls != nil } ? $0.sum(\.untilTLS) : .zero) }),
        ("time_connect", { .time($0.sum { $0.nameLookup + $0.connect }) }),
        ("time_namelookup", { .time($0.sum(\.nameLookup)) }),
        ("time_starttransfer", { .time($0.sum { $0.untilTLS + $0.firstByte }) }),
        ("time_total", { .time($0.sum(\.total)) }),
        ("url", { Value(text: $0.request.redactedURL) }),
        ("url_effective", { Value(text: $0.finalURL) }),
    ]

    /// Three zeros without a response, as in curl.
    private var status: Value { head.map { .count($0.status) } ?? Value(text: "000") }
    private var finalURL: String { transfers.last?.url ?? request.redactedURL }
    private func sum(_ phase: (TransferTimes) -> Duration) -> Duration { transfers.reduce(.zero) { $0 + phase($1) } }

    /// All variables as a JSON object on one line.
    var json: String {
        let members = Self.variables.map { name, value in
            let value = value(self)
            return "\"\(name)\":" + (value.isNumber ? value.text : Self.quoted(value.text))
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// The headers as a JSON object: names in lower case, all values of each in the order received.
    var headersJSON: String {
        let fields = (head?.fields ?? []).map { (name: $0.name.lowercased(), value: Self.quoted($0.value)) }
        let members = fields.enumerated().filter { index, field in
            !fields[..<index].contains { $0.name == field.name }
        }.map { _, field in
            let values = fields.filter { $0.name == field.name }.map(\.value)
            return Self.quoted(field.name) + ":[" + values.joined(separator: ",") + "]"
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func quoted(_ text: String) -> String { TerminalText.escaped(JSONQuoting.quoted(text)) }
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
