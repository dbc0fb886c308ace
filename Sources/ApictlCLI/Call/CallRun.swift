import EndpointKit
import Synchronization

/// Carries out a call whose plan is known.
///
/// It sends the requests, prints the response or writes it to files, and then prints what `--har`, `--timing` and
/// `--write-out` ask for.
struct CallRun {
    private var exchange: Exchange
    /// Gets the number of pages after each page that was printed; nil for a call of the command line.
    private let onPage: (@Sendable (Int) -> Void)?

    private var plan: CallPlan { exchange.plan }
    private var output: OutputOptions { plan.options.output }
    private var environment: ProcessEnvironment { exchange.environment }
    private var files: any FileSystem { environment.files }

    /// Prepares a call.
    ///
    /// - Parameter onPage: Gets the number of pages after each page, for the agent that makes the call. Nil for a call
    ///   of the command line.
    init(_ exchange: Exchange, onPage: (@Sendable (Int) -> Void)? = nil) {
        self.exchange = exchange
        self.onPage = onPage
    }

    /// Carries out the call. Then writes the reports that `--har`, `--timing` and `--write-out` ask for, also if the
    /// call failed.
    ///
    /// - Returns: The exit code of a call that did not fail. With `--exit-status`, it says whether anything was
    ///   found.
    /// - Throws: ``Failure``, ``UsageError`` and ``OutputClosed``. ``RejectedLogin`` if the call is to be sent again.
    func run() async throws -> ExitCode {
        // A copy of this run whose exchange records its requests in the archive of `--har`.
        var recordedRun = self
        do {
            recordedRun.exchange.archive = try openArchive()
        } catch {
            throw exchange.reportedError(for: error)
        }
        defer { recordedRun.exchange.archive?.discard() }
        return try await recordedRun.sendAndReport()
    }

    /// Sends the requests of the call and prints the response. Then writes the reports: those of `--har`, `--timing`
    /// and `--write-out`. They are written after a failure too.
    ///
    /// - Throws: The failure of the call, with a hint about a report that could not be written. If only a report could
    ///   not be written, the failure of the report.
    private func sendAndReport() async throws -> ExitCode {
        let code: ExitCode
        do {
            code = try await send()
        } catch let error as RejectedLogin {
            // The call is sent again, so there is nothing to report yet.
            throw error
        } catch {
            throw writeReportsOfFailure(error)
        }
        do {
            try writeReports(of: code)
        } catch {
            throw exchange.reportedError(for: error)
        }
        return code
    }

    /// Opens the file of `--har`; nil without that option.
    private func openArchive() throws -> HARLog? {
        guard let path = output.archive else { return nil }
        let file = try openFile(path, isPrivate: true)
        // On stdout, the archive must not come between parts of the response, so it is held until the end.
        return HARLog(path == "-" ? HeldFile(file) : file, exchange.context)
    }

    // MARK: Reports

    /// Writes the reports about the call: completes the archive of `--har`, and prints the texts of `--timing` and
    /// `--write-out`.
    ///
    /// - Parameters:
    ///   - code: The exit code of the command.
    ///   - failureMessage: The message of the failure; empty for a success.
    private func writeReports(of code: ExitCode, failureMessage: String = "") throws {
        let log = exchange.log.snapshot
        try exchange.archive?.finish()
        // The timing is a note for people. The command must not fail because the note can't be written.
        if output.timing { try? environment.stderr.write(TimingText.text(log.transfers)) }
        guard let writeOut = plan.writeOut else { return }
        let writeOutFacts = WriteOutFacts(
            url: exchange.url, method: plan.request.method, log: log, file: output.file, code: code,
            message: failureMessage)
        try writeOut.write(writeOutFacts, to: environment)
    }

    /// Writes the reports of a call that failed, and returns the error to throw, which is the failure of the call.
    ///
    /// A report that can't be written does not replace the failure of the call, because the first error counts. The
    /// failure gets a hint about it.
    private func writeReportsOfFailure(_ error: any Error) -> any Error {
        let reportedError = exchange.reportedError(for: error)
        guard var failure = reportedError as? Failure else {
            // A usage error or a closed output stays as it is. A failure is made of it only for the code and the
            // message in the reports.
            let failureForReports = Failure(reportedError)
            try? writeReports(of: failureForReports.code, failureMessage: failureForReports.message)
            return reportedError
        }
        do {
            try writeReports(of: failure.code, failureMessage: failure.message)
        } catch let problem as FileError {
            failure.hints.append(.fact(problem.description))
        } catch {
            // Any other error of a report, such as a closed output, is not worth a hint.
        }
        return failure
    }

