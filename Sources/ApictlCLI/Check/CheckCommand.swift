import EndpointKit
import SystemCalls

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
        try ReportFiles.checkPaths(command.options.reports)
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
        if options.printsTemplate {
            try environment.stdout.write(CaseFile.template(of: preparation.declarations(patterns)))
            return .success
        }
        // Before `prepare()`: glibc can't start the signal thread while a library is being loaded.
        environment.watchSignals(Self.cleanUpTime)
        if !options.call.sample { environment.transport.prepare() }
        let checks = try options.cases.map { try preparation.cases($0) } ?? preparation.checks(patterns)
        var report = CheckReport(
            tool: context.tool, options: options, baseline: try Baseline(options, environment))
        // Opened before anything is sent: there is no point in checks whose reports can't be written.
        let files = try ReportFiles(options.reports, environment)
        do {
            try await CheckRun(checks: checks, options: options, context: context).carryOut(files.terminal, &report)
            try files.write(report)
            if options.updatesBaseline, !report.isInterrupted { try report.baseline.write(environment.files) }
            // With more parts than checks, some have none.
            if checks.isEmpty, options.shard != nil, !report.isInterrupted { return .success }
            return report.exitCode
        } catch {
            files.discard()
            throw error
        }
    }
}

/// The options of `check`.
struct CheckOptions: Sendable {
    /// How requests are sent.
    var call = CallOptions()

    var strict = false
    var baseline: String?
    var updatesBaseline = false
    var failsOnSkipped = false
    var maxLatency: Duration?

    var includesUnsafe = false
    /// How many checks run at once: enough to keep slow servers busy, few enough not to look like an attack.
    var jobs = min(4 * SystemCall.processorCount, 32)
    var repeats = 1
    /// Checks started each second, at most; nil is no limit.
    var rate: Double?
    var wait: Duration?
    var bail = false
    var shard: Shard?
    /// The file of calls to check instead of the examples.
    var cases: String?
    var printsTemplate = false

    /// The file of each report; `-` is stdout.
    var reports: [ReportKind: String] = [:]
    var help = false

    static let table = OptionTable<CheckOptions>(
        [
            OptionGroup(title: "What fails", options: judging), OptionGroup(title: "What is checked", options: running),
            OptionGroup(title: "Reports", options: reporting),
        ] + CallOptions.sending(\.call)
            + [
                OptionGroup(
                    title: "Help", options: [Option("help", short: "h", HelpCommand.optionHelp) { $0.help = true }])
            ])

    private static let judging: [Option<CheckOptions>] = [
        Option("strict", "keys that are not in the model fail the check") { $0.strict = true },
        Option(
            "baseline", .text("FILE"),
            "keys that are not in the model fail the check, except for those that FILE lists"
        ) { $0.baseline = $1 },
        Option(
            "update-baseline", "write the keys that were found into the baseline", excludes: ["shard"],
            missing: { $0.baseline == nil ? "--baseline FILE" : nil }
        ) { $0.updatesBaseline = true },
        Option("fail-on", .skipped, "exit 1 if a check was skipped") { $0.failsOnSkipped = $1 },
        Option("max-latency", .duration, "a response that takes longer fails the check") { $0.maxLatency = $1 },
    ]

    private static let running: [Option<CheckOptions>] = [
        Option(
            "cases", .text("FILE"), "check the calls in FILE, one after the other, instead of the examples",
            excludes: ["init"]
        ) { $0.cases = $1 },
        Option("init", "print the examples as a file for --cases; send nothing") { $0.printsTemplate = true },
        Option("unsafe", "also send POST, PUT, PATCH and DELETE, which may change data on the server") {
            $0.includesUnsafe = true
        },
        Option("sample", "check the models against the embedded samples: no network, no key") { $0.call.sample = true },
        Option("jobs", .positive, "checks at once; default 4 for each processor, at most 32") { $0.jobs = $1 },
        Option(
            "repeat", .number(1...1_000_000, "a number from 1 to 1000000"),
            "run each check, or the whole file of cases, N times"
        ) {
            $0.repeats = $1
        },
        Option("rate", .number(0.001...1_000_000, "a number from 0.001 to 1000000"), "start at most N checks a second")
        { $0.rate = $1 },
        Option("wait", .duration, "before the first check, wait this long until each server responds") { $0.wait = $1 },
        Option("bail", "stop at the first check that fails") { $0.bail = true },
        Option("shard", .shard, "run only part I of N, to divide the checks between machines") { $0.shard = $1 },
    ]

    private static let reporting: [Option<CheckOptions>] =
        ReportKind.allCases.map { kind in
            Option(kind.option, .text("FILE"), "write \(kind.title) to FILE; -: stdout") { $0.reports[kind] = $1 }
        } + [Option("color", .color, "when to use colour; default auto") { $0.call.color = $1 }]
}

/// One of the parts that checks are divided into.
struct Shard: Sendable {
    /// From 1 to ``count``.
    let number: Int
    let count: Int

    /// Whether the check at that place, from 0, is in this part: every check is in exactly one.
    func includes(_ place: Int) -> Bool { place % count == number - 1 }
}

extension ValueType where Value: Comparable & LosslessStringConvertible & Sendable {
    /// A number in `range`, which `expected` describes.
    fileprivate static func number(_ range: ClosedRange<Value>, _ expected: String) -> ValueType {
        parsed("N", expected: expected) { text in
            Value(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ValueType where Value == Bool {
    fileprivate static let skipped = parsed("skipped", expected: "skipped") { $0 == "skipped" ? true : nil }
}

extension ValueType where Value == Shard {
    fileprivate static let shard = parsed("I/N", expected: "a part such as 1/4") { text in
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], number >= 1, number <= count else {
            return nil
        }
        return Shard(number: number, count: count)
    }
}
