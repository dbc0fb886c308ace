import EndpointKit

/// What GitHub Actions shows: annotations on the lines of the endpoints, and the summary of the step.
struct GitHubReport {
    /// GitHub shows ten of each kind for a step; more only make the log long.
    private static let mostAnnotations = 50
    /// GitHub refuses a longer summary, in bytes.
    private static let longestSummary = 1_048_576

    private let environment: ProcessEnvironment

    /// Nil outside GitHub Actions.
    init?(_ environment: ProcessEnvironment) {
        guard Self.isRead(environment) else { return nil }
        self.environment = environment
    }

    /// Whether GitHub Actions reads the output.
    static func isRead(_ environment: ProcessEnvironment) -> Bool {
        environment.isSet("GITHUB_ACTIONS")
    }

    /// Prints the annotations on `output` and appends to the step's summary. Throws ``FileError``, and what `output` does.
    func write(_ report: CheckReport, to output: any ByteOutput) throws {
        for verdict in [CheckVerdict.failed, .drifted] {
            let items = report.items.lazy.filter { $0.outcome.verdict == verdict }
            for item in items.prefix(Self.mostAnnotations) {
                try output.write(Self.annotation(item, report.workingDirectory) + "\n")
            }
        }
        guard let path = environment.variable("GITHUB_STEP_SUMMARY"), !path.isEmpty else { return }
        var earlier: [UInt8] = []
        do {
            earlier = try environment.files.open(path).readAll(name: path)
        } catch let error as FileError where error.isMissing {}
        let summary = BufferOutput()
        try ReportKind.md.write(report, to: summary)
        guard earlier.count + summary.bytes.count <= Self.longestSummary else { return }
        try environment.files.replace(path) { try $0.write(earlier + summary.bytes) }
    }

    /// `::error file=Endpoints/Movies/Movies.swift,line=27,title=movies.video::status: expected 2xx, found 404 Not Found`
    static func annotation(_ item: CheckItem, _ directory: String?) -> String {
        let source = item.check.source
        let properties = [
            "file=" + property(relative(source.file, to: directory)), "line=\(source.line)",
            "title=" + property(item.check.label),
        ]
        let command = item.outcome.verdict == .failed ? "error" : "warning"
        return "::\(command) \(properties.joined(separator: ","))::\(data(item.faultLines.joined(separator: "\n")))"
    }

    private static func relative(_ file: String, to directory: String?) -> String {
        guard let directory, directory != "/", file.hasPrefix(directory + "/") else { return file }
        return String(file.dropFirst(directory.count + 1))
    }

    private static func data(_ text: String) -> String {
        text.replacingBytes(of: "%", with: "%25").replacingBytes(of: "\r", with: "%0D")
            .replacingBytes(of: "\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacingBytes(of: ":", with: "%3A").replacingBytes(of: ",", with: "%2C")
    }
}
