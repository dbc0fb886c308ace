import EndpointKit
import EndpointTools
import JSONText
import MockServer
import OpenAPI

/// A run that failed: what stderr says about it, and the exit code. All errors are turned into text here.
struct Failure: Error {
    var message: String
    /// Further lines: where the problem is, and what may help.
    var hints: [String] = []
    var code: ExitCode
    /// The exchange that failed, as far as it is known. Secrets are removed already.
    var exchange = ExchangeFacts()
    var isSilent = false
    /// Whether stdout says it already, so that it is only repeated as JSON.
    var isReported = false
    /// Whether a page says itself that following pages makes no sense.
    var isAboutPaging = false
    /// Whether the message starts with `FILE:LINE:COLUMN`, which editors recognise only at the start of a line.
    var startsWithPlace = false

    init(_ message: String, _ code: ExitCode, hints: [String] = []) {
        self.message = message
        self.hints = hints
        self.code = code
    }

    /// What `--json-errors` tells about an exchange.
    struct ExchangeFacts {
        var endpoint: String?
        var method: String?
        var url: String?
        var status: Int?
        var attempts: Int?
        var body: JSONValue?
    }
}

extension Failure {
    /// The failure that `error` is; `topic` is the help topic to suggest.
    init(_ error: any Error, _ context: CommandContext, topic: String?) {
        self.init(error)
        guard let error = error as? UsageError else { return }
        let help = topic.map { $0 == HelpCommand.name ? $0 : "help \($0)" } ?? "help"
        hints = ["See '\(context.invocation) \(error.see ?? help)'."]
    }

    /// The failure that `error` is. `endpoint` is the name of the endpoint that was called with `options`; `mayRepeat` says whether a person
    /// may be advised to send the request again, `hasSample` whether to use the sample.
    init(
        _ error: any Error, endpoint: String? = nil, options: CallOptions? = nil, mayRepeat: Bool = true,
        hasSample: Bool = false
    ) {
        func about(_ message: String, _ code: ExitCode, hints: [String] = []) -> Failure {
            Failure((endpoint.map { $0 + ": " } ?? "") + message, code, hints: hints)
        }
        switch error {
        case let error as Failure: self = error
        case let error as UsageError: self.init(error.text, .usage)
        case let error as BodyTypeError: self.init("--body-type: \(error)", .usage)
        case let error as CallValueError: self.init("\(error)", .usage)
        case let error as MissingCredential:
            let advice = hasSample ? " (--sample and --dry-run need none)" : " (--dry-run needs none)"
            self = about(
                "\(error)" + (options == nil ? "" : advice), .missingCredential,
                hints: error.pages)
        case let error as CredentialSourceFailure:
            self = about(error.sentence, error.isTimeout ? .timeout : .missingCredential)
        case let error as TransportError: self = about(error.message, error.exitCode)
        case let error as JSONSyntaxError:
            let isKept = options?.raw != true || options?.save != nil || options?.followsPages == true
            let hints = isKept || !mayRepeat ? [] : ["Add -o FILE to keep what the server sent."]
            self = about("the response is not valid JSON: \(error.description)", .badResponse, hints: hints)
        case let error as ModelMismatch:
            self = about(
                "the response does not fit \(error.model)", .badResponse, hints: ["  " + error.description])
        case let error as ReportedFailure: self = about(error.message, .badResponse)
        case let error as BodyTooLarge:
            let ways = options?.maxBytes == nil ? "--raw, -o FILE, or --max-bytes 1G" : "a larger --max-bytes"
            self = about(
                "the response is longer than \(ByteCountText.shown(error.limit))", .badResponse,
                hints: ["To read more: \(ways)"])
        case let error as UnusableResponse:
            self = about(error.description, .badResponse, hints: mayRepeat ? error.hint.map { [$0] } ?? [] : [])
        case let error as PagingError:
            self = about(error.description, .badResponse)
            isAboutPaging = true
        case let error as FileError:
            self.init(error.description, error.isTimeout ? .timeout : .failure)
            if error.isTimeout, let hint = TransportError.hint(toRaise: "--max-time", options?.wholeLimit ?? .zero) {
                hints = [hint]
            }
        case let error as MockServerError:
            let hint: String? =
                switch error.cause {
                case .port: "To use any free port: --port 0"
                case .host: "--host takes an address of this machine: 127.0.0.1, or 0.0.0.0 for all of them."
                case .system: nil
                }
            self.init(error.description, .failure, hints: hint.map { [$0] } ?? [])
        case is OutputClosed:
            self.init("", .outputClosed)
            isSilent = true
        case is CancellationError: self.init("interrupted", .interrupted)
        case let error as NotAnEnumCase:
            self.init(
                "\(error.type) does not use the Codable conformance that the compiler makes for enums, with the names of its cases",
                .failure)
        case let problem as RequestProblem: self.init(problem.description, .failure)
        default: self = about(String(describing: error), .failure)
        }
        if options?.quiet == true { isSilent = true }
    }
}

extension Failure {
    var isStatus: Bool { [.redirection, .clientError, .serverError].contains(code) }

    /// Whether the same command may succeed later.
    var isTransient: Bool {
        switch code {
        case .network, .timeout, .serverError, .failure: true
        case .clientError: exchange.status == 429
        default: false
        }
    }

