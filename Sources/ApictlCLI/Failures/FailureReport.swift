import EndpointKit
import JSONText

/// What a run says about an error, and what it ends with. Every error becomes text and exit code here and nowhere else.
struct FailureReport: Equatable {
    var lines: [String]
    var code: ExitCode

    /// `invocation` is the call that failed, where it was one; `topic` what help would tell most about.
    init(_ error: any Error, tool: String, invocation: EndpointInvocation? = nil, topic: String? = nil) {
        let subject = invocation.map { "\($0.endpoint): " } ?? ""
        let rawHint = invocation?.options.raw == false ? ["Add --raw to see what the server sent."] : []
        switch error {
        case let call as FailedCall:
            self.init(call.error, tool: tool, invocation: invocation, topic: topic)
            if call.attempts > 1, !lines.isEmpty { lines[0] += " (\(call.attempts) attempts)" }
            if let refusal = call.refusal { lines.append(refusal.sentence) }
            let cause = (call.error as? DownloadStopped)?.cause ?? call.error
            if let options = invocation?.options, let error = cause as? TransportError,
                let hint = error.hint(options, server: call.server, isRepeatable: call.isRepeatable)
            {
                lines.append(hint)
            }
            if call.losesDownload, call.refusal != .passedOn, let error = cause as? TransportError,
                error.kind == .cutShort || error.kind == .timedOut
            {
                lines.append("Nothing of it is kept; with -C what came is, and the same command goes on from there.")
            }
            lines = lines.map(call.redactor.redact)
        case let error as UsageError:
            let command = error.helpCommand(topic: topic)
            self.init([error.text, "Run '\(tool) \(command)' to see what there is."], .usage)
        case let error as MissingCredential:
            self.init([subject + error.sentence], .missingCredential)
        case let error as TransportError:
            let code: ExitCode =
                switch error.kind {
                case .timedOut: .timeout
                case .unreadableBody: .failure
                default: .network
                }
            self.init([subject + error.message], code)
        case let error as JSONSyntaxError:
            self.init(
                [
                    subject + "the answer is not valid JSON: \(error.description)",
                    "Add -o FILE to keep what the server sent.",
                ],
                .badAnswer)
        case let error as FormatFailure:
            self.init([error.description], .badAnswer)
        case let error as NotJSON:
            self.init([subject + error.description] + rawHint, .badAnswer)
        case let error as EmptyAnswer:
            self.init([subject + error.description], .badAnswer)
        case let error as ModelMismatch:
            self.init(
                [subject + "the answer does not fit \(error.model)", "  " + error.description] + rawHint, .badAnswer)
        case let error as ReportedFailure:
            self.init([subject + error.message], .badAnswer)
        case let error as BodyTooLarge:
            self.init(
                [subject + AnswerLimit.sentence(error.limit, given: invocation?.options.maxBytes)], .badAnswer)
        case let error as Continuation.Misfit:
            self.init([subject + error.description], .badAnswer)
        case let error as DownloadStopped:
            self.init(error.cause, tool: tool, invocation: invocation, topic: topic)
            lines.append(error.description)
        case let error as StatusFailure:
            self.init([subject + error.description] + error.hints, ExitCode(status: error.head.status))
        case let error as FileError:
            self.init(["can't \(error.operation.rawValue) \(error.path): \(error.reason)"], .failure)
        case is OutputClosed:
            self.init([], .outputClosed)
        case is CancellationError:
            self.init([], .interrupted)
        case let error as Signature.NotACase:
            self.init(["\(error.type) does not encode as an enum: leave its Codable to the compiler"], .failure)
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
        return "a credential is missing: set \(choices.joined(separator: ", or ")) (--sample and --dry-run do without)"
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
