/// The files of a run's reports, opened before the run and put into place after it.
struct ReportFiles {
    private let files: [(kind: ReportKind, file: any FileReplacement)]
    /// The report that goes to stdout.
    private let printed: ReportKind?
    private let gitHub: GitHubReport?
    private let environment: ProcessEnvironment

    /// Where people read: stdout, unless a report goes there.
    var terminal: any ByteOutput { printed == nil ? environment.stdout : environment.stderr }

    /// Throws ``FileError`` if one of `paths` can't be written.
    init(_ paths: [ReportKind: String], _ environment: ProcessEnvironment) throws {
        self.environment = environment
        var files: [(kind: ReportKind, file: any FileReplacement)] = []
        do {
            for kind in ReportKind.allCases {
                guard let path = paths[kind], path != "-" else { continue }
                files.append((kind, try environment.files.replace(path)))
            }
        } catch {
            for (_, file) in files { file.discard() }
            throw error
        }
        self.files = files
        printed = ReportKind.allCases.first { paths[$0] == "-" }
        gitHub = GitHubReport(environment)
    }

    /// Writes all reports and puts them into their places. Throws what the outputs do.
    func write(_ report: CheckReport) throws {
        for (kind, file) in files {
            try kind.write(report, to: file)
            try file.commit()
        }
        try printed?.write(report, to: environment.stdout)
        try gitHub?.write(report, to: terminal)
    }

    /// Leaves the files at their places as they are.
    func discard() { for (_, file) in files { file.discard() } }
}
