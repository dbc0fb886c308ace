import EndpointKit
import EndpointTools
import JSONText
import MockServer
import OpenAPI

/// The failure of a run: its message on stderr and its exit code.
///
/// Errors are data, and are turned into text only here, when a run ends.
struct Failure: Error {
    var message: String
    /// The lines after the message, which say where the problem is and what may help.
    var hints: [Hint] = []
    var code: ExitCode
    /// The request and response that failed, without secrets.
    var exchange = ExchangeFacts()
    /// When stderr reports the failure.
    var visibility = Visibility.always
    /// Whether the message starts with `FILE:LINE:COLUMN`, which editors recognise only at the start of a line.
    var startsWithPlace = false

    /// Makes a failure from its message and exit code.
    init(_ message: String, _ code: ExitCode, hints: [Hint] = []) {
        self.message = message
        self.hints = hints
        self.code = code
    }

    /// The cases in which stderr reports a failure.
    enum Visibility {
        case always
        /// Only with `--json-errors`. Otherwise the result on stdout says enough.
        case inJSON
        case never
    }

    /// The request and response that `--json-errors` prints, as far as they are known.
    struct ExchangeFacts {
        /// The name of the endpoint; nil for a call of a URL.
        var endpoint: String?
        var method: String?
        var url: String?
        /// The status of the response.
        var status: Int?
        /// How often the request was sent.
        var attempts: Int?
        /// The body of the response.
        var body: JSONValue?
    }
}

// MARK: - Errors

extension Failure {
    /// Makes the failure that ends a command. After a ``UsageError``, a hint names the help page: `See 'apictl help
    /// call'.`
    ///
    /// - Parameters:
    ///   - error: The error that ended the command.
    ///   - context: The context, with the name of the tool.
    ///   - topic: The help topic to recommend if the error names none; nil is the overview.
    init(_ error: any Error, _ context: CommandContext, topic: String?) {
        self.init(error)
        guard let usageError = error as? UsageError else { return }
        var helpCommand = HelpCommand.name
        if let topic, topic != HelpCommand.name { helpCommand += " " + topic }
        hints = [.fact("See '\(context.invocation) \(usageError.see ?? helpCommand)'.")]
    }

    /// Makes the failure of a run that ended with an error. The type of the error decides on message, hints and exit
    /// code.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - endpoint: The name of the endpoint or URL, with which the message starts; nil if no call failed.
    ///   - options: The options of the call; nil if it does not come from the command line.
    ///   - mayRepeat: Whether a person may be advised to send the request again.
    ///   - hasSample: Whether a person may be advised to use the sample.
    init(
        _ error: any Error, endpoint: String? = nil, options: CallOptions? = nil, mayRepeat: Bool = true,
        hasSample: Bool = false
    ) {
        let messagePrefix = endpoint.map { $0 + ": " } ?? ""
        // Errors that apps see wrap the errors of our own modules.
        let cause = PublicError.cause(of: error)
        switch cause {
        case let error as Failure: self = error
        case let error as UsageError: self.init(error.text, .usage)
        case let error as BodyTypeError: self.init("--body-type: \(error)", .usage)
        case let error as CallValueError: self.init("\(error)", .usage)
        case let error as MissingCredential:
            self.init(error, messagePrefix: messagePrefix, isCommandLine: options != nil, hasSample: hasSample)
        case let error as MissingLogin:
            self.init(error.missing, messagePrefix: messagePrefix, isCommandLine: options != nil, hasSample: hasSample)
            hints.append(error.hint)
        case let error as LoginFailure:
            self.init(messagePrefix + error.sentence, error.exitCode)
            if let advice = error.advice { hints = [.fact(advice)] }
        case let error as CredentialSourceFailure:
            self.init(messagePrefix + error.sentence, error.exceededMaxTime ? .timeout : .missingCredential)
        case let error as TransportError: self.init(messagePrefix + error.message, error.exitCode)
        case let error as FailedStatus: self.init(error, messagePrefix: messagePrefix)
        case let error as FileError: self.init(error, options)
        case let error as MockServerError: self.init(error)
        case is OutputClosed:
            self.init("", .outputClosed)
            visibility = .never
        case is CancellationError: self.init("interrupted", .interrupted)
        case let error as NotAnEnumCase:
            let conformance = "the Codable conformance that the compiler makes for enums, with the names of its cases"
            self.init("\(error.type) does not use \(conformance)", .failure)
        case let problem as RequestError: self.init(problem.description, .failure)
        default:
            let badResponse = Self.badResponse(cause, messagePrefix: messagePrefix, options, mayRepeat: mayRepeat)
            self = badResponse ?? Failure(messagePrefix + String(describing: cause), .failure)
        }
        if options?.output.quiet == true { visibility = .never }
    }

