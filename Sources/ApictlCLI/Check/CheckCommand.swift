import EndpointKit
import SystemCalls

/// `check`: sends the examples of endpoints and compares the responses with their models.
struct CheckCommand: Command {
    static let name = "check"
    static let usage = "check [PATTERN…] [options]"
    static let summary = "check that responses fit the models"
    static let operands = CommandOperands.patterns
    static let table = CheckOptions.table

    /// Explains what a check compares, the patterns, the marks of the output, `--document` and the exit codes.
    static func notes(_ context: CommandContext) -> CommandNotes {
        let tool = context.tool
        return CommandNotes(
            paragraphs: [
                """
                A check sends one example of an endpoint, expects a 2xx status and compares the response with the \
                endpoint's model.
                """,
                "\(ListCommand.patternNote) Without one, every endpoint is checked.",
                "✓ fits; ~ fits, but has keys that the model does not have; ✗ failed; – skipped: nothing was sent.",
                "A file for --cases: see '\(tool) help cases'.",
                """
                With --document, nothing is sent: an OpenAPI document is compared with what the endpoints declare. The \
                APIs may be those of another document: \(tool) --api shop=v2.yaml check --document v1.yaml shop.
                """,
                """
                Exit codes: 0 if nothing failed, 1 if a check failed or none ran, 2 for a wrong command line, 130 if \
                interrupted.
                """,
            ])
    }