    // MARK: Requests

    /// Sends the requests of the call and prints the response: its pages, a download that resumes, or a single
    /// response. Writes notes on stderr first, such as one about a missing entry in `.netrc`.
    ///
    /// - Returns: The exit code of a call that did not fail.
    private func send() async throws -> ExitCode {
        noteScheme()
        noteMissingNetrcEntry()
        noteCredentials()
        // Every file is opened before anything is sent: there is no point in a response that can't be saved.
        let recorder = try output.recordings.map { try SampleRecorder($0, files) }
        if let paging = plan.pages { return try await PagedCall(exchange, paging: paging, onPage: onPage).run() }
        if output.resumes, let path = output.file { return try await CallDownload(exchange, to: path).run() }
        return try await sendSingleRequest(recordingTo: recorder)
    }

    /// Sends one request, and prints the response or writes it to the file of `--output`.
    ///
    /// - Parameter recorder: Writes the sample of `--record`; nil without that option.
    private func sendSingleRequest(recordingTo recorder: SampleRecorder?) async throws -> ExitCode {
        let serverNamedFile = makeServerNamedFile()
        let file = try serverNamedFile ?? output.file.map { try openFile($0) }
        // After `commit()`, there is nothing left to discard.
        defer { file?.discard() }
        let copy = try output.copy.map { try openFile($0) }
        // `printWhileSaving` commits the copy.
        defer { copy?.discard() }
        let code = try await exchange.run(into: file) { response in
            if response.head.isSuccess { try serverNamedFile?.open(namedBy: response.head) }
            return try await print(response, to: file, copy: copy, recorder: recorder)
        }
        try file?.commit()
        if output.writesFile {
            let savedPath = serverNamedFile?.path ?? output.file
            try exchange.makePrinter().noteSaved(exchange.log.snapshot.fileBytes, in: savedPath)
        }
        return code
    }

    /// Makes the file of `--remote-header-name`; nil without that option. The file is opened later, when the response
    /// has given it a name.
    private func makeServerNamedFile() -> ServerNamedFile? {
        guard output.isNamedByServer, let path = output.file else { return nil }
        return ServerNamedFile(path, in: files)
    }

    /// Opens the file that an option names; `-` is stdout.
    ///
    /// - Parameter isPrivate: Whether only the owner can read the file.
    /// - Throws: ``FileError``.
    private func openFile(_ path: String, isPrivate: Bool = false) throws -> any FileReplacement {
        if path == "-" { return DirectFile(exchange.log.watching(environment.stdout), name: "stdout") }
        return try files.beginReplacing(path, isPrivate: isPrivate)
    }

    /// Prints the response, or writes it to a file. Writes it to the files of `--save` and `--record` too.
    ///
    /// - Parameters:
    ///   - file: The file of `--output`; nil prints the response.
    ///   - copy: The file of `--save`; nil without that option.
    ///   - recorder: Writes the sample of `--record`; nil without that option.
    /// - Throws: The errors of printing, and otherwise the error of a sample that could not be written.
    private func print(
        _ response: StreamedResponse, to file: (any FileReplacement)?, copy: (any FileReplacement)?,
        recorder: SampleRecorder?
    ) async throws -> ExitCode {
        let printer = exchange.makePrinter(file: file)
        guard let recorder else {
            return try await printWhileSaving(response, to: copy) { try await printer.print($0) }
        }
        // A sample is the whole body, so the body is read to its end before it is printed.
        let limit = plan.options.transfer.maxBytes ?? Client.defaultMaxBodySize
        let body = try await response.wholeBody(limit: limit)
        let received = Response(head: response.head, body: body)
        let recordingResult = recorder.record(received, to: plan.call, of: plan, redactor: exchange.redactor).file
        var wholeResponse = response
        wholeResponse.body = ResponseBody(bytes: body)
        let code = try await printWhileSaving(wholeResponse, to: copy) { try await printer.print($0) }
        // Only now that the response has been shown, an error of writing the sample makes the command fail.
        _ = try recordingResult.get()
        return code
    }

