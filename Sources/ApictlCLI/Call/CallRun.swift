import EndpointKit
import Synchronization

/// Carries out a call whose plan is known.
///
/// It sends the requests, prints the response or writes it to files, and then prints what `--har`, `--timing` and
/// `--write-out` ask for.
struct CallRun {
    private var exchange: Exchange
    /// Gets the number of pages after each page that was printed; nil for a call of the command line.
    private let agent: (@Sendable (Int) -> Void)?

    private var plan: CallPlan { exchange.plan }
    private var output: OutputOptions { plan.options.output }
    private var environment: ProcessEnvironment { exchange.environment }
    private var files: any FileSystem { environment.files }

    /// Prepares a call.
    ///
    /// - Parameter agent: Gets the number of pages after each page, for the agent that makes the call. Nil for a call
    ///   of the command line.
    init(_ exchange: Exchange, agent: (@Sendable (Int) -> Void)? = nil) {
        self.exchange = exchange
        self.agent = agent
    }

    /// Carries out the call. Then writes the reports that `--har`, `--timing` and `--write-out` ask for, also if the
    /// call failed.
    ///
    /// Errors are turned into failures in three places. Before and after the call, `exchange.failure` makes the
    /// failure. If the call itself fails, ``reported(_:)`` also writes the reports, whose texts may contain the
    /// failure.
    ///
    /// - Returns: The exit code of a call that did not fail. With `--exit-status`, it says whether anything was
    ///   found.
    /// - Throws: ``Failure``, ``UsageError`` and ``OutputClosed``.
    func run() async throws -> ExitCode {
        var run = self
        do {
            run.exchange.archive = try archive()
        } catch {
            throw exchange.failure(error)
        }
        defer { run.exchange.archive?.discard() }
        let code: ExitCode
        do {
            code = try await run.send()
        } catch let error as RejectedLogin {
            // The call is sent again, so there is nothing to report yet.
            throw error
        } catch {
            throw run.reported(error)
        }
        do {
            try run.report(code)
        } catch {
            throw run.exchange.failure(error)
        }
        return code
    }

    /// Opens the file of `--har`; nil without that option.
    private func archive() throws -> HARLog? {
        guard let path = output.archive else { return nil }
        let file = try file(path, isPrivate: true)
        // On stdout, the archive must not come between parts of the response, so it is held until the end.
        return HARLog(path == "-" ? HeldFile(file) : file, exchange.context)
    }

    // MARK: Reports

    /// Completes the archive, and prints what `--timing` and `--write-out` ask for.
    ///
    /// - Parameters:
    ///   - code: The exit code of the command.
    ///   - message: The message of the failure; empty for a success.
    private func report(_ code: ExitCode, _ message: String = "") throws {
        let log = exchange.log.facts
        try exchange.archive?.finish()
        // The timing is a note for people. The command must not fail because the note can't be written.
        if output.timing { try? environment.stderr.write(TimingText.text(log.transfers)) }
        guard let writeOut = plan.writeOut else { return }
        let facts = WriteOutFacts(
            url: exchange.url, method: plan.request.method, log: log, file: output.file, code: code, message: message)
        try writeOut.write(facts, to: environment)
    }

    /// Writes the reports of a call that failed, and returns its failure.
    ///
    /// If a report can't be written either, the failure gets a hint about that. It remains the failure of the call.
    private func reported(_ error: any Error) -> any Error {
        let error = exchange.failure(error)
        guard var failure = error as? Failure else {
            // A usage error or a closed output stays as it is. A failure is made of it only for the code and the
            // message in the reports, whose own errors are dropped because the first error counts.
            let unfinished = Failure(error)
            try? report(unfinished.code, unfinished.message)
            return error
        }
        do {
            try report(failure.code, failure.message)
        } catch let problem as FileError {
            failure.hints.append(.fact(problem.description))
        } catch {
            // The failure of the call is the one to tell.
        }
        return failure
    }

    // MARK: Requests

    /// Sends the requests of the call and prints the response: its pages, a download that resumes, or a single
    /// response.
    ///
    /// - Returns: The exit code of a call that did not fail.
    private func send() async throws -> ExitCode {
        noteScheme()
        noteCredentials()
        // Every file is opened before anything is sent: there is no point in a response that can't be saved.
        let recorder = try output.recordings.map { try SampleRecorder($0, files) }
        if let paging = plan.pages { return try await PagedCall(exchange, paging, agent: agent).run() }
        if output.resumes, let path = output.file { return try await CallDownload(exchange, to: path).run() }
        let namedByServer = output.isNamedByServer ? output.file.map { ServerNamedFile($0, files) } : nil
        let file = try namedByServer ?? output.file.map { try self.file($0) }
        defer { file?.discard() }
        let copy = try output.copy.map { try self.file($0) }
        defer { copy?.discard() }
        let code = try await exchange.run(into: file) { response in
            if response.head.isSuccess { try namedByServer?.open(response.head) }
            return try await show(response, file, copy, recorder)
        }
        try file?.commit()
        if output.writesFile {
            try exchange.printer().noteSaved(exchange.log.facts.fileBytes, in: namedByServer?.path ?? output.file)
        }
        return code
    }