    /// Writes the text, or one line of JSON, to stderr. Throws what the output does.
    func print(_ context: CommandContext, asJSON: Bool) throws {
        // Who interrupts a command knows it.
        guard !isSilent, asJSON || code != .interrupted && !isReported else { return }
        let output = context.environment.stderr
        if asJSON {
            let signal = code == .interrupted ? context.environment.signalCode() : nil
            return try BodyPrinter(output: output, style: .compact).print(json(signal ?? code.rawValue))
        }
        let text = ([message] + hints).map { $0.safeToShow + "\n" }.joined()
        try output.write(context.environment.marked((startsWithPlace ? "" : "\(context.tool): ") + text))
    }

    private func json(_ exitCode: Int32) -> JSONValue {
        let hints = hints.map { JSONValue(shown: String($0.drop { $0 == " " })) }
        let error = JSONValue(members: [
            "kind": code.kind, "message": JSONValue(shown: message), "hints": hints, "exitCode": Int(exitCode),
            "endpoint": exchange.endpoint, "method": exchange.method, "url": exchange.url, "status": exchange.status,
            "attempts": exchange.attempts, "body": exchange.body,
        ])
        return ["error": error]
    }
}

extension MissingCredential {
    /// `To get TMDB_API_KEY or TMDB_ACCESS_TOKEN: https://…` for each page that is known.
    fileprivate var pages: [String] {
        let names = zip(alternatives, sources).map { (name: $0.joined(separator: " and "), page: $1) }
        return sources.compactMap(\.self).withoutRepetitions.map { page in
            "To get \(names.filter { $0.page == page }.map(\.name).joined(separator: " or ")): \(page)"
        }
    }
}

extension TransportError {
    fileprivate var exitCode: ExitCode {
        switch cause {
        case .timedOut: .timeout
        case .unreadableBody: .failure
        default: .network
        }
    }

    /// A line that suggests what to try; nil if nothing would help. `isRepeatable` says whether the request may be sent again.
    func hint(_ options: CallOptions, _ names: VariableNames, isRepeatable: Bool) -> String? {
        switch cause {
        case .proxy(.credentialsRequired), .proxy(.credentialsRejected):
            "Put user and password into http_proxy or https_proxy: http://USER:PASSWORD@HOST:PORT"
        case .certificate(.unknownIssuer) where party == .proxy, .certificate(.selfSigned) where party == .proxy:
            "To trust another issuer: --cacert FILE"
        case .certificate(let problem):
            party == .proxy || !options.connection.verifiesCertificate ? nil : problem.hint
        case .proxy,
            .nameNotResolved where party == .proxy, .notConnected where party == .proxy:
            "To use no proxy: -x ''"
        case .nameNotResolved: "Check the name and the network. Skip the lookup with --resolve HOST:PORT:ADDRESS."
        case .notConnected: "Is the server running?"
        case .notHTTP: "Check scheme and port."
        case .tls: "Does the server speak https on that port? -vv shows how far the connection got."
        case .clientCertificateRequired: "Use --cert FILE, and --key FILE if the key is separate."
        case .credentialFile(.clientCertificate, _) where phase != .preparing && options.connection.clientKey == nil:
            "If its key is in another file: --key FILE"
        case .credentialFile(.clientCertificate, _) where phase != .preparing:
            "The passphrase of an encrypted key is read from \(names.keyPassphrase)."
        case .timedOut(.idle): "To wait as long as it takes: --max-time 0"
        case .timedOut(.connecting(let limit)): Self.hint(toRaise: "--connect-timeout", limit)
        case .timedOut(.whole): Self.hint(toRaise: "--max-time", options.wholeLimit)
        case .cutShort: isRepeatable && options.retry == 0 ? "To try again: --retry 3" : nil
        // Following more redirects does not help in a loop.
        case .tooManyRedirects: cause.isRedirectLoop ? nil : "To follow more: --max-redirects N"
        case .unreadableBody(let path) where path.hasPrefix("@"):
            "The path is given without the @: \(path.dropFirst())"
        case .contentCoding: "To receive the body as it is sent: -H 'Accept-Encoding: identity'"
        case .clientCertificateRejected, .credentialFile, .malformedResponse, .headersTooLarge, .unreadableBody,
            .unsafeRedirect, .libraryMissing, .unsupportedOption, .invalidRequest, .other:
            nil
        }
    }

    /// A hint to double the limit that an option sets; nil if there is none.
    static func hint(toRaise option: String, _ limit: Duration) -> String? {
        guard limit != .zero else { return nil }
        let seconds = (limit * 2).inSeconds
        let value = seconds < 1 ? "\(Decimals.text(seconds * 1000, places: 0))ms" : "\(Decimals.trimmed(seconds))s"
        return "To wait longer: \(option) \(value)"
    }
}

extension TransportError.CertificateProblem {
    fileprivate var hint: String {
        switch self {
        case .expired: "Only its owner can renew it; -k skips the check."
        case .notYetValid: "Is this machine's clock right? -k skips the check."
        case .wrongHost: "To keep the name for another address: --resolve HOST:PORT:ADDRESS; -k skips the check."
        case .selfSigned, .unknownIssuer: "To trust another issuer: --cacert FILE; -k skips the check."
        case .other: "-k skips the check."
        }
    }
}
