import EndpointKit
import JSONText

/// The text of `--write-out`, in curl's notation: `%{http_code}`, `%header{name}`, `%%`, `\n`, `\r` and `\t`.
///
/// It is written to stderr. `%{stdout}` and `%{stderr}` switch to the other stream.
struct WriteOut: Sendable {
    /// A part of the text, whose value may depend on the call.
    private struct Part {
        let isForStdout: Bool
        let text: @Sendable (WriteOutFacts) -> String
    }

    private var parts: [Part] = []

    /// Whether nothing is written to stderr.
    var isForStdout: Bool { parts.allSatisfy(\.isForStdout) }

    /// Reads the text of the option.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - source: The place of the text, for messages.
    /// - Throws: ``UsageError`` for an unknown variable.
    init(_ text: String, from source: ValueSource) throws(UsageError) {
        var tokens = WriteOutTokens(text)
        var isForStdout = false
        while let token = tokens.next() {
            switch token {
            case .text(let text):
                parts.append(Part(isForStdout: isForStdout) { _ in text })
            case .header(let name):
                parts.append(Part(isForStdout: isForStdout) { ($0.log.head?[name] ?? "").safeToShow })
            case .variable("stdout"):
                isForStdout = true
            case .variable("stderr"):
                isForStdout = false
            case .variable(let name):
                guard let variable = WriteOutVariable.all.first(where: { $0.name == name }) else {
                    throw Self.unknownVariable(name, source)
                }
                parts.append(Part(isForStdout: isForStdout) { variable.value($0).safeToShow })
            }
        }
    }

    /// Returns the error about an unknown variable, with the nearest name and all known ones.
    private static func unknownVariable(_ name: String, _ source: ValueSource) -> UsageError {
        let names = WriteOutVariable.all.map(\.name)
        let question = NearestWord.match(name, in: names).map { "; did you mean '%{\($0)}'?" } ?? ""
        let known = (["stdout", "stderr"] + names).joined(separator: ", ")
        return .unusableValue(
            option: "--write-out", problem: "unknown variable '%{\(name)}'\(question) (known: \(known))",
            source: source)
    }

    /// Writes the text with the values of a call in place of its variables, each part to its stream.
    func write(_ facts: WriteOutFacts, to environment: ProcessEnvironment) throws {
        for part in parts {
            let output: any ByteOutput = part.isForStdout ? environment.stdout : environment.stderr
            try output.write(part.text(facts))
        }
    }
}

/// Splits the text of `--write-out` into its tokens.
private struct WriteOutTokens {
    enum Token {
        case text(String)
        /// `%header{name}`
        case header(String)
        /// `%{name}`
        case variable(String)
    }

    /// The escapes, each of two characters, with the characters that they stand for.
    private static let escapes = ["%%": "%", "\\n": "\n", "\\r": "\r", "\\t": "\t"]

    /// The text after the last token. Scalars, because a line break of two scalars would be one character.
    private var remaining: Substring.UnicodeScalarView

    init(_ text: String) { remaining = text.unicodeScalars[...] }

    /// Returns the next token; nil at the end of the text.
    mutating func next() -> Token? {
        if remaining.isEmpty { return nil }
        if let name = takeName(after: "%header{") { return .header(name) }
        if let name = takeName(after: "%{") { return .variable(name) }
        if let character = Self.escapes[String(remaining.prefix(2))] {
            remaining = remaining.dropFirst(2)
            return .text(character)
        }
        // A percent sign or backslash without a meaning stands for itself.
        let end = remaining.dropFirst().firstIndex { $0 == "%" || $0 == "\\" } ?? remaining.endIndex
        let text = String(remaining[..<end])
        remaining = remaining[end...]
        return .text(text)
    }

    /// Takes a name between `prefix` and a closing brace.
    ///
    ///     prefix %{, text %{http_code} and more  →  http_code, and the remaining text is " and more"
    ///
    /// - Returns: The name; nil if the text does not continue that way, so that nothing is taken.
    private mutating func takeName(after prefix: String) -> String? {
        guard remaining.starts(with: prefix.unicodeScalars), let end = remaining.firstIndex(of: "}") else { return nil }
        let name = remaining[..<end].dropFirst(prefix.unicodeScalars.count)
        remaining = remaining[end...].dropFirst()
        return String(name)
    }
}

/// The values of a call that `--write-out` can show.
struct WriteOutFacts {
    /// The URL of the request, without secrets.
    let url: String
    let method: HTTPMethod
    let log: ExchangeLog.Facts
    /// The file of `-o`.
    let file: String?
    let code: ExitCode
    /// The failure's message; empty if the call succeeded.
    let message: String

    /// The head of the last response; nil if there is none.
    fileprivate var head: ResponseHead? { log.head }
    /// The transfers of the call: one for each attempt and redirect.
    fileprivate var transfers: [TransferTimes] { log.transfers }

