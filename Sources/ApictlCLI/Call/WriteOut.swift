import EndpointKit
import JSONText

/// The text of `--write-out`, in curl's notation: `%{http_code}`, `%header{name}`, `%%`, `\n`, `\r` and `\t`.
struct WriteOut: Sendable {
    private enum Piece {
        case text(String)
        case variable(Variable)
        case header(String)
        /// All variables as JSON.
        case json
        /// All headers of the response as JSON.
        case headers
    }

    /// A variable; the raw value is curl's name.
    enum Variable: String, CaseIterable {
        case contentType = "content_type"
        case errorMessage = "errormsg"
        case exitCode = "exitcode"
        case file = "filename_effective"
        case status = "http_code"
        case version = "http_version"
        case method
        case headerCount = "num_headers"
        case redirectCount = "num_redirects"
        case retryCount = "num_retries"
        case responseCode = "response_code"
        case scheme
        case size = "size_download"
        case speed = "speed_download"
        case tls = "time_appconnect"
        case connect = "time_connect"
        case nameLookup = "time_namelookup"
        case firstByte = "time_starttransfer"
        case total = "time_total"
        case url
        case finalURL = "url_effective"
    }

    private var pieces: [Piece] = []

    /// The names in curly brackets that are no variable.
    private static let special: [String: Piece] = [
        // It is always written to stderr.
        "json": .json, "header_json": .headers, "stderr": .text(""),
    ]

    /// Throws ``UsageError`` for an unknown variable.
    init(_ text: String, position: Int) throws(UsageError) {
        var rest = text.unicodeScalars[...]
        var plain = String.UnicodeScalarView()
        func name(after start: String) -> String? {
            guard rest.starts(with: start.unicodeScalars), let end = rest.firstIndex(of: "}") else { return nil }
            defer { rest = rest[rest.index(after: end)...] }
            return String(rest[..<end].dropFirst(start.unicodeScalars.count))
        }
        while let scalar = rest.first {
            if let header = name(after: "%header{") {
                pieces += [.text(String(plain)), .header(header)]
                plain = .init()
            } else if let name = name(after: "%{") {
                pieces += [.text(String(plain))]
                plain = .init()
                if let piece = Self.special[name] {
                    pieces.append(piece)
                } else if let variable = Variable(rawValue: name) {
                    pieces.append(.variable(variable))
                } else {
                    let names = Variable.allCases.map(\.rawValue) + Self.special.keys.sorted()
                    throw .invalidValue(
                        option: "--write-out", value: "%{\(name)}",
                        expected: "a variable such as %{\(Nearest.match(name, in: names) ?? "http_code")}",
                        position: position)
                }
            } else {
                rest = rest.dropFirst()
                let next = rest.first
                let escapes: [Unicode.Scalar: Unicode.Scalar] = ["n": "\n", "r": "\r", "t": "\t"]
                if scalar == "%", next == "%" {
                    rest = rest.dropFirst()
                    plain.append("%")
                } else if scalar == "\\", let next, let escaped = escapes[next] {
                    rest = rest.dropFirst()
                    plain.append(escaped)
                } else {
                    plain.append(scalar)
                }
            }
        }
        pieces.append(.text(String(plain)))
    }

    /// The text with the values of `facts`.
    func text(_ facts: WriteOutFacts) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .variable(let variable): facts.value(variable).text.safeToShow
            case .header(let name): (facts.head?[name] ?? "").safeToShow
            case .json: facts.json
            case .headers: facts.headersJSON
            }
        }.joined()
    }
}

/// What `--write-out` can tell about a call.
struct WriteOutFacts {
    let method: HTTPMethod
    /// The URL that was called, with secrets redacted.
    let url: String
    /// All transfers, with redirects and retries.
    let transfers: [TransferTimes]
    let retries: Int
    /// The last response's, with secrets redacted.
    let head: ResponseHead?
    /// The file of `-o`.
    let file: String
    let exitCode: ExitCode
    /// Empty if the call succeeded.
    let errorMessage: String

    enum Value {
        case text(String)
        case count(Int)
        /// In seconds, with microseconds.
        case time(Duration)

        var text: String {
            switch self {
            case .text(let text): text
            case .count(let count): "\(count)"
            case .time(let duration):
                "\(duration.components.seconds)."
                    + String(String(1_000_000 + duration.components.attoseconds / 1_000_000_000_000).dropFirst())
            }
        }

        fileprivate var json: String {
            if case .text(let text) = self { return WriteOutFacts.quoted(text) }
            return text
        }
    }

    func value(_ variable: WriteOut.Variable) -> Value {
        switch variable {
        case .contentType: .text(head?["Content-Type"] ?? "")
        case .errorMessage: .text(errorMessage)
        case .exitCode: .count(Int(exitCode.rawValue))
        case .file: .text(file)
        // Three zeros without a response, as in curl.
        case .status, .responseCode: head.map { .count($0.status) } ?? .text("000")
        case .version: .text(String(head?.version.drop { $0 != "/" }.dropFirst() ?? "0"))
        case .method: .text(method.rawValue)
        case .headerCount: .count(head?.fields.count ?? 0)
        case .redirectCount: .count(max(transfers.count - retries - 1, 0))
        case .retryCount: .count(retries)
        case .scheme: .text(String(finalURL.prefix { $0 != ":" }))
        case .size: .count(size)
        case .speed: .count(speed)
        case .nameLookup: .time(sum { $0.nameLookup })
        case .connect: .time(sum { $0.nameLookup + $0.connect })
        case .tls: .time(hasTLS ? sum { $0.nameLookup + $0.connect + ($0.tls ?? .zero) } : .zero)
        case .firstByte: .time(sum { $0.nameLookup + $0.connect + ($0.tls ?? .zero) + $0.firstByte })
        case .total: .time(sum(\.total))
        case .url: .text(url)
        case .finalURL: .text(finalURL)
        }
    }

    private var finalURL: String { transfers.last?.url ?? url }
    private var hasTLS: Bool { transfers.contains { $0.tls != nil } }
    private var size: Int { Int(max(transfers.last?.receivedBytes ?? 0, 0)) }

    /// Bytes per second of the last transfer.
    private var speed: Int {
        let seconds = transfers.last?.total.inSeconds ?? 0
        // A higher rate is a measuring error, and would overflow.
        return seconds > 0 ? Int(min(Double(size) / seconds, 1e18)) : 0
    }

    private func sum(_ phase: (TransferTimes) -> Duration) -> Duration { transfers.reduce(.zero) { $0 + phase($1) } }

    /// All variables as a JSON object on one line.
    var json: String {
        let members = WriteOut.Variable.allCases.map { "\"\($0.rawValue)\":\(value($0).json)" }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// The headers as a JSON object: names in lower case, all values of each in the order received.
    var headersJSON: String {
        var names: [String] = []
        for name in (head?.fields ?? []).map({ $0.name.lowercased() }) where !names.contains(name) {
            names.append(name)
        }
        let members = names.map { name in
            let values = head?.fields.filter { $0.name.lowercased() == name }.map { Self.quoted($0.value) } ?? []
            return Self.quoted(name) + ":[" + values.joined(separator: ",") + "]"
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func quoted(_ text: String) -> String { TerminalText.escaped(JSONQuoting.quoted(text)) }
}
