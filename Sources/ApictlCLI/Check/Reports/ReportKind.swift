import EndpointKit
import EndpointTools

/// The reports that can be written to a file.
enum ReportKind: String, Sendable, CaseIterable {
    case junit, json, tap, md, html, har

    var option: String { "report-" + rawValue }

    var title: String { format.title }

    private var format: (title: String, write: (CheckReport, inout BufferedText) throws -> Void) {
        switch self {
        case .junit: ("a JUnit XML report", { try $0.writeJUnit(to: &$1) })
        case .json: ("a JSON report", { try $0.writeJSON(to: &$1) })
        case .tap: ("a TAP report", { try $0.writeTAP(to: &$1) })
        case .md: ("a Markdown report", { try $0.writeMarkdown(to: &$1) })
        case .html: ("an HTML report", { try $0.writeHTML(to: &$1) })
        case .har: ("all exchanges as an HTTP archive (HAR 1.2)", { try $0.har?.write(to: &$1) })
        }
    }

    /// Writes the report to `output`. Throws what `output` does.
    func write(_ report: CheckReport, to output: any ByteOutput) throws {
        var text = BufferedText(output)
        try format.write(report, &text)
        try text.flush()
    }
}

extension CheckReport {
    /// Opens all reports of a command on `calls`, has `fill` add about `count` results, and writes them.
    ///
    /// Throws ``UsageError`` if two reports would be written to the same file, ``FileError``, and what `fill` throws.
    static func write(
        _ options: CheckOptions, _ context: RunContext, of calls: [CheckedCall], count: Int,
        fill: (inout CheckReport, TerminalReport) async throws -> Void
    ) async throws -> ExitCode {
        let environment = context.environment
        // Opened before anything is sent: there is no point in checks whose reports can't be written.
        let endpoints = options.baseline == nil ? [] : try context.registry.endpoints().map(\.name)
        let judge = try Baseline(options, environment, endpoints: Set(endpoints))
        var report = CheckReport(options, judge, context, count: count)
        let outputs = ReportKind.allCases.map { (option: $0.option, path: options.reports[$0]) }
        let baseline = (option: "baseline", path: options.updatesBaseline ? options.baseline?.text : nil)
        try UsageError.check(outputs: outputs + [baseline], environment.files)
        for file in options.cases where file.text != "-" {
            try UsageError.check(outputs: outputs + [("cases", file.text)], environment.files)
        }
        let files = try ReportFiles(options.reports, environment)
        do {
            let width = calls.map(\.label.count).max() ?? 0
            // Beside a report on stdout, stderr is for the one line of --json-errors.
            let isSilent = context.reportsJSON && options.reports.values.contains("-")
            let terminal = TerminalReport(isSilent ? NoOutput() : files.terminal, environment, options, width: width)
            try await fill(&report, terminal)
            try report.settled().forEach(terminal.show)
            try terminal.summarize(report)
            try files.write(report)
            if options.updatesBaseline, !report.isInterrupted {
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
    private let printed: ReportKind?
    private let environment: ProcessEnvironment

    /// Where people read: stdout, unless a report goes there.
    var terminal: any ByteOutput { printed == nil ? environment.stdout : environment.stderr }

    init(_ paths: [ReportKind: String], _ environment: ProcessEnvironment) throws {
        self.environment = environment
        printed = ReportKind.allCases.first { paths[$0] == "-" }
        let chosen = ReportKind.allCases.compactMap { kind in paths[kind].map { (kind, $0) } }
        do {
            for (kind, path) in chosen where kind != printed {
                files.append((kind, try environment.files.replace(path, isPrivate: kind == .har)))
            }
        } catch {
            discard()
            throw error
        }
    }

    func write(_ report: CheckReport) throws {
        for (kind, file) in files {
            try kind.write(report, to: file)
            try file.commit()
        }
        if let printed {
            let text = BufferOutput()
            try printed.write(report, to: text)
            let shown = TerminalFilter.shown(text.bytes, on: environment.stdout) ?? []
            try environment.stdout.write(environment.withoutCommands(String(exactBytes: shown)))
        }
        if environment.isSet("GITHUB_ACTIONS") { try report.writeGitHub(to: terminal, environment) }
    }

    func discard() { for (_, file) in files { file.discard() } }
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

extension CheckReport {
    /// The Test Anything Protocol, version 13 (testanything.org).
    fileprivate func writeTAP(to text: inout BufferedText) throws {
        try text.write("TAP version 13\n1..\(results.count)\n")
        for (number, result) in results.enumerated() {
            let run = result.run > 1 ? ", run \(result.run)" : ""
            // Not `#1`: a number sign begins a directive.
            let place = (result.call.caseName ?? "example \(result.example)").replacingBytes(of: "#", with: "\\#")
            let name = "ok \(number + 1) - \(result.name) (\(place)\(run))"
            if let reason = result.skipReason {
                try text.write("\(name) # SKIP \(reason)\n")
            } else {
                try text.write((result.outcome.verdict == .failed ? "not " : "") + name + "\n")
                for line in result.lines { try text.write("# \(line)\n") }
            }
        }
        // Readers of TAP count what was skipped as passed.
        if isInterrupted || isEmpty {
            try text.write("Bail out! \(isInterrupted ? "interrupted" : "nothing was checked")\n")
        }
    }
}