    /// Prints a response, and meanwhile writes its whole body to the file of `--save`.
    ///
    /// If the file can't be written, the response is printed all the same, and the error is thrown afterwards.
    ///
    /// - Parameters:
    ///   - response: The response, whose body is read only once for both.
    ///   - file: The file of `--save`. Without that option it is nil, and the response is only printed.
    ///   - print: Prints the response. It may stop before the end of the body.
    /// - Throws: The error of printing, with a hint if the file can't be written either. Otherwise the error of the
    ///   file.
    private func printWhileSaving(
        _ response: StreamedResponse, to file: (any FileReplacement)?,
        print: (StreamedResponse) async throws -> ExitCode
    ) async throws -> ExitCode {
        guard let file else { return try await print(response) }
        let copy = try BodyCopy(file)
        var copiedResponse = response
        copiedResponse.body = response.body.tap { chunk in
            if let chunk { copy.write(chunk) }
        }
        let code: ExitCode
        do {
            code = try await print(copiedResponse)
        } catch {
            throw await completeCopy(copy, of: copiedResponse, afterPrintingError: error)
        }
        try await completeCopy(copy, of: copiedResponse)
        return code
    }

    /// Reads the rest of a body, which also writes it to the copy, and completes the file of the copy.
    ///
    /// - Throws: The error of the transfer, or the first error of writing the copy.
    private func completeCopy(_ copy: BodyCopy, of response: StreamedResponse) async throws {
        for try await _ in response.body {}
        try copy.commit()
    }

    /// Completes the copy of a body that could not be printed.
    ///
    /// - Returns: The error of printing, because it came first. If the copy can't be written either, a hint of this
    ///   error says so.
    private func completeCopy(
        _ copy: BodyCopy, of response: StreamedResponse, afterPrintingError printingError: any Error
    ) async -> any Error {
        do {
            try await completeCopy(copy, of: response)
        } catch let fileError as FileError {
            return AnnotatedError(printingError, hint: .fact(fileError.description))
        } catch {
            // The transfer broke off, for example. The error of printing says so already.
        }
        return printingError
    }

    // MARK: Notes

    /// Notes which URL is requested if it was typed without a scheme. There is no note for this machine, where `http`
    /// is usual.
    private func noteScheme() {
        guard plan.url?.addedScheme != nil, !plan.request.base.isLoopback else { return }
        // A note that can't be written must not stop the call.
        try? exchange.notes?.write("note: the URL has no scheme; requesting \(plan.name)".safeToShow + "\n")
    }

    /// Notes that `--netrc` found no entry for the server, because the request is sent all the same.
    private func noteMissingNetrcEntry() {
        let options = plan.options
        // With an entry, the request would have a header `Authorization`.
        guard options.purpose != .sample, options.request.netrc, !options.sendsNoCredential,
            let path = Netrc.path(environment), !plan.request.specifies(header: "Authorization")
        else { return }
        exchange.log.note(
            "\(path) has no entry for \(plan.request.base.host); the request is sent without a password")
    }

    /// With `--verbose`, names the variables whose secrets are sent.
    private func noteCredentials() {
        let variables = plan.request.usedVariables
        guard plan.options.purpose != .sample, output.verbosity > 0, !variables.isEmpty else { return }
        // A note that can't be written must not stop the call.
        try? environment.stderr.write("* credential from \(variables.joined(separator: " and "))\n")
    }
}

/// A copy of a body in the file of `--save`. It keeps an error of writing until its end, so that the response is
/// printed in spite of it.
private final class BodyCopy: Sendable {
    private let file: any FileReplacement
    private let firstError = Mutex<(any Error)?>(nil)

    /// Starts the copy, again for each attempt of a request that is retried.
    ///
    /// - Throws: The error of emptying the file.
    init(_ file: any FileReplacement) throws {
        self.file = file
        // False for a pipe, which keeps what an earlier attempt has written to it.
        _ = try file.restart()
    }

    /// Writes a part of the body to the file. After the first error, nothing more is written.
    func write(_ chunk: [UInt8]) {
        firstError.withLock { firstError in
            guard firstError == nil else { return }
            do { try file.write(chunk) } catch { firstError = error }
        }
    }

    /// Completes the file.
    ///
    /// - Throws: The first error of writing.
    func commit() throws {
        if let error = firstError.withLock({ $0 }) { throw error }
        try file.commit()
    }
}

/// A file that gets its bytes only on ``commit()``, all at once. On stdout, they then never come between parts of the
/// response.
private final class HeldFile: FileReplacement {
    private let file: any FileReplacement
    private let content = BufferOutput()
    var isTerminal: Bool { file.isTerminal }

    /// Makes a file that holds its bytes for another file.
    init(_ file: any FileReplacement) { self.file = file }

    /// Holds the bytes until ``commit()``.
    func write(_ bytes: [UInt8]) throws { try content.write(bytes) }

    /// Returns false, and keeps the bytes, because they belong to all attempts of the call.
    func restart() -> Bool { false }

    /// Writes everything that was held.
    func commit() throws {
        try file.write(content.bytes)
        try file.commit()
    }

    /// Discards the other file, to which nothing has been written.
    func discard() { file.discard() }
}
