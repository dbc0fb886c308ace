import EndpointKit
import EndpointTools

extension CheckReport {
    /// Carries out checks, and writes all reports about them.
    ///
    /// - Parameters:
    ///   - calls: The calls that are checked.
    ///   - options: The options of the command, which name the files of the reports.
    ///   - context: The context of the command.
    ///   - carryOutChecks: Carries out the checks. It adds the results to the report, prints them on the terminal, and
    ///     records the exchanges in the archive if there is one.
    /// - Returns: ``ExitCode/success``.
    /// - Throws: ``Failure`` if a check failed, none was carried out, or a signal ended the run; the reports are
    ///   written nevertheless. ``UsageError`` if two options name the same file. ``FileError``, and the errors of
    ///   `carryOutChecks`, after which no report is written.
    static func writeReports(
        about calls: [CheckedCall], _ options: CheckOptions, _ context: CommandContext,
        carryOutChecks: (
            _ report: inout CheckReport, _ terminal: TerminalReport, _ archive: HARLog?
        ) async throws -> Void
    ) async throws -> ExitCode {
        let environment = context.environment
        // All files are opened before anything is sent: checks whose reports can't be written are of no use.
        let baseline = try CheckBaseline(options, context)
        try checkOutputs(options, environment.files)
        let files = try ReportFiles(
            options.reports.files, context, updatesBaseline: options.judging.updatesBaseline)
        var report = CheckReport(options, baseline, context)
        do {
            let terminal = TerminalReport(
                files.outputForLines(context), environment, options, labels: calls.map(\.label))
            try await carryOutChecks(&report, terminal, files.archive)
            try terminal.summarize(report)
            try files.write(report)
            // An interrupted run has not seen all differences, so it must not replace the file.
            if options.judging.updatesBaseline, !report.isInterrupted {
                try report.baseline.updateFile(in: environment.files, messages: files.messages)
            }
            try files.messages.finish()
            return try report.exitCode.successOrThrow(report.countsText)
        } catch {
            // After the files have been put into place, this does nothing.
            files.discard()
            throw error
        }
    }

    /// Checks that no file is written twice, and that no file of cases is overwritten.
    ///
    /// - Throws: ``UsageError``.
    private static func checkOutputs(_ options: CheckOptions, _ files: any FileSystem) throws(UsageError) {
        let reports = ReportKind.allCases.map { NamedOutput(option: $0.option, path: options.reports.files[$0]) }
        let baselinePath = options.judging.updatesBaseline ? options.judging.baseline?.text : nil
        try UsageError.requireDistinctFiles(of: reports + [NamedOutput(option: "baseline", path: baselinePath)], files)
        for file in options.running.cases where file.text != "-" {
            try UsageError.requireDistinctFiles(of: reports + [NamedOutput(option: "cases", path: file.text)], files)
        }
    }
}

/// The files of a run's reports, opened before the run and put into place after it.
private struct ReportFiles {
    /// A new file with a report, which replaces an existing one after the run.
    private struct OpenFile {
        let kind: ReportKind
        let file: any FileReplacement
    }

    private var openFiles: [OpenFile] = []
    /// The archive of `--report-har`, which is written during the run; nil if there is none.
    private(set) var archive: HARLog?
    /// The report that goes to stdout; nil if all reports go to files.
    private let printedReport: ReportKind?
    private let environment: ProcessEnvironment
    /// The output for people: stdout, or stderr if a report goes to stdout.
    let messages: FileKeepingOutput

    /// Opens a new file for each report that does not go to stdout.
    ///
    /// - Parameters:
    ///   - paths: The path of each report; `-` is stdout. At most one report goes to stdout.
    ///   - context: The context of the command.
    ///   - updatesBaseline: Whether the run also writes the file of `--baseline`.
    /// - Throws: ``FileError``. The files that were opened before the error are discarded.
    init(_ paths: [ReportKind: String], _ context: CommandContext, updatesBaseline: Bool) throws {
        environment = context.environment
        printedReport = ReportKind.allCases.first { paths[$0] == "-" }
        let outputForPeople = printedReport == nil ? environment.stdout : environment.stderr
        let hasReportFile = paths.values.contains { $0 != "-" }
        // If no file is to be written, the run ends when the reader of this output has gone.
        messages = FileKeepingOutput(outputForPeople, writesFiles: hasReportFile || updatesBaseline)
        do {
            try openReports(at: paths, context)
        } catch {
            discard()
            throw error
        }
    }

    /// Opens the files of all reports, and the archive even if it goes to stdout, because it is written during the run.
    private mutating func openReports(at paths: [ReportKind: String], _ context: CommandContext) throws {
        for kind in ReportKind.allCases {
            guard let path = paths[kind] else { continue }
            if kind == .har {
                archive = HARLog(try Self.openArchive(path, environment), context)
            } else if path != "-" {
                openFiles.append(OpenFile(kind: kind, file: try environment.files.beginReplacing(path)))
            }
        }
    }

    /// Opens the file of an archive; `-` is stdout. Only the owner can read the file, because exchanges are
    /// confidential.
    private static func openArchive(
        _ path: String, _ environment: ProcessEnvironment
    ) throws -> any FileReplacement {
        if path == "-" { return DirectFile(CommandFilter(environment), name: "stdout") }
        return try environment.files.beginReplacing(path, isPrivate: true)
    }

    /// Returns the output for the lines of checks, which people read.
    ///
    /// If a report goes to stdout, the lines go to stderr. But `--json-errors` reserves stderr for one line of JSON, so
    /// that they are not printed then.
    func outputForLines(_ context: CommandContext) -> any ByteOutput {
        let isReserved = printedReport != nil && context.reportsJSON
        return isReserved ? NoOutput() : messages
    }

    /// Writes the reports and puts their files into place. In GitHub Actions, also writes annotations.
    ///
    /// The report on stdout comes after those in files, because writing to stdout fails if its reader has gone.
    ///
    /// - Throws: ``FileError``, and the error of stdout.
    func write(_ report: CheckReport) throws {
        for openFile in openFiles {
            try openFile.kind.write(report, to: openFile.file)
            try openFile.file.commit()
        }
        try archive?.finish()
        // An archive on stdout was written during the run.
        if let printedReport, printedReport != .har { try print(report, as: printedReport) }
        if environment.isSet("GITHUB_ACTIONS") { try report.writeGitHub(to: messages, environment) }
    }

    /// Prints a report on stdout. A terminal only gets safe text, and a CI system finds no commands in it.
    private func print(_ report: CheckReport, as kind: ReportKind) throws {
        let buffer = BufferOutput()
        try kind.write(report, to: buffer)
        // Reports are text, so that the filter never finds binary data, for which it returns nil.
        let safeBytes = TerminalFilter.shown(buffer.bytes, on: environment.stdout) ?? []
        try environment.stdout.write(environment.withoutCommands(String(exactBytes: safeBytes)))
    }

    /// Removes the new files that are not in place yet, and leaves the existing ones as they were.
    func discard() {
        for openFile in openFiles { openFile.file.discard() }
        archive?.discard()
    }
}

/// Stdout without the texts that GitHub Actions and Azure Pipelines would carry out as commands.
private struct CommandFilter: ByteOutput {
    private let environment: ProcessEnvironment
    var isTerminal: Bool { environment.stdout.isTerminal }

    /// Makes a filter for the stdout of an environment.
    init(_ environment: ProcessEnvironment) { self.environment = environment }

    /// Writes the bytes without commands for a CI system.
    func write(_ bytes: [UInt8]) throws {
        try environment.stdout.write(environment.withoutCommands(String(exactBytes: bytes)))
    }
}