    /// Returns the page of help about files for `--cases`.
    static func caseNotes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(
            paragraphs: [
                """
                '\(context.tool) check --cases FILE' sends the calls in FILE, one after the other, and checks what \
                each case expects. '\(context.tool) check --init' prints a file to start with.
                """,
                "Only version and cases are required, and endpoint, url or include in a case:",
            ], example: example)
    }

    /// A file for `--cases`, which the help shows.
    static let example = """
        {
          "version": 1,
          "cases": [
            {
              "name": "second page",
              "endpoint": "API.ENDPOINT",
              "arguments": {"page": 2}, "query": {"q": "a"}, "headers": {"X-A": "1"},
              "status": 200,
              "maxLatency": "500ms",
              "retry": 2,
              "expect": {
                "results": {"count": {"min": 1, "max": 20}},
                "results.title": {"type": "string", "matches": "^[A-Z]"},
                "results.0.tags": {"contains": "new"},
                "page": {"equals": 2, "min": 1, "max": 9},
                "errors": {"exists": false}
              },
              "expectHeaders": {"Content-Type": {"contains": "json"}},
              "capture": {"id": "results.0.id"}
            },
            {
              "endpoint": "API.OTHER",
              "arguments": {"id": "{{id}}"},
              "body": {"parent": "{{id}}", "key": "{{$uuid}}", "on": "{{$now+1d}}"},
              "auth": "none",
              "status": "4xx"
            },
            {
              "endpoint": "API.ENDPOINT",
              "until": "30s",
              "expect": {"results": {"count": 0}}
            },
            {
              "url": "https://example.com/a",
              "method": "POST",
              "body": {"n": "{{$random}}"},
              "skip": "not yet"
            },
            {
              "url": "https://example.com/b.txt",
              "expect": {"$": {"length": 9, "matches": "^OK"}}
            },
            {"include": "other.json"}
          ],
          "setup": [{"include": "login.json"}],
          "cleanup": [{"endpoint": "API.REMOVE", "arguments": {"id": "{{id}}"}}]
        }

        """

    /// The names of the endpoints to check, with wildcards; empty for all endpoints.
    private let patterns: [SourcedText]
    private let options: CheckOptions

    /// The time that a run may take after a signal to write its reports. Then the process ends.
    private static let cleanUpTime = Duration.seconds(10)
    /// The end of the range of seeds that are chosen at random: nine digits are enough, and short enough to type.
    private static let seedLimit = 1_000_000_000

    /// Reads the patterns and options of a command line.
    ///
    /// - Throws: ``UsageError`` if several words would read stdin, and for patterns together with `--cases`.
    init(_ words: CommandWords<CheckOptions>) throws {
        patterns = words.operands
        options = words.options
        let caseFiles = options.running.cases
        // Each of these words may be `-`, but stdin can be read only once.
        var inputFiles = caseFiles + options.call.request.environmentFiles
        if let baseline = options.judging.baseline { inputFiles.append(baseline) }
        try UsageError.requireAtMostOneStdin(among: inputFiles)
        // With `--document`, only the document and the baseline are read.
        if let document = options.running.document, let baseline = options.judging.baseline {
            try UsageError.requireAtMostOneStdin(among: [document.word, baseline])
        }
        if !caseFiles.isEmpty, let pattern = patterns.first {
            throw UsageError.conflict("--cases", "the pattern '\(pattern.text)'")
        }
    }

    /// Carries out the checks, or compares a document (`--document`), or prints a file of cases (`--init`).
    ///
    /// - Returns: ``ExitCode/success``. Any other exit code is that of a failure that is thrown.
    /// - Throws: ``Failure`` if a check failed, none was carried out or a signal ended the run; ``UsageError``,
    ///   ``FileError`` and ``OutputClosed``.
    func run(_ context: CommandContext) async throws -> ExitCode {
        if let document = options.running.document {
            return try await DocumentCheck(context: context, options: options).run(document, patterns)
        }
        // This must come before the library for requests is loaded in `runChecks`: glibc can't start the thread that
        // waits for signals while a library is being loaded.
        context.environment.signals.startHandling(Self.cleanUpTime)
        let resolver = try CallResolver(
            context, environmentFiles: options.call.request.environmentFiles, apis: context.registry.apis)
        let seed = options.running.seed ?? .random(in: 0..<Self.seedLimit)
        let preparation = CheckPreparation(options: options, resolver: resolver, seed: seed)
        if options.running.printsTemplate {
            try printTemplate(preparation.context)
            return .success
        }
        return try await runChecks(preparation)
    }

    /// Prints a file with a case for each endpoint that matches the patterns (`--init`). Notes on stderr name the
    /// endpoints without a case, which can't be called.
    private func printTemplate(_ context: CommandContext) throws {
        let catalogue = try context.registry.description(matching: patterns)
        let callableEndpoints = try catalogue.declarations()
        try context.environment.stdout.write(CaseFileTemplate(declarations: callableEndpoints).text())
        let callableNames = Set(callableEndpoints.map(\.name))
        for endpoint in catalogue.endpoints where !callableNames.contains(endpoint.name) {
            let note = "note: \(endpoint.name) has no case: no example shows its parameters"
            try context.environment.stderr.write(note.safeToShow + "\n")
        }
    }

    /// Carries out the checks of the cases if `--cases` is given, and otherwise those of the examples. Writes all
    /// reports.
    ///
    /// - Returns: ``ExitCode/success``.
    /// - Throws: ``Failure`` if a check failed, none was carried out or a signal ended the run, and the errors of
    ///   reading and writing files.
    private func runChecks(_ preparation: CheckPreparation) async throws -> ExitCode {
        let context = preparation.context
        // Loading the library for requests takes time, so it begins now, while the checks are prepared. With
        // `--sample`, nothing is sent.
        if options.call.purpose == .send { context.environment.transport.prepare() }
        let selection: CheckSelection
        if options.running.cases.isEmpty {
            selection = try await preparation.planChecks(ofExamplesMatching: patterns)
        } else {
            selection = try await preparation.planChecks(ofCaseFiles: options.running.cases)
        }
        try announceWrites(of: selection, context)
        let calls = selection.checks.map(\.call)
        return try await CheckReport.writeReports(about: calls, options, context) { report, terminal, archive in
            let run = CheckRun(selection: selection, options: options, context: context, archive: archive)
            try await run.runAll(reportingTo: &report, printingTo: terminal)
        }
    }

    /// Says on stderr how many requests that may change data are sent to each server, before the first request is sent.
    ///
    ///     to send: 2 writes to https://shop.example
    ///
    /// Says nothing if nothing is sent, if no request may change data, or if `--json-errors` reserves stderr.
    private func announceWrites(of selection: CheckSelection, _ context: CommandContext) throws {
        guard options.call.purpose == .send, !context.reportsJSON else { return }
        let writes = selection.checks.compactMap(\.expectedRequest).filter { !$0.method.isSafe }
        if writes.isEmpty { return }
        let countedWrites = writes.grouped(by: { $0.base.text }).map { server, writesToServer in
            "\(writesToServer.count.counted("write")) to \(SecretRules.redacted(server))"
        }
        try context.environment.stderr.write("to send: \(countedWrites.joined(separator: ", "))".safeToShow + "\n")
    }
}
