import EndpointKit
import EndpointTools
import Synchronization

extension CheckReport {
    /// Opens all reports of a command, has `fill` add the results, and writes the reports.
    ///
    /// - Parameters:
    ///   - calls: The calls that are checked.
    ///   - fill: Adds the results to the report, prints them, and records the exchanges in the archive if there is one.
    /// - Returns: The exit code of the command.
    /// - Throws: ``UsageError`` if two options name the same file, ``FileError``, and the errors of `fill`.
    static func write(
        _ options: CheckOptions, _ context: CommandContext, of calls: [CheckedCall],
        fill: (inout CheckReport, TerminalReport, HARLog?) async throws -> Void
    ) async throws -> ExitCode {
        let environment = context.environment
        // Everything is opened before anything is sent: checks whose reports can't be written are of no use. Only a
        // baseline needs the names of all endpoints.
        let endpoints = options.judging.baseline == nil ? [] : try context.registry.endpoints().map(\.name)
        let baseline = try CheckBaseline(options, environment, endpoints: Set(endpoints))
        var report = CheckReport(options, baseline, context)
        try checkOutputs(options, environment.files)
        let files = try ReportFiles(options.reports.files, context, keepsOn: options.judging.updatesBaseline)
        do {
            let terminal = TerminalReport(
                files.terminal(context), environment, options, width: calls.map(\.label.count).max() ?? 0)
            try await fill(&report, terminal, files.archive)
            try terminal.summarize(report)
            try files.write(report)
            // An interrupted run has not seen all differences, so it must not replace the file.
            if options.judging.updatesBaseline, !report.isInterrupted {
                try report.baseline.write(environment.files, files.messages)
            }
            try files.messages.finish()
            return try report.exitCode.reported(report.countsText)
        } catch {
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
        try UsageError.check(outputs: reports + [NamedOutput(option: "baseline", path: baselinePath)], files)
        for file in options.running.cases where file.text != "-" {
            try UsageError.check(outputs: reports + [NamedOutput(option: "cases", path: file.text)], files)
        }
    }
}

/// The files of a run's reports, opened before the run and put into place after it.
private struct ReportFiles {
    /// A file that is replaced by a report.
    private struct OpenFile {
        let kind: ReportKind
        let file: any FileReplacement
    }

    private var files: [OpenFile] = []
    /// The archive of `--report-har`, which is written during the run; nil if there is none.
    private(set) var archive: HARLog?
    /// The report that goes to stdout; nil if all reports go to files.
    private let printed: ReportKind?
    private let environment: ProcessEnvironment
    /// The output for people: stdout, or stderr if a report goes to stdout.
    let messages: FileKeepingOutput

    /// Opens the files of reports.
    ///
    /// - Parameters:
    ///   - paths: The path of each report; `-` is stdout.
    ///   - keepsOn: Whether the run goes on without a reader of its output, although no report is a file.
    /// - Throws: ``FileError``.
    init(_ paths: [ReportKind: String], _ context: CommandContext, keepsOn: Bool) throws {
        environment = context.environment
        printed = ReportKind.allCases.first { paths[$0] == "-" }
        let writesFiles = keepsOn || paths.values.contains { $0 != "-" }
        messages = FileKeepingOutput(
            printed == nil ? context.environment.stdout : context.environment.stderr, writesFiles: writesFiles)
        do {
            for kind in ReportKind.allCases {
                guard let path = paths[kind] else { continue }
                if kind == .har {
                    archive = HARLog(try Self.archiveFile(path, environment), context)
                } else if kind != printed {
                    files.append(OpenFile(kind: kind, file: try environment.files.replace(path)))
                }
            }
        } catch {
            discard()
            throw error
        }
    }

    /// Opens the file of an archive; `-` is stdout. Only the owner can read the file, because exchanges are
    /// confidential.
    private static func archiveFile(
        _ path: String, _ environment: ProcessEnvironment
    ) throws -> any FileReplacement {
        if path == "-" { return DirectFile(CommandFilter(environment), name: "stdout") }
        return try environment.files.replace(path, isPrivate: true)
    }

    /// Returns the output for the lines of checks, which people read.
    ///
    /// If a report goes to stdout and `--json-errors` reserves stderr for one line of JSON, the lines are not
    /// printed.
    func terminal(_ context: CommandContext) -> any ByteOutput {
        printed != nil && context.reportsJSON ? NoOutput() : messages
    }

    /// Writes the reports and puts their files into place.
    ///
    /// The report on stdout is the last one, because its reader may have gone.
    ///
    /// - Throws: ``FileError``, and the error of stdout.
    func write(_ report: CheckReport) throws {
        for open in files {
            try open.kind.write(report, to: open.file)
            try open.file.commit()
        }
        try archive?.finish()
        if let printed, printed != .har { try print(report, printed) }
        if environment.isSet("GITHUB_ACTIONS") { try report.writeGitHub(to: messages, environment) }
    }

    /// Prints a report on stdout. A terminal only gets safe text, and a CI system finds no commands in it.
    private func print(_ report: CheckReport, _ kind: ReportKind) throws {
        let text = BufferOutput()
        try kind.write(report, to: text)
        // Reports are text, so that the filter never finds binary data, for which it returns nil.
        let shown = TerminalFilter.shown(text.bytes, on: environment.stdout) ?? []
        try environment.stdout.write(environment.withoutCommands(String(exactBytes: shown)))
    }

    /// Removes what was written, and leaves the files as they were.
    func discard() {
        for open in files { open.file.discard() }
        archive?.discard()
    }
}

/// The output of a run that writes files too. If its reader goes, as with `| head -1`, the run goes on, so that the
/// files are written.
final class FileKeepingOutput: ByteOutput {
    private let output: any ByteOutput
    private let writesFiles: Bool
    private let isClosed = Mutex(false)
    var isTerminal: Bool { output.isTerminal }
    var columns: Int? { output.columns }
    var isReady: Bool { output.isReady }

    /// Makes an output.
    ///
    /// - Parameters:
    ///   - output: The output for people.
    ///   - writesFiles: Whether there are files to write. Without any, the run ends with its reader.
    init(_ output: any ByteOutput, writesFiles: Bool) {
        self.output = output
        self.writesFiles = writesFiles
    }

    /// Writes the bytes, or drops them if the reader has gone and files are still to be written.
    func write(_ bytes: [UInt8]) throws {
        do {
            try output.write(bytes)
        } catch let error as OutputClosed {
            if !writesFiles { throw error }
            isClosed.withLock { $0 = true }
        }
    }

    /// Ends the output after all files are written.
    ///
    /// - Throws: ``OutputClosed`` if the reader has gone.
    func finish() throws { if isClosed.withLock(\.self) { throw OutputClosed() } }
}

/// Stdout without the texts that GitHub Actions and Azure Pipelines would carry out as commands.
private struct CommandFilter: ByteOutput {
    private let environment: ProcessEnvironment
    var isTerminal: Bool { environment.stdout.isTerminal }

    init(_ environment: ProcessEnvironment) { self.environment = environment }

    /// Writes the bytes without commands for a CI system.
    func write(_ bytes: [UInt8]) throws {
        try environment.stdout.write(environment.withoutCommands(String(exactBytes: bytes)))
    }
}