    /// The status of the response. Without a response it is three zeros, as in curl.
    fileprivate var status: String { head.map { "\($0.status)" } ?? "000" }
    /// The URL of the last transfer, to which redirects have led; the URL of the request if nothing was sent.
    fileprivate var finalURL: String { transfers.last?.url ?? url }

    /// Returns the time that a phase took in all transfers, in seconds: `0.012345`.
    ///
    /// - Parameter phase: Returns the time of the phase in one transfer.
    fileprivate func total(_ phase: (TransferTimes) -> Duration) -> String {
        let time = transfers.reduce(Duration.zero) { $0 + phase($1) }
        let microseconds = time.components.attoseconds / 1_000_000_000_000
        // The million adds a digit in front, which keeps the zeros of the fraction: 12345 → 1012345 → 012345.
        let fraction = String(1_000_000 + microseconds).dropFirst()
        return "\(time.components.seconds).\(fraction)"
    }

    /// The variables in ``WriteOutVariable/variables`` as a JSON object on one line, as curl writes it.
    var json: String {
        let members = WriteOutVariable.variables.map { "\"\($0.name)\":\($0.json(self))" }
        return "{\(members.joined(separator: ","))}"
    }

    /// The headers as a JSON object. Each name, in lower case, has the list of its values in the order received:
    ///
    ///     {"content-type":["application/json"],"set-cookie":["a=1","b=2"]}
    var headersJSON: String {
        let headers = (head?.fields ?? []).grouped { $0.name.lowercased() }
        let members = headers.map { header in
            (header.key, JSONValue(header.elements.map { JSONValue(shown: $0.value) }))
        }
        return JSONValue(members).description
    }
}

/// A variable of `--write-out`.
private struct WriteOutVariable: Sendable {
    let name: String
    /// Whether its JSON value is a number.
    let isNumber: Bool
    let value: @Sendable (WriteOutFacts) -> String

    /// Makes a variable whose JSON value is a string.
    private static func text(_ name: String, _ value: @escaping @Sendable (WriteOutFacts) -> String) -> Self {
        Self(name: name, isNumber: false, value: value)
    }

    /// Makes a variable whose JSON value is a number.
    private static func number(_ name: String, _ value: @escaping @Sendable (WriteOutFacts) -> String) -> Self {
        Self(name: name, isNumber: true, value: value)
    }

    /// All variables that can stand in `%{…}`, except `stdout` and `stderr`.
    static let all = variables + [text("header_json", \.headersJSON), text("json", \.json)]

    /// The variables that `%{json}` has as members, in curl's order.
    static let variables: [Self] = [
        text("content_type") { $0.head?["Content-Type"] ?? "" },
        text("errormsg", \.message),
        number("exitcode") { "\($0.code.rawValue)" },
        text("filename_effective") { $0.file ?? "" },
        number("http_code", \.status),
        text("http_version") { String($0.head?.version.drop { $0 != "/" }.dropFirst() ?? "0") },
        text("method", \.method.rawValue),
        number("num_headers") { "\($0.head?.fields.count ?? 0)" },
        number("num_redirects") { "\(max($0.transfers.count - $0.log.attempts, 0))" },
        number("num_retries") { "\($0.log.attempts - 1)" },
        text("remote_ip") { $0.transfers.last?.remoteIP ?? "" },
        number("remote_port") { "\($0.transfers.last?.remotePort ?? 0)" },
        number("response_code", \.status),
        text("scheme") { String($0.finalURL.prefix { $0 != ":" }) },
        number("size_download") { "\($0.transfers.last?.size ?? 0)" },
        number("speed_download") { "\($0.transfers.last?.speed ?? 0)" },
        number("time_appconnect") { facts in
            let usesTLS = facts.transfers.contains { $0.tls != nil }
            return facts.total { usesTLS ? $0.untilTLS : .zero }
        },
        number("time_connect") { $0.total { $0.nameLookup + $0.connect } },
        number("time_namelookup") { $0.total(\.nameLookup) },
        number("time_starttransfer") { $0.total { $0.untilTLS + $0.firstByte } },
        number("time_total") { $0.total(\.total) },
        text("url", \.url),
        text("url_effective", \.finalURL),
    ]

    /// Returns the value of the variable as JSON.
    func json(_ facts: WriteOutFacts) -> String {
        let text = value(facts)
        guard isNumber else { return JSONValue(shown: text).description }
        // The status `000`, which stands for a missing response, is not a number in JSON.
        return text == "000" ? "0" : text
    }
}

extension TransferTimes {
    /// The body's size in bytes.
    var size: Int { Int(max(receivedBytes, 0)) }

    /// The average speed over the whole transfer in bytes per second, as in curl; 0 if it took no time.
    var speed: Int {
        guard total > .zero else { return 0 }
        // A higher speed is an error of measurement, and would overflow.
        return Int(min(Double(size) / total.inSeconds, 1e18))
    }

    /// The time until the TLS handshake ended.
    fileprivate var untilTLS: Duration { nameLookup + connect + (tls ?? .zero) }
}
