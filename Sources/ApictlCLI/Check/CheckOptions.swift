import EndpointKit
import SystemCalls

/// The options of `check`, in the groups of its help page.
struct CheckOptions: CommandOptions {
    /// How requests are sent.
    var call = CallOptions()
    var judging = JudgingOptions()
    var running = RunningOptions()
    var reports = ReportOptions()

    var common: CommonOptions {
        get { call.common }
        set { call.common = newValue }
    }

    /// The options that decide whether a check fails.
    struct JudgingOptions: Sendable {
        /// Whether keys that the model does not have fail a check.
        var strict = false
        /// The file with the keys that are known.
        var baseline: SourcedText?
        /// Whether the keys that were found are written into the baseline (`--update-baseline`).
        var updatesBaseline = false
        /// Whether a check that is skipped fails (`--fail-on-skipped`).
        var failsOnSkipped = false
        /// The longest time that a response may take; nil is no limit.
        var maxLatency: Duration?
    }

    /// The options that choose the checks, and how they run.
    struct RunningOptions: Sendable {
        /// The document that is compared with the endpoints, so that nothing is sent; nil if requests are checked.
        var document: DocumentSource?
        /// The files of `--cases`; without any, the examples are checked.
        var cases: [SourcedText] = []
        /// The names of the cases to check, with wildcards; without any, all are checked.
        var caseNames: [String] = []
        /// The number that decides the random values of cases; nil chooses one.
        var seed: Int?
        /// Whether the examples are printed as a file of cases (`--init`).
        var printsTemplate = false
        /// Whether requests are sent that may change data (`--unsafe`).
        var includesUnsafe = false
        /// How many checks run at once: enough to keep slow servers busy, few enough not to look like an attack.
        var jobs = min(4 * SystemCall.processorCount, 32)
        /// How long to wait for the servers before the first check; nil without `--wait`.
        var wait: Duration?
        /// Whether the first check that fails ends the run.
        var bail = false
        /// The part of the checks that is run; nil is all of them.
        var shard: CheckShard?
    }

    /// The options of reports.
    struct ReportOptions: Sendable {
        /// The files of the reports; `-` is stdout.
        var files: [ReportKind: String] = [:]
        /// The directory of `--save-responses`.
        var responses: String?
        /// Whether the optional keys that no response had are named (`--verbose`).
        var namesAbsent = false
    }
}

extension CheckOptions {
    static let table = OptionTable<CheckOptions>(
        command: [
            OptionGroup(title: "What fails", options: judgingOptions),
            OptionGroup(title: "What is checked", options: runningOptions),
            OptionGroup(title: "Reports", options: reportOptions + evidenceOptions),
        ] + CallOptions.sending(\.call))

    /// The options that `import` has too if it compares a document with endpoints: those of the baseline, and all
    /// reports except for the archive of exchanges.
    static let documentOptions =
        judgingOptions.filter { $0.spec.name.hasSuffix("baseline") }
        + reportOptions.filter { $0.spec.name != ReportKind.har.option }

    private static let judgingOptions: [Option<CheckOptions>] = [
        Option("strict", \.judging.strict, "keys that are not in the model fail the check"),
        Option(
            "baseline", .word("FILE", completion: .files), \.judging.baseline,
            "like --strict, except for keys that FILE (-: stdin) lists"),
        Option(
            "update-baseline", \.judging.updatesBaseline, "write the keys that were found into the baseline"
        ).excluding("shard").needing("baseline"),
        Option("fail-on-skipped", \.judging.failsOnSkipped, "a check that is skipped fails"),
        Option("fail-on", skippedWord, "the same as --fail-on-skipped") { $0.judging.failsOnSkipped = $1 }.rarelyUsed(),
        Option("max-latency", .duration, \.judging.maxLatency, "a response that takes longer fails the check")
            .rarelyUsed(),
    ]

    /// The type of the value of `--fail-on`. The only word is `skipped`, which stands for true.
    private static let skippedWord = OptionValueType<Bool>.parsed(
        "skipped", expected: "skipped", completion: .values(["skipped"])
    ) { word in word == "skipped" ? true : nil }

    private static let runningOptions: [Option<CheckOptions>] = [
        Option(
            "document", .source, \.running.document,
            "compare the endpoints with an OpenAPI document instead of sending requests; --strict: in both directions"
        ).excluding(
            "cases", "init", "unsafe", "sample", "jobs", "wait", "bail", "shard", "max-latency", "save-responses",
            "verbose", ReportKind.har.option),
        Option(
            "cases", .word("FILE", completion: .files),
            "check the calls in FILE (-: stdin), one after the other, instead of the examples; "
                + "repeatable: files run side by side"
        ) { $0.running.cases.append($1) }.excluding("init"),
        Option(
            "case", .text("NAME"),
            "only cases of that name (glob: * and ?), those they capture from, setup and cleanup; repeatable"
        ) { $0.running.caseNames.append($1) }.needing("cases").rarelyUsed(),
        Option(
            "seed", .count, \.running.seed,
            "the seed of random values in cases; the same seed repeats them, but not those of the clock"
        ).needing("cases").rarelyUsed(),
        Option(
            "init", \.running.printsTemplate,
            "print a file for --cases, with a case for each endpoint; send nothing"),
        Option(
            "unsafe", \.running.includesUnsafe, "also send POST, PUT, PATCH and DELETE, which may change data"),
        Option(
            "sample", \.call.purpose, on: .sample, off: .send,
            "check the models against the embedded samples: no network, no key"),
        Option("jobs", .positive, "how many checks run at once; default 4 for each processor, at most 32") {
            $0.running.jobs = $1
        }.rarelyUsed(),
        Option(
            "wait", .duration, \.running.wait, "before the first check, wait this long until each server responds"
        ).rarelyUsed(),
        Option("bail", \.running.bail, "stop at the first check that fails").rarelyUsed(),
        Option(
            "shard", .parsed("I/N", expected: "a part such as 1/4", CheckShard.init), \.running.shard,
            "run only part I of N, to divide the checks between machines"
        ).rarelyUsed(),
    ]

    private static let reportOptions = ReportKind.allCases.map { kind in
        let option = Option<CheckOptions>(kind.option, .file, "write \(kind.title) to FILE; -: stdout") {
            $0.reports.files[kind] = $1
        }
        return kind.isRarelyUsed ? option.rarelyUsed() : option
    }

    private static let evidenceOptions: [Option<CheckOptions>] = [
        Option(
            "save-responses", .directory, \.reports.responses, "write each response that did not pass to DIR"
        ).rarelyUsed(),
        Option(
            "verbose", short: "v", \.reports.namesAbsent, "name the optional keys that were in no response"),
    ]
}
