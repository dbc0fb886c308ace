import EndpointKit
import EndpointTools
import Synchronization

/// `call`: sends a request and shows the response.
struct CallCommand: Command {
    static let name = "call"
    static let usage = "call API.ENDPOINT|URL [parameters] [options]"
    static let summary = "send a request and show the response"
    static let table = CallOptions.table
    static let operands = CommandOperands.call

    static func notes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(paragraphs: [
            "Parameters and options may come in any order after the endpoint's name.",
            "See '\(context.tool) help API.ENDPOINT' for an endpoint's parameters.",
            "A URL (http:// or https://) is requested as it is, without an API: no model, no credentials but those given with -H, --query and -n. -X sets the method.",
        ])
    }

    let request: CallRequest
    var api: CatalogueAPI? { request.declaration.api }

    init(_ words: CommandWords<CallOptions>) throws { request = try words.request(of: Self.name, with: words.options) }

    /// What is streamed is not paged: it may take long, or never end.
    var isPaged: Bool {
        let options = request.options
        return !options.output.quiet && options.purpose != .dryRun && !options.pages.areFollowed
            && options.decodes(request.declaration.endpoint.response)
    }

    func run(_ context: CommandContext) async throws -> ExitCode {
        let start = ContinuousClock.now
        // Before `prepare()`: glibc can't start the signal thread while a library is being loaded.
        context.environment.watchSignals(.milliseconds(200))
        let request = try context.completed(request)
        let options = request.options
        let deadline = options.transfer.deadline(from: start)
        let resolver = try CallResolver(
            context, environmentFiles: options.request.environmentFiles, apis: [request.declaration.api],
            until: deadline)
        // The transport gets ready while the plan is resolved.
        if options.purpose == .send { context.environment.transport.prepare() }
        let plan: CallPlan
        do {
            plan = try await resolver.plan(request, until: deadline)
        } catch  where !(error is UsageError) {
            let hasSample = request.declaration.endpoint.sample != nil
            let name = request.endpointName
            var failure = Failure(error, endpoint: name, options: options, hasSample: hasSample)
            failure.exchange.endpoint = name
            throw failure
        }
        if options.purpose == .dryRun {
            try print(plan, context.environment)
            return .success
        }
        let exchange = Exchange(plan, resolver.context, limit: .ofCall, isNoted: true)
        do {
            let code = try await exchange.carryOut()
            return try code.reported("nothing was found", isSilent: options.output.quiet)
        } catch let error as CancellationError {
            throw exchange.failure(Failure(error))
        } catch {
            throw exchange.failure(error)
        }
    }

    /// Prints the request: request line, headers, a blank line, the body.
    private func print(_ plan: CallPlan, _ environment: ProcessEnvironment) throws {
        let (output, request) = (environment.stdout, plan.request)
        var text = BufferedOutput(output)
        let redactor = Redactor(request)
        try text.write(request.shownHeaders(redactor) + "\n")
        if let body = request.body { try text.write(body.bytes?.isEmpty == true ? "\n\n" : "\n") }
        for piece in request.body?.pieces ?? [] {
            switch piece {
            case .bytes(let bytes):
                let shown = TerminalFilter.shown(redactor.redact(bytes), on: output)
                try text.write(shown ?? Array("(\(bytes.count) bytes of binary data)".utf8))
            case .file(let path): try text.write("(the content of \(path.safeToShow))")
            }
        }
        try text.flush(endingLine: true)
    }
}

extension CommandWords {
    /// Returns the call of the command of that name, with these of the command's options.
    ///
    /// - Throws: ``UsageError`` without an endpoint or URL, for options that are not for it, or if stdin would be read
    ///   twice.
    func request(of command: String, with options: CallOptions) throws(UsageError) -> CallRequest {
        guard var request = call?.request else { throw registry.endpointExpected(by: command, or: "a URL") }
        request.options = options
        let given = options.common.given
        if request.url == nil, options.request.method != nil {
            throw UsageError("--request is for a URL; the endpoint declares its method")
        }
        if request.url != nil, let name = given.first(where: CallOptions.ofEndpoints.contains) {
            throw UsageError("--\(name) is for an endpoint of an API, not for a URL")
        }
        if request.url != nil, options.request.body != nil, options.request.method == nil {
            throw UsageError("--body needs the method: -X POST (-X GET, if it is meant for a GET)")
        }
        try UsageError.check(readers: request.parameters.filter(\.mayBeJSON).map(\.word) + options.readers)
        return request
    }
}

extension Exchange {
    /// Sends the request of a call, and prints the response or writes it to files; then what `--har`, `--timing` and `--write-out` tell.
    func carryOut() async throws -> ExitCode {
        var exchange = self
        exchange.archive = try output.archive.map { path in
            let file = try file(path, isPrivate: true)
            return HARLog(path == "-" ? HeldFile(file) : file, context)
        }
        defer { exchange.archive?.discard() }
        func report(_ code: ExitCode, _ message: String = "") throws {
            let log = log.facts
            try exchange.archive?.finish()
            if output.timing { try? environment.stderr.write(TimingText.text(log.transfers)) }
            guard let writeOut = plan.writeOut else { return }
            let facts = WriteOutFacts(
                url: url, method: plan.request.method, log: log, file: output.file, code: code, message: message)
            try writeOut.write(facts, to: environment)
        }
        let code: ExitCode
        do {
            code = try await exchange.send()
        } catch {
            let (error, failure) = (failure(error), Failure(failure(error)))
            do { try report(failure.code, failure.message) } catch let problem {
                throw error.adding(problem)
            }
            throw error
        }
        do { try report(code) } catch { throw failure(error) }
        return code
    }

