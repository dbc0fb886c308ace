/// Runs tasks in parallel and hands out their results in order, as soon as they are known.
struct OrderedTasks: Sendable {
    /// How many run at once, at most.
    let jobs: Int
    /// How many are started each second, at most; nil is no limit.
    var rate: Double?

    /// Results that wait for an earlier one, at most, for each job: a slow task must not let the others fill the memory.
    private static let waitingPerJob = 16

    /// Runs `work` for the numbers below `count`, and passes each result to `receive`, which returns whether to continue.
    ///
    /// After that, and if the task is cancelled, running work is cancelled and nothing more is started; `receive` gets nil for what did not
    /// come to an end.
    func run<Result: Sendable>(
        _ count: Int, work: @escaping @Sendable (Int) async throws(CancellationError) -> Result,
        receive: (Int, Result?) throws -> Bool
    ) async throws {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: (Int, Result?).self) { group in
            var (started, received) = (0, 0)
            var waiting: [Int: Result?] = [:]
            var continues = true
            var running = 0
            while true {
                while continues, !Task.isCancelled, running < jobs, started < count,
                    started < received + jobs * Self.waitingPerJob
                {
                    let number = started
                    let delay = rate.map { Duration.seconds(Double(number) / $0) }
                    // On all processors: the run itself has a single thread.
                    group.addTask(executorPreference: globalConcurrentExecutor) {
                        do {
                            if let delay { try await Task.sleep(until: start + delay, clock: .continuous) }
                            return (number, try await work(number))
                        } catch is CancellationError {
                            return (number, nil)
                        }
                    }
                    started += 1
                    running += 1
                }
                guard let (number, result) = try await group.next() else { break }
                running -= 1
                waiting[number] = .some(result)
                while let result = waiting.removeValue(forKey: received) {
                    let wantsMore = try receive(received, result)
                    received += 1
                    if !wantsMore, continues {
                        continues = false
                        group.cancelAll()
                    }
                }
            }
            while received < count {
                _ = try receive(received, nil)
                received += 1
            }
        }
    }
}
