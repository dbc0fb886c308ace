import EndpointKit

/// Carries out the checks of a command.
struct CheckRun {
    let cases: [CheckCase]
    let options: CheckOptions
    let baseline: Baseline?
    let context: RunContext

    /// Runs all checks, prints each on `output` once those before it are done, and returns the whole and the keys that were not in the models.
    ///
    /// Throws what `output` does.
    func carryOut(on output: any ByteOutput) async throws -> (report: CheckReport, drift: DriftLedger) {
        var collector = CheckCollector(cases: cases, options: options, baseline: baseline)
        let terminal = TerminalReport(
            output: output, isColored: context.environment.palette(options.call.color, for: output) != nil,
            isGitHub: GitHubReport.isRead(context.environment),
            showsProgress: output.isTerminal && context.environment.variable("TERM") != "dumb", cases: cases)
        let start = ContinuousClock.now
        await waitForServers()
        let (cases, repeats) = (cases, options.repeats)
        let tasks = OrderedTasks(jobs: options.jobs ?? CheckOptions.defaultJobs, rate: options.rate)
        let total = cases.count * repeats
        var failed = 0
        try terminal.showProgress(0, of: total, failed: 0)
        try await tasks.run(total) { number throws(CancellationError) in
            try await CheckedCall(cases[number / repeats])
        } receive: { number, call in
            let continues = collector.add(number / repeats, run: number % repeats + 1, call)
            try terminal.show(collector.records[number])
            let next = (number + 1) / repeats
            if next == cases.count || cases[next].name != cases[number / repeats].name {
                try terminal.show(notes: collector.endEndpoint())
            }
            if collector.records[number].outcome.verdict == .failed { failed += 1 }
            try terminal.showProgress(number + 1, of: total, failed: failed)
            return continues
        }
        let report = collector.report(
            time: ContinuousClock.now - start, isInterrupted: Task.isCancelled, context: context)
        try terminal.summarize(report)
        return (report, collector.drift)
    }

    /// `--wait`: returns once each server has responded to something, or the time is over.
    private func waitForServers() async {
        guard let wait = options.wait, !options.call.sample else { return }
        let deadline = ContinuousClock.now + wait
        var known: Set<String> = []
        for case .send(let check, let client) in cases.lazy.map(\.action)
        where known.insert(check.request.base.text).inserted {
            await ServerProbe(request: check.request, client: client).wait(until: deadline)
        }
    }
}
