import EndpointKit
import SystemCalls

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
    /// How many checks run at once; nil is ``defaultJobs``.
    var jobs: Int?
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

    /// Enough to keep slow servers busy, few enough not to look like an attack.
    static var defaultJobs: Int { min(4 * SystemCall.processorCount, 32) }

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
        Option("cases", .text("FILE"), "check the calls in FILE instead of the examples", excludes: ["init"]) {
            $0.cases = $1
        },
        Option("init", "print the examples as a file for --cases; send nothing") { $0.printsTemplate = true },
        Option("unsafe", "also send POST, PUT, PATCH and DELETE, which may change data on the server") {
            $0.includesUnsafe = true
        },
        Option("sample", "check the models against the embedded samples: no network, no key") { $0.call.sample = true },
        Option("jobs", .positive, "checks at once; default 4 for each processor, at most 32") { $0.jobs = $1 },
        Option("repeat", .positive, "run each check N times") { $0.repeats = $1 },
        Option("rate", .rate, "start at most N checks a second") { $0.rate = $1 },
        Option("wait", .duration, "before the first check, wait this long until each server responds") { $0.wait = $1 },
        Option("bail", "stop at the first check that fails") { $0.bail = true },
        Option("shard", .shard, "run only part I of N, to divide the checks between machines") { $0.shard = $1 },
    ]

    private static let reporting: [Option<CheckOptions>] =
        ReportKind.allCases.map { kind in
            Option("report-" + kind.rawValue, .text("FILE"), "write \(kind.title) to FILE; -: stdout") {
                $0.reports[kind] = $1
            }
        } + [Option("color", .color, "when to use colour; default auto") { $0.call.color = $1 }]
}

/// One of the parts that checks are divided into.
struct Shard: Sendable, Equatable {
    /// From 1 to ``count``.
    let number: Int
    let count: Int

    /// The part that `text`, such as `2/5`, names; nil if it names none.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], number >= 1, number <= count else {
            return nil
        }
        (self.number, self.count) = (number, count)
    }

    /// Whether the check at that place, from 0, is in this part: every check is in exactly one.
    func includes(_ place: Int) -> Bool { place % count == number - 1 }
}

extension ValueType where Value == Double {
    fileprivate static let rate = parsed("N", expected: "a number above 0") { text in
        Double(text).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    }
}

extension ValueType where Value == Bool {
    fileprivate static let skipped = parsed("skipped", expected: "skipped") { $0 == "skipped" ? true : nil }
}

extension ValueType where Value == Shard {
    fileprivate static let shard = parsed("I/N", expected: "a part such as 1/4") { Shard($0) }
}
