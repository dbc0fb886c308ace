import EndpointKit

/// Prints each check on a line, what was found under it, and a summary at the end.
struct TerminalReport {
    /// Problems of one check that are shown, at most; the reports have them all.
    private static let mostProblems = 20

    private let output: any ByteOutput
    private let isColored: Bool
    /// Whether a program reads along that obeys commands in the text.
    private let isGitHub: Bool
    private let cases: [CheckCase]
    /// The width of the names.
    private let width: Int

    /// Whether a line says how many checks are done.
    private let showsProgress: Bool

    init(
        output: any ByteOutput, isColored: Bool, isGitHub: Bool = false, showsProgress: Bool = false, cases: [CheckCase]
    ) {
        self.output = output
        self.showsProgress = showsProgress
        self.isColored = isColored
        self.isGitHub = isGitHub
        self.cases = cases
        width = cases.map(\.label.count).max() ?? 0
    }

    /// Prints one check. Throws what the output does.
    func show(_ record: CheckRecord) throws {
        let item = CheckItem(of: cases[Int(record.place)], record)
        let mark = colored(item.outcome.verdict.mark, item.outcome.verdict.color)
        let name = item.check.label + String(repeating: " ", count: width - item.check.label.count)
        if let reason = item.skipReason {
            try output.write("\(erasing)\(mark) \(name)  skipped: \(reason)\n")
            return
        }
        let status = item.outcome.status.map(String.init) ?? "–"
        let time = "\(item.outcome.duration?.milliseconds ?? 0) ms"
        let flaky = item.flakyText.map { "  " + $0 } ?? ""
        var text = "\(mark) \(name)  \(padded(status, 3))  \(padded(time, 8))\(flaky)\n"
        let lines = item.problemLines
        for line in lines.prefix(Self.mostProblems) { text += "    \(line)\n" }
        if lines.count > Self.mostProblems { text += "    … and \(lines.count - Self.mostProblems) more\n" }
        for line in item.outcome.excerpt { text += "      | \(line.safeToShow)\n" }
        if let curl = item.curlLine { text += "    \(curl)\n" }
        try output.write(erasing + (isGitHub ? text.replacingBytes(of: "##[", with: "## [") : text))
    }

    /// Shows on a terminal how many checks are done, until the next text is printed. Throws what the output does.
    func showProgress(_ done: Int, of total: Int, failed: Int) throws {
        guard showsProgress, done < total else { return }
        let failures = failed > 0 ? ", \(failed) failed" : ""
        try output.write("\(erasing)\(done) of \(total) checks\(failures) …")
    }

    /// Removes the line about the progress.
    private var erasing: String { showsProgress ? "\r\u{1B}[2K" : "" }

    /// Prints what only the checks of one endpoint together show. Throws what the output does.
    func show(notes: [CheckProblem]) throws {
        guard !notes.isEmpty else { return }
        let paths = notes.compactMap { $0.path }
        let more = paths.count > Self.mostProblems ? ", … and \(paths.count - Self.mostProblems) more" : ""
        let shown = paths.prefix(Self.mostProblems).joined(separator: ", ").safeToShow
        try output.write("\(erasing)    optional, in no response: \(shown)\(more)\n")
    }

    /// Prints the counts and times. Throws what the output does.
    func summarize(_ report: CheckReport) throws {
        var text =
            "\(erasing)\n\(report.records.count) check\(report.records.count == 1 ? "" : "s"): \(report.countsText)\n"
        let latencies = report.latencies
        if latencies.max > .zero {
            let slowest = CheckItem(
                of: cases[Int(report.records[latencies.slowest].place)], report.records[latencies.slowest])
            text +=
                "p50 \(latencies.p50.milliseconds) ms, p95 \(latencies.p95.milliseconds) ms, max \(latencies.max.milliseconds) ms"
                + " (\(slowest.check.label))\n"
        }
        for remark in report.remarks { text += remark + "\n" }
        try output.write(text)
    }

    private func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private func colored(_ text: String, _ color: String) -> String {
        isColored ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
    }
}

extension CheckVerdict {
    var mark: String {
        switch self {
        case .passed: "✓"
        case .drifted: "~"
        case .failed: "✗"
        case .skipped: "–"
        }
    }

    /// An SGR parameter.
    fileprivate var color: String {
        switch self {
        case .passed: "32"
        case .drifted: "33"
        case .failed: "31"
        case .skipped: "2"
        }
    }
}