    /// Returns the file that an option names; `-` is stdout.
    ///
    /// - Parameter isPrivate: Whether only the owner can read the file.
    /// - Throws: ``FileError``.
    private func file(_ path: String, isPrivate: Bool = false) throws -> any FileReplacement {
        if path == "-" { return DirectFile(exchange.log.watching(environment.stdout), name: "stdout") }
        return try files.replace(path, isPrivate: isPrivate)
    }

    /// Prints the response, or writes it to a file. Writes it to the files of `--save` and `--record` too.
    ///
    /// - Parameters:
    ///   - file: The file of `--output`; nil prints the response.
    ///   - copy: The file of `--save`; nil without that option.
    ///   - recorder: Writes the sample of `--record`; nil without that option.
    /// - Throws: The errors of printing, and otherwise the error of a sample that could not be written.
    private func show(
        _ response: StreamedResponse, _ file: (any FileReplacement)?, _ copy: (any FileReplacement)?,
        _ recorder: SampleRecorder?
    ) async throws -> ExitCode {
        let printer = exchange.printer(file: file)
        guard let recorder else { return try await saving(response, copy) { try await printer.print($0) } }
        // A sample is the whole body, so the body is read to its end before it is printed.
        let limit = plan.options.transfer.maxBytes ?? Client.defaultMaxBodySize
        let body = try await response.wholeBody(limit: limit)
        let received = Response(head: response.head, body: body)
        // This is a `Result`. Its error is kept until the response has been printed.
        let recording = recorder.record(received, to: plan.call, of: plan, exchange.redactor).file
        var whole = response
        whole.body = ResponseBody(bytes: body)
        let code = try await saving(whole, copy) { try await printer.print($0) }
        // Now the response has been shown, and an error of the sample makes the command fail.
        _ = try recording.get()
        return code
    }

    /// Prints a response, and writes its whole body to the file of `--save` meanwhile.
    ///
    /// If the file can't be written, the response is printed all the same, and the error is thrown afterwards.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - copy: The file; nil without `--save`.
    ///   - print: Prints the response. It may stop before the end of the body.
    /// - Throws: The error of printing, with a hint if the file can't be written either. Otherwise the error of the
    ///   file.
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
                // After the first error, nothing more is written. Nil is the end of the body.
                guard problem == nil, let chunk else { return }
                do { try copy.write(chunk) } catch let error { problem = error }
            }
        }
        let outcome: Result<ExitCode, any Error>
        // The error of printing is kept until the rest of the body has been saved.
        do { outcome = .success(try await print(saved)) } catch { outcome = .failure(error) }
        do {
            // Printing may have stopped before the end of the body. Reading the rest writes it to the file.
            for try await _ in saved.body {}
            if let problem = problem.withLock({ $0 }) { throw problem }
            try copy.commit()
        } catch {
            // If printing failed too, that error came first and is the one to report.
            guard case .failure(let first) = outcome else { throw error }
            guard let problem = error as? FileError else { throw first }
            throw AnnotatedError(first, hint: .fact(problem.description))
        }
        return try outcome.get()
    }

    /// Notes which URL is requested if it was typed without a scheme. For this machine, no other scheme is usual.
    private func noteScheme() {
        guard plan.url?.addedScheme != nil, !plan.request.base.isLoopback else { return }
        // A note that can't be written must not stop the call.
        try? exchange.notes?.write("note: the URL has no scheme; requesting \(plan.name)".safeToShow + "\n")
    }

    /// Notes that `--netrc` found no entry for the server, because the request is sent all the same. With
    /// `--verbose`, names the variables whose secrets are sent.
    private func noteCredentials() {
        let options = plan.options
        if options.purpose == .sample { return }
        if options.request.netrc, !options.sendsNoCredential, let path = Netrc.path(environment),
            !plan.request.specifies(header: "Authorization")
        {
            exchange.log.note(
                "\(path) has no entry for \(plan.request.base.host); the request is sent without a password")
        }
        let used = plan.request.usedVariables
        guard output.verbosity > 0, !used.isEmpty else { return }
        // A note that can't be written must not stop the call.
        try? environment.stderr.write("* credential from \(used.joined(separator: " and "))\n")
    }
}

/// A file that gets its bytes only on ``commit()``, all at once. On stdout, they then never come between parts of the
/// response.
private final class HeldFile: FileReplacement {
    private let file: any FileReplacement
    private let content = BufferOutput()
    var isTerminal: Bool { file.isTerminal }

    init(_ file: any FileReplacement) { self.file = file }

    /// Holds the bytes until ``commit()``.
    func write(_ bytes: [UInt8]) throws { try content.write(bytes) }

    /// Returns false. Nothing is taken back, because the content belongs to all attempts.
    func restart() -> Bool { false }

    /// Writes everything that was held.
    func commit() throws {
        try file.write(content.bytes)
        try file.commit()
    }

    func discard() { file.discard() }
}
