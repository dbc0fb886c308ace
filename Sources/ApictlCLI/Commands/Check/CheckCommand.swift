import EndpointKit

/// `check`: sends the examples of endpoints and compares the responses with their models.
struct CheckCommand: Command {
    /// Which endpoints; none means all.
    var patterns: [Word] = []
    var options = CheckOptions()

    /// The time in which reports are written after an interruption.
    private static let cleanUpTime = Duration.seconds(10)

    /// The command that `words` describe; nil for `--help`. Throws ``UsageError``.
    static func parse(_ words: [Word]) throws(UsageError) -> CheckCommand? {
        var command = CheckCommand()
        let (patterns, given) = try CheckOptions.table.parse(words, into: &command.options)
        if command.options.help { return nil }
        try CheckOptions.table.check(command.options, given: given)
        let toStdout = ReportKind.allCases.filter { command.options.reports[$0] == "-" }
        if toStdout.count > 1 {
            throw .conflict("--report-\(toStdout[0].rawValue) -", "--report-\(toStdout[1].rawValue) -")
        }
        if command.options.cases != nil, let pattern = patterns.first {
            throw .conflict("--cases", "the pattern '\(pattern.text)'")
        }
        let sending = CallOptions.sending(\CheckOptions.call).flatMap(\.options).map(\.spec.name)
        command.options.call.given = given.filter(sending.contains)
        // A check reads the whole body, so it has the time limit of a decoded response.
        if command.options.call.maxTime == nil { command.options.call.maxTime = CallOptions.defaultTimeLimit }
        command.patterns = patterns
        return command
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        let context = try context.configured(
            options.call.environmentFiles, runsCommands: !options.call.sample && !options.printsTemplate)
        let environment = context.environment
        let preparation = CheckPreparation(options: options, context: context)
        let selection = CheckSelection(patterns: patterns, preparation: preparation)
        if options.printsTemplate {
            try environment.stdout.write(CaseTemplate(declarations: selection.declarations()).text())
            return .success
        }
        // Before `prepare()`: glibc can't start the signal thread while a library is being loaded.
        environment.watchSignals(Self.cleanUpTime)
        if !options.call.sample { environment.transport.prepare() }
        let cases =
            try options.cases.map { try CaseSelection(path: $0, preparation: preparation).cases() } ?? selection.cases()
        let baseline = try options.baseline.map { path in
            try Baseline(path: path, mayBeMissing: options.updatesBaseline, environment)
        }
        // Opened before anything is sent: there is no point in checks whose reports can't be written.
        let files = try ReportFiles(options.reports, environment)
        let run = CheckRun(cases: cases, options: options, baseline: baseline, context: context)
        do {
            let (report, drift) = try await run.carryOut(on: files.terminal)
            try files.write(report)
            if options.updatesBaseline, !report.isInterrupted {
                try baseline?.write(drift.updated, environment.files)
            }
            // With more parts than checks, some have none.
            if cases.isEmpty, options.shard != nil, !report.isInterrupted { return .success }
            return report.exitCode(failsOnSkipped: options.failsOnSkipped)
        } catch {
            files.discard()
            throw error
        }
    }
}

extension CheckCommand {
    static func help(_ context: RunContext) -> CommandHelp {
        CommandHelp(
            CheckOptions.table,
            [
                "A check sends one example of an endpoint, expects a 2xx status and compares the response with the endpoint's model.",
                "PATTERN is part of an endpoint's name, method, path or summary, or a glob with * and ?; without one, every endpoint is checked.",
                "✓ fits; ~ fits, but has keys that the model does not have; ✗ failed; – skipped: nothing was sent.",
                "Exit codes: 0 if nothing failed, 1 if a check failed or none ran, 2 for a wrong command line, 130 if interrupted.",
                "A file for --cases, of which only version, cases and endpoint are required:",
            ], example: CommandHelp.cases)
    }
}

extension CommandHelp {
    static let cases = """
        {
          "version": 1,
          "cases": [
            {
              "endpoint": "API.ENDPOINT",
              "arguments": {"page": 2},
              "status": 200,
              "maxLatency": "500ms",
              "expect": {
                "results": {"count": {"min": 1, "max": 20}},
                "results.0.title": {"type": "string", "matches": "[A-Z].*"},
                "page": {"equals": 2},
                "errors": {"exists": false}
              },
              "capture": {"id": "results.0.id"}
            },
            {"endpoint": "API.OTHER", "arguments": {"id": "{{id}}"}}
          ]
        }

        """
}
