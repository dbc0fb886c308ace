import EndpointKit
import JSONText
import MockServer

/// The message and exit code for an error. All errors are turned into text here.
struct FailureReport: Equatable {
    /// The text for stderr.
    let text: String
    let code: ExitCode
    /// What `--json-errors` prints; nil if nothing is to be printed.
    let description: FailureDescription?

    /// The report of `error`; `topic` is the help topic to suggest.
    init(_ error: any Error, _ context: RunContext, topic: String?) {
        let message = FailureMessage(error, context, topic: topic)
        code = message.code
        let lines = message.lines.map(\.safeToShow)
        // Editors recognise `FILE:LINE:COLUMN` only at the start of a line.
        let prefix = error is FormatFailure ? "" : "\(context.tool): "
        text = lines.isEmpty ? "" : prefix + lines.map { $0 + "\n" }.joined()
        description = message.lines.first.map { first in
            FailureDescription(
                error: .init(
                    kind: message.code.kind, message: first, details: Array(message.lines.dropFirst()),
                    exitCode: message.code.rawValue))
        }
    }
}

extension FailureReport {
    /// Writes the text, or with `--json-errors` one line of JSON. The option counts even if the command line is invalid.
    func print(to output: any ByteOutput, asJSON: Bool) throws {
        guard asJSON else { return try output.write(text) }
        if let description { try BodyPrinter(output: output, style: .compact, palette: nil).print(description) }
    }
}

/// A failure as `--json-errors` prints it.
struct FailureDescription: Encodable, Equatable {
    struct Content: Encodable, Equatable {
        let kind: String
        let message: String
        /// Further lines: where the problem is, and hints.
        let details: [String]
        let exitCode: Int32
    }

    let error: Content
}

extension ExitCode {
    /// The kind of failure in one word.
    fileprivate var kind: String {
        switch self {
        case .success: "success"
        case .failure: "failure"
        case .usage: "usage"
        case .redirection, .clientError, .serverError: "status"
        case .network: "network"
        case .timeout: "timeout"
        case .badResponse: "bad-response"
        case .missingCredential: "credential"
        case .interrupted: "interrupted"
        case .outputClosed: "output-closed"
        }
    }
}

/// The lines of a report, not yet escaped for a terminal.
private struct FailureMessage {
    var lines: [String]
    var code: ExitCode

    init(_ error: any Error, _ context: RunContext, topic: String?) {
        switch error {
        case let error as UsageError:
            self.init([error.text, "See '\(context.tool) \(error.helpCommand(topic: topic))'."], .usage)
        case let failure as CallFailure:
            self.init(failure, context)
        default:
            self.init(error, subject: "", options: nil)
        }
    }

    private init(_ failure: CallFailure, _ context: RunContext) {
        let subject = "\(failure.endpoint): "
        if let exchange = failure.cause as? FailedExchange {
            self.init(
                exchange.cause, subject: subject, options: failure.options, mayRepeat: exchange.method.isRetrieval)
            lines = lines.map { exchange.redactor.redact($0) }
            add(exchange, failure.options, context)
        } else {
            self.init(failure.cause, subject: subject, options: failure.options)
        }
        if failure.options.quiet { lines = [] }
    }

    /// Adds the number of attempts and hints.
    private mutating func add(_ exchange: FailedExchange, _ options: CallOptions, _ context: RunContext) {
        if exchange.attempts > 1, !lines.isEmpty { lines[0] += " (\(exchange.attempts) attempts)" }
        if let refusal = exchange.refusal { lines.append(refusal.sentence) }
        let cause =
            (exchange.cause as? InterruptedDownload)?.cause ?? (exchange.cause as? PageFailure)?.cause ?? exchange.cause
        guard let error = cause as? TransportError else { return }
        if let hint = error.hint(
            options, context.variableNames, server: exchange.server, isRepeatable: exchange.isRepeatable)
        {
            lines.append(hint)
        }
        if exchange.losesDownload, exchange.refusal != .partlyDelivered, error.isInterruption {
            lines.append("Nothing was kept. With -C a partial download is kept and resumed.")
        }
    }

    /// The lines for `error`; `subject` starts the first one, and `options` are those of the failed call, if it was a call. `mayRepeat` is whether
    /// a person may be advised to send it again.
    private init(_ error: any Error, subject: String, options: CallOptions?, mayRepeat: Bool = true) {
        switch error {
        case let error as MissingCredential:
            self.init(
                [subject + error.sentence]
                    + CredentialPages.lines(error.alternatives, error.sources).map { "To get " + $0 },
                .missingCredential)
        case let error as CredentialSourceFailure:
            self.init([subject + error.sentence], .missingCredential)
        case let error as TransportError:
            let code: ExitCode =
                switch error.cause {
                case .timedOut: .timeout
                case .unreadableBody: .failure
                default: .network
                }
            self.init([subject + error.message], code)
        case let error as JSONSyntaxError:
            self.init(
                [subject + "the response is not valid JSON: \(error.description)"]
                    + (options?.raw == true && mayRepeat ? ["Add -o FILE to keep what the server sent."] : []),
                .badResponse)
        case let error as FormatFailure:
            self.init([error.description], .badResponse)
        case let error as NotJSON:
            self.init(
                [subject + error.description]
                    + (error.isStream && mayRepeat ? ["Add --raw to see what the server sent."] : []),
                .badResponse)
        case let error as MissingBody:
            self.init([subject + error.description], .badResponse)
        case let error as ModelMismatch:
            self.init(
                [subject + "the response does not fit \(error.model)", "  " + error.description], .badResponse)
        case let error as ReportedFailure:
            self.init([subject + error.message], .badResponse)
        case let error as BodyTooLarge:
            self.init([subject + ResponseLimit.sentence(error.limit, given: options?.maxBytes)], .badResponse)
        case let error as UnusableResponse:
            self.init([subject + error.description], .badResponse)
        case let error as InterruptedDownload:
            self.init(error.cause, subject: subject, options: options)
            lines.append(error.description)
        case let error as PageFailure:
            self.init(error.cause, subject: subject, options: options)
            lines.append(error.hint)
        case let error as PagingError:
            self.init([subject + error.description], .badResponse)
        case let error as StatusFailure:
            self.init([subject + error.description] + error.hints, ExitCode(status: error.head.status))
        case let error as FileError:
            let hint =
                error.isTimeout ? options.flatMap { TransportError.hint(toRaise: "--max-time", $0.wholeLimit) } : nil
            self.init(
                ["can't \(error.operation.rawValue) \(error.path): \(error.reason)"] + (hint.map { [$0] } ?? []),
                error.isTimeout ? .timeout : .failure)
        case let error as MockServerError:
            self.init([error.message, "To use any free port: --port 0"], .failure)
        case is OutputClosed:
            self.init([], .outputClosed)
        case is CancellationError:
            self.init([], .interrupted)
        case let error as Signature.NotACase:
            self.init(
                [
                    "\(error.type) does not use the Codable conformance that the compiler makes for enums, with the names of its cases"
                ], .failure)
        case let error as DuplicateAPI:
            self.init(["two APIs have the name \(error.name)"], .failure)
        case let error as RequestProblem:
            self.init([error.sentence], .failure)
        default:
            self.init([subject + String(describing: error)], .failure)
        }
    }

    private init(_ lines: [String], _ code: ExitCode) {
        self.lines = lines
        self.code = code
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
