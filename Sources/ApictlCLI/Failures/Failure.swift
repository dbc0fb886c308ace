import EndpointKit
import JSONText
import MockServer

/// A run that failed: what stderr says about it, and the exit code. All errors are turned into text here.
struct Failure: Error {
    /// What went wrong.
    var message: String
    /// Further lines: where the problem is, and what may help.
    var hints: [String] = []
    var code: ExitCode
    /// The exchange that failed, as far as it is known. Secrets are removed already.
    var exchange = ExchangeFacts()
    /// Whether nothing is to be printed.
    var isSilent = false
    /// Whether a page says itself that following pages makes no sense.
    var isAboutPaging = false
    /// Whether the message starts with `FILE:LINE:COLUMN`, which editors recognise only at the start of a line.
    var startsWithPlace = false

    init(_ message: String, _ hints: [String] = [], _ code: ExitCode) {
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
        /// The JSON of the response's body, or its text.
        var body: JSONValue?
    }
}

extension Failure {
    /// The failure that `error` is; `topic` is the help topic to suggest.
    init(_ error: any Error, _ context: RunContext, topic: String?) {
        guard let error = error as? UsageError else {
            self.init(error)
            return
        }
        // Calls read no other file of settings than the configuration and that of --env-file.
        let isAboutCall = !context.commands.contains { $0.name == topic }
        let help =
            error.isAboutFile && isAboutCall
            ? "help config" : topic.map { $0 == "help" ? "help" : "help \($0)" } ?? "help"
        self.init(error.text, ["See '\(context.tool) \(error.see ?? help)'."], .usage)
    }

    /// The failure that `error` is. `endpoint` is the name of the endpoint that was called with `options`; `mayRepeat` says whether a person
    /// may be advised to send the request again.
    init(_ error: any Error, endpoint: String? = nil, options: CallOptions? = nil, mayRepeat: Bool = true) {
        let subject = endpoint.map { $0 + ": " } ?? ""
        func text(_ message: String, _ hints: [String] = [], _ code: ExitCode) -> Failure {
            Failure(subject + message, hints, code)
        }
        func text(_ message: String, _ code: ExitCode) -> Failure { text(message, [], code) }
        switch error {
        case let error as Failure: self = error
        case let error as UsageError: self.init(error.text, .usage)
        case let error as MissingCredential:
            self = text(
                error.sentence, CredentialPages.lines(error.alternatives, error.sources).map { "To get " + $0 },
                .missingCredential)
        case let error as CredentialSourceFailure:
            self = text(error.sentence, error.isTimeout ? .timeout : .missingCredential)
        case let error as TransportError: self = text(error.message, error.exitCode)
        case let error as JSONSyntaxError:
            self = text(
                "the response is not valid JSON: \(error.description)",
                options?.raw == true && mayRepeat ? ["Add -o FILE to keep what the server sent."] : [], .badResponse)
        case let error as ModelMismatch:
            self = text("the response does not fit \(error.model)", ["  " + error.description], .badResponse)
        case let error as ReportedFailure: self = text(error.message, .badResponse)
        case let error as BodyTooLarge:
            self = text(ResponseLimit.sentence(error.limit, given: options?.maxBytes), .badResponse)
        case let error as UnusableResponse:
            self = text(error.description, mayRepeat ? error.hint.map { [$0] } ?? [] : [], .badResponse)
        case let error as PagingError:
            self = text(error.description, .badResponse)
            isAboutPaging = true
        case let error as FileError:
            let hint =
                error.isTimeout ? options.flatMap { TransportError.hint(toRaise: "--max-time", $0.wholeLimit) } : nil
            self.init(
                "can't \(error.operation.rawValue) \(error.path): \(error.reason)", hint.map { [$0] } ?? [],
                error.isTimeout ? .timeout : .failure)
        case let error as MockServerError: self.init(error.message, ["To use any free port: --port 0"], .failure)
        case is OutputClosed:
            self.init("", .outputClosed)
            isSilent = true
        case is CancellationError:
            self.init("", .interrupted)
            isSilent = true
        case let error as Signature.NotACase:
            self.init(
                "\(error.type) does not use the Codable conformance that the compiler makes for enums, with the names of its cases",
                .failure)
        case let error as DuplicateAPI: self.init("two APIs have the name \(error.name)", .failure)
        case let error as RequestProblem: self.init(error.sentence, .failure)
        default: self = text(String(describing: error), .failure)
        }
        if options?.quiet == true { isSilent = true }
    }

    private init(_ message: String, _ code: ExitCode) { self.init(message, [], code) }
}

extension Failure {
    /// Whether a final status is the failure.
    var isStatus: Bool { [.redirection, .clientError, .serverError].contains(code) }

    /// Whether the same command may succeed later.
    var mayPass: Bool {
        switch code {
        case .network, .timeout, .serverError, .failure: true
        case .clientError: exchange.status == 429
        default: false
        }
    }

    /// The text for stderr.
    func text(tool: String) -> String {
        if isSilent { return "" }
        return (startsWithPlace ? "" : "\(tool): ") + ([message] + hints).map { $0.safeToShow + "\n" }.joined()
    }

    /// Writes the text, or one line of JSON. Throws what the output does.
    func print(to output: any ByteOutput, tool: String, asJSON: Bool) throws {
        guard asJSON else { return try output.write(text(tool: tool)) }
        if !isSilent {
            try BodyPrinter(output: output, style: .compact, palette: nil).print(Description(failure: self))
        }
    }

    /// What `--json-errors` prints.
    private struct Description: Encodable {
        enum CodingKeys: String, CodingKey { case error }

        enum ErrorKeys: String, CodingKey {
            case kind, message, hints, exitCode, endpoint, method, url, status, attempts, body
        }

        let failure: Failure

        func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: CodingKeys.self)
            var container = outer.nestedContainer(keyedBy: ErrorKeys.self, forKey: .error)
            try container.encode(failure.code.kind, forKey: .kind)
            try container.encode(failure.message, forKey: .message)
            try container.encode(failure.hints.map { String($0.drop { $0 == " " }) }, forKey: .hints)
            try container.encode(failure.code.rawValue, forKey: .exitCode)
            let exchange = failure.exchange
            try container.encodeIfPresent(exchange.endpoint, forKey: .endpoint)
            try container.encodeIfPresent(exchange.method, forKey: .method)
            try container.encodeIfPresent(exchange.url, forKey: .url)
            try container.encodeIfPresent(exchange.status, forKey: .status)
            try container.encodeIfPresent(exchange.attempts, forKey: .attempts)
            try container.encodeIfPresent(exchange.body, forKey: .body)
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
}

extension MissingCredential {
    fileprivate var sentence: String {
        let choices = alternatives.map { $0.joined(separator: " and ") }
        return "a credential is missing: set \(choices.joined(separator: ", or ")) (--sample and --dry-run need none)"
    }
}

extension RequestProblem {
    fileprivate var sentence: String {
        switch self {
        case .noServer(let api): "\(api) declares no server"
        case .server(let name, let url, let problem):
            "the URL of server \(name) is not a base URL: '\(url)' (\(problem))"
        }
    }
}

extension String {
    /// This text on one line, with control characters escaped and bytes that are not UTF-8 shown like `\xFF`.
    var safeToShow: String { TerminalText.escaped(escapingRawBytes) }
}