    private func send() async throws -> ExitCode {
        noteCredentials()
        // Opened before anything is sent: there is no point in a response that can't be saved.
        let recorder = try output.recordings.map { try SampleRecorder($0, environment.files) }
        if let paging = plan.pages { return try await PagedCall(exchange: self, paging: paging).run() }
        if output.resumes, let path = output.file { return try await CallDownload(self, to: path).run() }
        let (file, copy) = (try output.file.map { try self.file($0) }, try output.copy.map { try self.file($0) })
        defer { for file in [file, copy] { file?.discard() } }
        let code = try await run(into: file) { try await show($0, file, copy, recorder) }
        try file?.commit()
        if output.writesFile { try CallResponsePrinter(exchange: self).noteSaved(log.facts.fileBytes) }
        return code
    }

    /// The file that an option names; `-` is stdout.
    private func file(_ path: String, isPrivate: Bool = false) throws -> any FileReplacement {
        if path == "-" { return DirectFile(log.watching(environment.stdout), name: "stdout") }
        return try environment.files.replace(path, isPrivate: isPrivate)
    }

    /// Prints the response, or writes it to `file`, and to `copy` and the file of `--record` too.
    private func show(
        _ response: StreamedResponse, _ file: (any FileReplacement)?, _ copy: (any FileReplacement)?,
        _ recorder: SampleRecorder?
    ) async throws -> ExitCode {
        var response = response
        var recorded: Result<String?, any Error>?
        if let recorder {
            let body = try await response.wholeBody(limit: plan.options.transfer.maxBytes ?? Client.defaultMaxBodySize)
            let received = Response(head: response.head, body: body)
            recorded = recorder.record(received, to: plan.call, of: plan, redactor).file
            response.body = ResponseBody(bytes: body)
        }
        let printer = CallResponsePrinter(exchange: self, file: file)
        let code = try await saving(response, copy) { try await printer.print($0) }
        _ = try recorded?.get()
        return code
    }

    /// Writes the body to `copy` too, whatever `print` reads of it. A copy that can't be written costs nothing of the response.
    private func saving(
        _ response: StreamedResponse, _ copy: (any FileReplacement)?,
        _ print: (StreamedResponse) async throws -> ExitCode
    ) async throws -> ExitCode {
        guard let copy else { return try await print(response) }
        _ = try copy.restart()
        let problem = Mutex<(any Error)?>(nil)
        var saved = response
        saved.body = response.body.tap { chunk in
            problem.withLock { problem in
                guard problem == nil, let chunk else { return }
                do { try copy.write(chunk) } catch let error { problem = error }
            }
        }
        var outcome: Result<ExitCode, any Error>
        do { outcome = .success(try await print(saved)) } catch { outcome = .failure(error) }
        do {
            // Only the beginning of the body may have been read.
            for try await _ in saved.body {}
            if let problem = problem.withLock({ $0 }) { throw problem }
            try copy.commit()
        } catch {
            // The first error is the one to report.
            guard case .failure(let first) = outcome else { throw error }
            if error is FileError { outcome = .failure(failure(first).adding(error)) }
        }
        return try outcome.get()
    }

    /// Notes that `--netrc` found no entry, because the request is sent anyway; with -v, names the variables whose secrets are sent.
    private func noteCredentials() {
        let options = plan.options
        if options.purpose == .sample { return }
        if options.request.netrc, !options.sendsNoCredential, let path = Netrc.path(environment),
            !plan.request.specifies(header: "Authorization")
        {
            log.note(
                "\(path) has no entry for \(plan.request.base.host); the request is sent without a password")
        }
        let used = plan.request.usedVariables
        guard output.verbosity > 0, !used.isEmpty else { return }
        try? environment.stderr.write("* credential from \(used.joined(separator: " and "))\n")
    }
}

/// A file that is written on ``commit()`` at once, so that stdout never has it between parts of the response.
private final class HeldFile: FileReplacement {
    private let file: any FileReplacement
    private let content = BufferOutput()
    var isTerminal: Bool { file.isTerminal }

    init(_ file: any FileReplacement) { self.file = file }

    func write(_ bytes: [UInt8]) throws { try content.write(bytes) }

    func restart() -> Bool { false }

    func commit() throws {
        try file.write(content.bytes)
        try file.commit()
    }

    func discard() { file.discard() }
}

extension Error {
    /// This error, which names `other` too if it is a local problem.
    fileprivate func adding(_ other: any Error) -> any Error {
        guard var failure = self as? Failure, other is FileError else { return self }
        failure.hints.append(Failure(other).message)
        return failure
    }
}
