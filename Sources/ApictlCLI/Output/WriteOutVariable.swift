import EndpointKit
import JSONText

/// The values of a call that `--write-out` can show.
struct WriteOutFacts {
    /// The URL of the request, without secrets.
    let url: String
    let method: HTTPMethod
    let log: ExchangeLog.Snapshot
    /// The path of the file of `-o`; nil if the body is not written to a file.
    let file: String?
    /// The exit code of the process.
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

    /// Returns the time that a phase took in all transfers together, in seconds with six decimals: `0.012345`.
    ///
    /// - Parameter phase: Returns the time of the phase in one transfer.
    fileprivate func totalSeconds(of phase: (TransferTimes) -> Duration) -> String {
        // A negative time would be an error of measurement.
        let total = max(transfers.map(phase).reduce(.zero, +), .zero)
        let (seconds, attoseconds) = total.components
        let attosecondsPerMicrosecond: Int64 = 1_000_000_000_000
        let digits = String(attoseconds / attosecondsPerMicrosecond)
        let leadingZeros = String(repeating: "0", count: 6 - digits.utf8.count)
        return "\(seconds).\(leadingZeros)\(digits)"
    }

    /// The value of the variable `json`: the variables with a single value as a JSON object on one line, as curl writes
    /// it.
    var json: String {
        let members = WriteOutVariable.singleValues.map { "\"\($0.name)\":\($0.json(self))" }
        return "{\(members.joined(separator: ","))}"
    }

    /// The value of the variable `header_json`: the headers of the response as a JSON object.
    ///
    /// Each name, in lower case, has the list of its values in the order received:
    ///
    ///     {"content-type":["application/json"],"set-cookie":["a=1","b=2"]}
    fileprivate var headersJSON: String {
        let headersByName = (head?.fields ?? []).grouped { $0.name.lowercased() }
        let members = headersByName.map { header in
            (header.key, JSONValue(header.elements.map { JSONValue(shown: $0.value) }))
        }
        return JSONValue(members).description
    }
}

/// A variable of `--write-out`, with curl's name and meaning.
struct WriteOutVariable: Sendable {
    let name: String
    /// Whether its value is a number in JSON.
    let isNumber: Bool
    /// Returns its value for a call.
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
    static let all = singleValues + [text("header_json", \.headersJSON), text("json", \.json)]

    /// The variables that `%{json}` has as members, in curl's order.
    fileprivate static let singleValues: [Self] = [
        text("content_type") { $0.head?["Content-Type"] ?? "" },
        text("errormsg", \.message),
        number("exitcode") { "\($0.code.rawValue)" },
        text("filename_effective") { $0.file ?? "" },
        number("http_code", \.status),
        text("http_version") { String($0.head?.version.drop { $0 != "/" }.dropFirst() ?? "0") },
        text("method", \.method.rawValue),
        number("num_headers") { "\($0.head?.fields.count ?? 0)" },
        // Each attempt begins with a transfer, and each redirect adds one.
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
            return facts.totalSeconds { usesTLS ? $0.untilTLS : .zero }
        },
        number("time_connect") { $0.totalSeconds { $0.nameLookup + $0.connect } },
        number("time_namelookup") { $0.totalSeconds(of: \.nameLookup) },
        number("time_starttransfer") { $0.totalSeconds { $0.untilTLS + $0.firstByte } },
        number("time_total") { $0.totalSeconds(of: \.total) },
        text("url", \.url),
        text("url_effective", \.finalURL),
    ]

    /// Returns the value of the variable for a call, as JSON.
    fileprivate func json(_ facts: WriteOutFacts) -> String {
        let text = value(facts)
        guard isNumber else { return JSONValue(shown: text).description }
        // JSON has no number `000`, which is the status if there was no response.
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

    /// The time until the TLS handshake ended or, without TLS, until the connection was made.
    fileprivate var untilTLS: Duration { nameLookup + connect + (tls ?? .zero) }
}