    // MARK: Responses that can't be used

    /// Returns the failure for a response that can't be used; nil for any other error.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - messagePrefix: The name of the endpoint with a colon, with which the message starts.
    ///   - options: The options of the call; nil if it does not come from the command line.
    ///   - mayRepeat: Whether a person may be advised to send the request again.
    private static func badResponse(
        _ error: any Error, messagePrefix: String, _ options: CallOptions?, mayRepeat: Bool
    ) -> Failure? {
        switch error {
        case let error as JSONSyntaxError:
            var hints: [Hint] = []
            if mayRepeat, losesBody(options) { hints = [.options("Add -o FILE to keep what the server sent.")] }
            return Failure(
                "\(messagePrefix)the response is not valid JSON: \(error.description)", .badResponse, hints: hints)
        case let error as ModelMismatch:
            let mismatch = Hint.fact("  " + error.description)
            return Failure("\(messagePrefix)the response does not fit \(error.model)", .badResponse, hints: [mismatch])
        case let error as ModelRefusal:
            let reason = Hint.fact("  " + String(describing: error.reason))
            return Failure("\(messagePrefix)the response does not fit \(error.model)", .badResponse, hints: [reason])
        case let error as ReportedFailure:
            return Failure(messagePrefix + error.message, .badResponse)
        case let error as BodyTooLarge:
            let isLimitGiven = options?.transfer.maxBytes != nil
            let remedies = isLimitGiven ? "a larger --max-bytes" : "--raw, -o FILE, or --max-bytes 1G"
            let length = ByteCountText.shown(error.limit)
            return Failure(
                "\(messagePrefix)the response is longer than \(length)", .badResponse,
                hints: [.options("To read more: \(remedies)")])
        case let error as UnusableResponse:
            var hints: [Hint] = []
            if mayRepeat, let hint = error.hint { hints = [hint] }
            return Failure(messagePrefix + error.description, .badResponse, hints: hints)
        case PagingError.noList(let path):
            let hint = Hint.options("--items PATH says where the list of a page's items is.")
            return Failure(messagePrefix + PagingError.noList(path: path).description, .badResponse, hints: [hint])
        case let error as PagingError:
            return Failure(messagePrefix + error.description, .badResponse)
        default:
            return nil
        }
    }

    /// Whether the part of a body that follows a syntax error is lost.
    ///
    /// That is so with `--raw`: the body is printed while it is checked, so that nothing after the error is printed. A
    /// copy of the body, which an option may ask for, has all of it.
    private static func losesBody(_ options: CallOptions?) -> Bool {
        guard let options, options.output.raw else { return false }
        let hasCopy = options.output.copy != nil
        return !hasCopy && !options.pages.areFollowed
    }

    // MARK: Other errors

    /// Makes the failure for a missing credential.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - messagePrefix: The name of the endpoint with a colon, with which the message starts.
    ///   - isCommandLine: Whether the call comes from the command line. It has options that need no credential.
    ///   - hasSample: Whether the endpoint has a sample, so that `--sample` is one of these options.
    private init(_ error: MissingCredential, messagePrefix: String, isCommandLine: Bool, hasSample: Bool) {
        var message = "\(messagePrefix)\(error)"
        if isCommandLine {
            message += hasSample ? " (--sample and --dry-run need none)" : " (--dry-run needs none)"
        }
        self.init(message, .missingCredential, hints: error.pageSentences.map { .fact($0) })
    }

