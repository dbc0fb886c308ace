import EndpointKit
import EndpointTools

/// The reports that can be written to a file.
enum ReportKind: String, Sendable, CaseIterable {
    case junit, json, md, html, har

    var option: String { "report-" + rawValue }

    var title: String {
        switch self {
        case .junit: "a JUnit XML report"
        case .json: "a JSON report"
        case .md: "a Markdown report"
        case .html: "an HTML report"
        case .har: "all exchanges as an HTTP archive (HAR 1.2)"
        }
    }

    /// Writes the report to `output`; an archive is written by ``HARLog`` instead, while the checks run.
    ///
    /// - Throws: The output's error.
    func write(_ report: CheckReport, to output: any ByteOutput) throws {
        var text = BufferedOutput(output)
        switch self {
        case .junit: try report.writeJUnit(to: &text)
        case .json: try report.writeJSON(to: &text)
        case .md: try report.writeMarkdown(to: &text)
        case .html: try report.writeHTML(to: &text)
        case .har: return
        }
        try text.flush()
    }
}

extension CheckReport {
    /// Opens all reports of a command, has `fill` add the results, and writes them.
    ///
    /// - Parameters:
    ///   - calls: What is checked.
    ///   - fill: Adds the results to the report, prints them, and records the exchanges in the archive if there is one.
    /// - Returns: The exit code of the command.
    /// - Throws: ``UsageError`` if two reports would be written to the same file, ``FileError``, and what `fill` throws.
    static func write(
        _ options: CheckOptions, _ context: CommandContext, of calls: [CheckedCall],
        fill: (inout CheckReport, TerminalReport, HARLog?) async throws -> Void
    ) async throws -> ExitCode {
        let environment = context.environment
        // Opened before anything is sent: there is no point in checks whose reports can't be written.
        let endpoints = options.judging.baseline == nil ? [] : try context.registry.endpoints().map(\.name)
        let judge = try CheckBaseline(options, environment, endpoints: Set(endpoints))
        var report = CheckReport(options, judge, context)
        let outputs = ReportKind.allCases.map { (option: $0.option, path: options.reports.files[$0]) }
        let baseline = (
            option: "baseline", path: options.judging.updatesBaseline ? options.judging.baseline?.text : nil
        )
        try UsageError.check(outputs: outputs + [baseline], environment.files)
        for file in options.running.cases where file.text != "-" {
            try UsageError.check(outputs: outputs + [("cases", file.text)], environment.files)
        }
        let files = try ReportFiles(options.reports.files, context)
        do {
            let width = calls.map(\.label.count).max() ?? 0
            // Beside a report on stdout, stderr is for the one line of --json-errors.
            let isSilent = context.reportsJSON && options.reports.files.values.contains("-")
            let terminal = TerminalReport(isSilent ? NoOutput() : files.terminal, environment, options, width: width)
            try await fill(&report, terminal, files.archive)
            try terminal.summarize(report)
            try files.write(report)
            if options.judging.updatesBaseline, !report.isInterrupted {
                try report.baseline.write(environment.files, files.terminal)
            }
            return try report.exitCode.reported(report.countsText)
        } catch {
            files.discard()
            throw error
        }
    }
}

/// The files of a run's reports, opened before the run and put into place after it.
private struct ReportFiles {
    private var files: [(kind: ReportKind, file: any FileReplacement)] = []
    /// The file of `--report-har`, which is written during the run.
    private(set) var archive: HARLog?
    /// The report that goes to stdout.
    private let printed: ReportKind?
    private let environment: ProcessEnvironment

    /// Where people read: stdout, unless a report goes there.
    var terminal: any ByteOutput { printed == nil ? environment.stdout : environment.stderr }

    /// Opens the files at `paths`.
    ///
    /// - Throws: ``FileError``.
    init(_ paths: [ReportKind: String], _ context: CommandContext) throws {
        environment = context.environment
        printed = ReportKind.allCases.first { paths[$0] == "-" }
        let chosen = ReportKind.allCases.compactMap { kind in paths[kind].map { (kind, $0) } }
        do {
            for (kind, path) in chosen {
                switch kind {
                case .har:
                    let stdout = CommandFilter(environment)
                    let file: any FileReplacement =
                        path == "-"
                        ? DirectFile(stdout, name: "stdout") : try environment.files.replace(path, isPrivate: true)
                    archive = HARLog(file, context)
                case .junit, .json, .md, .html:
                    if kind != printed { files.append((kind, try environment.files.replace(path))) }
                }
            }
        } catch {
            discard()
            throw error
        }
    }

    /// Writes the reports and puts their files into place.
    ///
    /// The report on stdout is the last one, because its reader may have gone.
    ///
    /// - Throws: ``FileError``, and the error of stdout.
    func write(_ report: CheckReport) throws {
        for (kind, file) in files {
            try kind.write(report, to: file)
            try file.commit()
        }
        try archive?.finish()
        if let printed, printed != .har {
            let text = BufferOutput()
            try printed.write(report, to: text)
            let shown = TerminalFilter.shown(text.bytes, on: environment.stdout) ?? []
            try environment.stdout.write(environment.withoutCommands(String(exactBytes: shown)))
        }
        if environment.isSet("GITHUB_ACTIONS") { try report.writeGitHub(to: terminal, environment) }
    }

    func discard() {
        for (_, file) in files { file.discard() }
        archive?.discard()
    }
}

/// Stdout without the texts that GitHub Actions and Azure Pipelines carry out as commands.
private struct CommandFilter: ByteOutput {
    private let environment: ProcessEnvironment
    var isTerminal: Bool { environment.stdout.isTerminal }

    init(_ environment: ProcessEnvironment) { self.environment = environment }

    func write(_ bytes: [UInt8]) throws {
        try environment.stdout.write(environment.withoutCommands(String(exactBytes: bytes)))
    }
}

extension String {
    /// The text without anything that XML or HTML would take for markup, or that XML does not allow (XML 1.0, section 2.2).
    var escapedMarkup: String { escapedMarkup(isAttribute: true) }

    /// In an attribute, quotes are markup too.
    func escapedMarkup(isAttribute: Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\"") where isAttribute: bytes += "&quot;".utf8
            case UInt8(ascii: "'") where isAttribute: bytes += "&#39;".utf8
            case 0..<0x20 where byte != 0x09 && byte != 0x0A: bytes += "\u{FFFD}".utf8
            // U+FFFE and U+FFFF become U+FFFD.
            case 0xBE, 0xBF: bytes.append(bytes.suffix(2).elementsEqual([0xEF, 0xBF]) ? 0xBD : byte)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
