import EndpointKit
import EndpointTools
import JSONText
import MockServer
import OpenAPI

/// A run that failed: what stderr says about it, and the exit code. All errors are turned into text here.
struct Failure: Error {
    var message: String
    /// Further lines: where the problem is, and what may help.
    var hints: [Hint] = []
    var code: ExitCode
    /// The exchange that failed, as far as it is known. Secrets are removed already.
    var exchange = ExchangeFacts()
    var visibility = Visibility.always
    /// Whether the message starts with `FILE:LINE:COLUMN`, which editors recognise only at the start of a line.
    var startsWithPlace = false

    init(_ message: String, _ code: ExitCode, hints: [Hint] = []) {
        self.message = message
        self.hints = hints
        self.code = code
    }

    /// When stderr tells about a failure.
    enum Visibility {
        case always
        /// Only as JSON, because stdout says it already.
        case inJSON
        case never
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

// MARK: Errors

extension Failure {
    /// Makes the failure that ends a command.
    ///
    /// - Parameter topic: The help topic to suggest for a wrong command line; nil is the overview.
    init(_ error: any Error, _ context: CommandContext, topic: String?) {
        self.init(error)
        guard let error = error as? UsageError else { return }
        let help = topic.map { $0 == HelpCommand.name ? $0 : "help \($0)" } ?? "help"
        hints = [.fact("See '\(context.invocation) \(error.see ?? help)'.")]
    }

    /// Makes the failure that `error` is.
    ///
    /// - Parameters:
    ///   - endpoint: The name of what was called, with which the message starts.
    ///   - options: The options of the call; nil if it is none of the command line.
    ///   - mayRepeat: Whether a person may be advised to send the request again.
    ///   - hasSample: Whether a person may be advised to use the sample.
    init(
        _ error: any Error, endpoint: String? = nil, options: CallOptions? = nil, mayRepeat: Bool = true,
        hasSample: Bool = false
    ) {
        let start = endpoint.map { $0 + ": " } ?? ""
        switch error {
        case let error as Failure: self = error
        case let error as UsageError: self.init(error.text, .usage)
        case let error as BodyTypeError: self.init("--body-type: \(error)", .usage)
        case let error as CallValueError: self.init("\(error)", .usage)
        case let error as MissingCredential:
            let advice = hasSample ? " (--sample and --dry-run need none)" : " (--dry-run needs none)"
            let pages = error.pages.map { Hint.fact($0) }
            self.init("\(start)\(error)" + (options == nil ? "" : advice), .missingCredential, hints: pages)
        case let error as CredentialSourceFailure:
            self.init(start + error.sentence, error.isTimeout ? .timeout : .missingCredential)
        case let error as TransportError: self.init(start + error.message, error.exitCode)
        case let error as FailedStatus: self.init(error, start)
        case let error as FileError: self.init(error, options)
        case let error as MockServerError: self.init(error)
        case is OutputClosed:
            self.init("", .outputClosed)
            visibility = .never
        case is CancellationError: self.init("interrupted", .interrupted)
        case let error as NotAnEnumCase:
            let what = "the Codable conformance that the compiler makes for enums, with the names of its cases"
            self.init("\(error.type) does not use \(what)", .failure)
        case let problem as RequestProblem: self.init(problem.description, .failure)
        default:
            self =
                Self.badResponse(error, start, options, mayRepeat: mayRepeat)
                ?? Failure(start + String(describing: error), .failure)
        }
        if options?.output.quiet == true { visibility = .never }
    }

    /// Returns the failure that a response is which can't be used; nil for other errors.
    private static func badResponse(
        _ error: any Error, _ start: String, _ options: CallOptions?, mayRepeat: Bool
    ) -> Failure? {
        switch error {
        case let error as JSONSyntaxError:
            let output = options?.output
            let isKept = output?.raw != true || output?.copy != nil || options?.pages.areFollowed == true
            let hints = isKept || !mayRepeat ? [] : [Hint.options("Add -o FILE to keep what the server sent.")]
            return Failure("\(start)the response is not valid JSON: \(error.description)", .badResponse, hints: hints)
        case let error as ModelMismatch:
            let place = Hint.fact("  " + error.description)
            return Failure("\(start)the response does not fit \(error.model)", .badResponse, hints: [place])
        case let error as ReportedFailure: return Failure(start + error.message, .badResponse)
        case let error as BodyTooLarge:
            let ways = options?.transfer.maxBytes == nil ? "--raw, -o FILE, or --max-bytes 1G" : "a larger --max-bytes"
            let length = ByteCountText.shown(error.limit)
            return Failure(
                "\(start)the response is longer than \(length)", .badResponse,
                hints: [.options("To read more: \(ways)")])
        case let error as UnusableResponse:
            let hints = mayRepeat ? [error.hint].compactMap(\.self) : []
            return Failure(start + error.description, .badResponse, hints: hints)
        case let error as PagingError: return Failure(start + error.description, .badResponse)
        default: return nil
        }
    }

    private init(_ error: FailedStatus, _ start: String) {
        let answer = (error.server.map { $0 + " answered " } ?? "") + error.statusText
        let message = error.message.map { ": " + $0 } ?? ""
        self.init(start + answer + message, ExitCode(status: error.status), hints: error.hints.map { .fact($0) })
        exchange.body = error.body
    }

    private init(_ error: FileError, _ options: CallOptions?) {
        self.init(error.description, error.isTimeout ? .timeout : .failure)
        guard error.isTimeout, let limit = options?.transfer.shownTimeLimit else { return }
        hints = [TransportError.hint(toRaise: "--max-time", limit)].compactMap(\.self)
    }

    private init(_ error: MockServerError) {
        let hint: Hint? =
            switch error.cause {
            case .port: .options("To use any free port: --port 0")
            case .host: .options("--host takes an address of this machine: 127.0.0.1, or 0.0.0.0 for all of them.")
            case .system: nil
            }
        self.init(error.description, .failure, hints: [hint].compactMap(\.self))
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

// MARK: Output

extension Failure {
    /// Writes the text, or one line of JSON, to stderr. Throws what the output does.
    func print(_ context: CommandContext, asJSON: Bool) throws {
        if visibility == .never { return }
        let output = context.environment.stderr
        if asJSON {
            let signal = code == .interrupted ? context.environment.signals.exitCode() : nil
            return try BodyPrinter(output: output, style: .compact).print(json(signal ?? code.rawValue))
        }
        // Who interrupts a command knows it.
        if code == .interrupted || visibility == .inJSON { return }
        let text = ([message] + hints.map(\.text)).map { $0.safeToShow + "\n" }.joined()
        try output.write(context.environment.marked((startsWithPlace ? "" : "\(context.tool): ") + text))
    }

    private func json(_ exitCode: Int32) -> JSONValue {
        let hints = hints.map { hint in JSONValue(shown: String(hint.text.drop { $0 == " " })) }
        let error = JSONValue(members: [
            "kind": code.kind, "message": JSONValue(shown: message), "hints": hints, "exitCode": Int(exitCode),
            "endpoint": exchange.endpoint, "method": exchange.method, "url": exchange.url, "status": exchange.status,
            "attempts": exchange.attempts, "body": exchange.body,
        ])
        return ["error": error]
    }
}