    /// Makes the failure for a status: `api.example.com answered 404 Not Found: no such movie`.
    ///
    /// - Parameters:
    ///   - error: The error with the status, and the server's message from the body.
    ///   - messagePrefix: The name of the endpoint with a colon, with which the message starts.
    private init(_ error: FailedStatus, messagePrefix: String) {
        let server = error.server.map { $0 + " answered " } ?? ""
        let serverMessage = error.message.map { ": " + $0 } ?? ""
        self.init(
            messagePrefix + server + error.statusText + serverMessage, ExitCode(status: error.status),
            hints: error.hints)
        // Only `--json-errors` prints the body.
        exchange.body = error.body
    }

    /// Makes the failure for a file that can't be read or written. If the file is a pipe that exceeded the time limit,
    /// a hint says how to raise the limit.
    private init(_ error: FileError, _ options: CallOptions?) {
        self.init(error.description, error.isTimeout ? .timeout : .failure)
        guard error.isTimeout, let limit = options?.transfer.shownTimeLimit else { return }
        if let hint = TransportError.hint(toRaise: "--max-time", from: limit) { hints = [hint] }
    }

    /// Makes the failure for a mock server that can't start. A hint says which port or host would do.
    private init(_ error: MockServerError) {
        self.init(error.description, .failure)
        switch error.cause {
        case .port:
            hints = [.options("To use any free port: --port 0")]
        case .host:
            hints = [.options("--host takes an address of this machine: 127.0.0.1, or 0.0.0.0 for all of them.")]
        case .system:
            break
        }
    }
}

extension MissingCredential {
    /// For each page where a person gets credentials, a sentence: `To get TMDB_API_KEY or TMDB_ACCESS_TOKEN:
    /// https://…`
    fileprivate var pageSentences: [String] {
        let pages = sources.compactMap(\.self).withoutRepetitions
        return pages.map { page in
            // `sources` has the page of each alternative.
            let indexes = alternatives.indices.filter { sources[$0] == page }
            let names = indexes.map { alternatives[$0].joined(separator: " and ") }
            return "To get \(names.joined(separator: " or ")): \(page)"
        }
    }
}

// MARK: - Output

extension Failure {
    /// Prints the failure on stderr, unless ``visibility`` says otherwise or the run was interrupted.
    ///
    /// - Parameters:
    ///   - context: The context with stderr and the name of the tool.
    ///   - asJSON: Whether to print one line of JSON (`--json-errors`).
    /// - Throws: The error of stderr.
    func print(_ context: CommandContext, asJSON: Bool) throws {
        if visibility == .never { return }
        let environment = context.environment
        if asJSON {
            // Shells expect 128 and the number of the signal, such as 130 after Ctrl-C.
            let signalCode = code == .interrupted ? environment.signals.exitCode() : nil
            let json = json(exitCode: signalCode ?? code.rawValue)
            return try BodyPrinter(output: environment.stderr, style: .compact).print(json)
        }
        // A person who has interrupted a command knows that.
        if code == .interrupted || visibility == .inJSON { return }
        let toolPrefix = startsWithPlace ? "" : "\(context.tool): "
        let lines = [message] + hints.map(\.text)
        let text = lines.map { $0.safeToShow + "\n" }.joined()
        try environment.stderr.write(environment.marked(toolPrefix + text))
    }

    /// Returns the failure as `--json-errors` prints it:
    ///
    ///     {"error": {"kind": "status", "message": "…", "hints": [], "exitCode": 4, …}}
    ///
    /// - Parameter exitCode: The exit code, which depends on the signal if the run was interrupted.
    private func json(exitCode: Int32) -> JSONValue {
        let hintTexts = hints.map { hint in
            let withoutIndentation = String(hint.text.drop { $0 == " " })
            return JSONValue(shown: withoutIndentation)
        }
        let error = JSONValue(members: [
            "kind": code.kind, "message": JSONValue(shown: message), "hints": hintTexts, "exitCode": Int(exitCode),
            "endpoint": exchange.endpoint, "method": exchange.method, "url": exchange.url, "status": exchange.status,
            "attempts": exchange.attempts, "body": exchange.body,
        ])
        return ["error": error]
    }
}
