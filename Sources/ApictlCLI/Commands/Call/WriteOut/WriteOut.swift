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
