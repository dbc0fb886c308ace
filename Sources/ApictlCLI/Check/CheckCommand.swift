import EndpointKit
import SystemCalls

/// `check`: sends the examples of endpoints and compares the responses with their models.
struct CheckCommand: Command {
    static let name = "check"
    static let usage = "check [PATTERN…] [options]"
    static let summary = "check that endpoints respond, and that their responses fit the models"
    static let operands = CommandOperands.patterns
    static let table = CheckOptions.table

    static func notes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(
            paragraphs: [
                "A check sends one example of an endpoint, expects a 2xx status and compares the response with the endpoint's model.",
                ListCommand.patternNote + " Without one, every endpoint is checked.",
                "✓ fits; ~ fits, but has keys that the model does not have; ✗ failed; – skipped: nothing was sent.",
                "With --document, nothing is sent: an OpenAPI document is compared with what the endpoints declare. The APIs may be those of another document: \(context.tool) --api shop=v2.yaml check --document v1.yaml shop.",
                "Exit codes: 0 if nothing failed, 1 if a check failed or none ran, 2 for a wrong command line, 130 if interrupted.",
                "A file for --cases, of which only version, cases and endpoint are required:",
            ], example: example)
    }

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
              "capture": {"id": "results.0.id"}
            },
            {
              "endpoint": "API.OTHER",
              "arguments": {"id": "{{id}}"},
              "body": {"parent": "{{id}}"},
              "auth": "none",
              "status": "4xx"
            }
          ]
        }

        """

    private let patterns: [SourcedText]
    private let options: CheckOptions

    private static let cleanUpTime = Duration.seconds(10)

    init(_ words: CommandWords<CheckOptions>) throws {
        patterns = words.others
        options = words.options
        try UsageError.check(
            readers: options.cases + options.call.request.environmentFiles + [options.baseline].compactMap(\.self))
        if !options.cases.isEmpty, let pattern = patterns.first {
            throw UsageError.conflict("--cases", "the pattern '\(pattern.text)'")
        }
        if let document = options.document {
            try UsageError.check(readers: [document.word] + [options.baseline].compactMap(\.self))
        }
    }

    func run(_ context: CommandContext) async throws -> ExitCode {
        if let document = options.document {
            return try await DocumentCheck(context: context, options: options).run(document, patterns)
        }
        // Before `prepare()`: glibc can't start the signal thread while a library is being loaded.
        context.environment.watchSignals(Self.cleanUpTime)
        let resolver = try CallResolver(
            context, environmentFiles: options.call.request.environmentFiles, apis: context.registry.apis)
        let context = resolver.context
        let environment = context.environment
        let preparation = CheckPreparation(options: options, resolver: resolver)
        if options.printsTemplate {
            try environment.stdout.write(CaseFile.template(of: preparation.declarations(patterns)))
            return .success
        }
        if options.call.purpose == .send { environment.transport.prepare() }
        let selection =
            try await options.cases.isEmpty ? preparation.checks(patterns) : preparation.cases(options.cases)
        let calls = selection.checks.map(\.call)
        return try await CheckReport.write(options, context, of: calls) { report, terminal, archive in
            let run = CheckRun(selection: selection, options: options, context: context, archive: archive)
            try await run.carryOut(terminal, &report)
        }
    }
}

/// The options of `check`.
struct CheckOptions: CommandOptions {
    var call = CallOptions()
    var common: CommonOptions {
        get { call.common }
        set { call.common = newValue }
    }

    var strict = false
    var baseline: SourcedText?
    var updatesBaseline = false
    var failsOnSkipped = false
    var maxLatency: Duration?

    var includesUnsafe = false
    /// How many checks run at once: enough to keep slow servers busy, few enough not to look like an attack.
    var jobs = min(4 * SystemCall.processorCount, 32)
    var wait: Duration?
    var bail = false
    var shard: CheckShard?
    var cases: [SourcedText] = []
    var caseNames: [String] = []
    var printsTemplate = false

    var reports: [ReportKind: String] = [:]
    /// The directory of `--save-responses`.
    var responses: String?
    var namesAbsent = false
    /// The document that is compared with the endpoints, so that nothing is sent; nil if requests are checked.
    var document: DocumentSource?
    /// Whether a document is compared.
    var comparesDocument: Bool { document != nil }

    /// Those of the comparison with a document.
    static let documentOptions =
        judging.filter { $0.spec.name.hasSuffix("baseline") }
        + reportOptions.filter { $0.spec.name != ReportKind.har.option }

    private static let reportOptions = ReportKind.allCases.map { kind in
        Option<CheckOptions>(kind.option, .file, "write \(kind.title) to FILE; -: stdout") { $0.reports[kind] = $1 }
    }

    static let table = OptionTable<CheckOptions>(
        command: [
            OptionGroup(title: "What fails", options: judging), OptionGroup(title: "What is checked", options: running),
            OptionGroup(title: "Reports", options: reportOptions + evidence),
        ] + CallOptions.sending(\.call))

    /// The only value of `--fail-on`.
    private static let skipped = OptionValueType<Bool>.parsed(
        "skipped", expected: "skipped", completion: .values(["skipped"])
    ) { $0 == "skipped" ? true : nil }

    private static let judging: [Option<CheckOptions>] = [
        Option("strict", \.strict, "keys that are not in the model fail the check"),
        Option(
            "baseline", .word("FILE", completion: .files), \.baseline,
            "the same, except for keys that FILE (-: stdin) lists"),
        Option(
            "update-baseline", \.updatesBaseline, "write the keys that were found into the baseline",
            excludes: ["shard"], needs: ["baseline"]),
        Option("fail-on-skipped", \.failsOnSkipped, "a check that is skipped fails"),
        Option("fail-on", skipped, "the same as --fail-on-skipped") { $0.failsOnSkipped = $1 },
        Option("max-latency", .duration, \.maxLatency, "a response that takes longer fails the check"),
    ]

    private static let evidence: [Option<CheckOptions>] = [
        Option("save-responses", .directory, \.responses, "write each response that did not pass to DIR"),
        Option("verbose", short: "v", \.namesAbsent, "name the optional keys that were in no response"),
    ]

    private static let running: [Option<CheckOptions>] = [
        Option(
            "document", .source, \.document,
            "compare the endpoints with an OpenAPI document instead of sending requests; --strict: in both directions",
            excludes: [
                "cases", "init", "unsafe", "sample", "jobs", "wait", "bail", "shard", "max-latency", "save-responses",
                "verbose", ReportKind.har.option,
            ]),
        Option(
            "cases", .word("FILE", completion: .files),
            "check the calls in FILE (-: stdin), one after the other, instead of the examples; repeatable: files run side by side",
            excludes: ["init"]
        ) { $0.cases.append($1) },
        Option(
            "case", .text("NAME"),
            "only cases of that name, or a glob with * and ?, and those they capture from; repeatable",
            needs: ["cases"]
        ) { $0.caseNames.append($1) },
        Option("init", \.printsTemplate, "print the examples as a file for --cases; send nothing"),
        Option("unsafe", \.includesUnsafe, "also send POST, PUT, PATCH and DELETE, which may change data"),
        Option(
            "sample", \.call.purpose, on: .sample, off: .send,
            "check the models against the embedded samples: no network, no key"),
        Option("jobs", .positive, "checks at once; default 4 for each processor, at most 32") { $0.jobs = $1 },
        Option("wait", .duration, \.wait, "before the first check, wait this long until each server responds"),
        Option("bail", \.bail, "stop at the first check that fails"),
        Option(
            "shard", .parsed("I/N", expected: "a part such as 1/4", CheckShard.init), \.shard,
            "run only part I of N, to divide the checks between machines"),
    ]
}

/// One of the parts that checks are divided into: `1/4`.
struct CheckShard: Sendable, CustomStringConvertible {
    private let number: Int
    private let count: Int

    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], number >= 1, number <= count else {
            return nil
        }
        self.number = number
        self.count = count
    }

    var description: String { "\(number)/\(count)" }

    /// Whether the check at that place, from 0, is in this part: every check is in exactly one.
    func includes(_ place: Int) -> Bool { place % count == number - 1 }
}
