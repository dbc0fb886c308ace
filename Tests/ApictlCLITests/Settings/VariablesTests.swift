import EndpointKit
import Synchronization
import Testing

@testable import ApictlCLI

/// Programs that give credentials: several calls share one run, and no call stops the others.
struct VariablesTests {
    /// A program that gives the value of the variable `KEY`.
    private final class Program: Sendable {
        /// The number of times that the program was run.
        let runs = Mutex(0)

        /// Returns variables whose program takes some time, and prints `value 1` in its first run.
        func variables(_ time: Duration) -> Variables {
            var environment = ProcessEnvironment.test()
            environment.commandOutput = { [self] _, _ in
                let number = runs.withLock { runs in
                    runs += 1
                    return runs
                }
                try await Task.sleep(for: time)
                return "value \(number)\n".exactBytes
            }
            return Variables(environment, files: [:], sources: ["KEY": .command(["p"])])
        }
    }

    /// A deadline that no test reaches.
    private static var soon: ContinuousClock.Instant { .now + .seconds(60) }

    @Test("Several calls share one run of the program")
    func severalCallsShareOneRun() async throws {
        let program = Program()
        let variables = program.variables(.milliseconds(50))
        #expect(variables.value("KEY") == nil && variables.mustBeLoaded("KEY") && variables.hasValue("KEY"))
        let values = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await variables.load("KEY", until: Self.soon)
                    return variables.value("KEY")
                }
            }
            return try await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(values == Array(repeating: "value 1", count: 20))
        #expect(program.runs.withLock { $0 } == 1 && !variables.mustBeLoaded("KEY"))
    }

    @Test("A call that is cancelled ends; the others get the value of the same run")
    func oneIsCancelled() async throws {
        let program = Program()
        let variables = program.variables(.milliseconds(200))
        let cancelled = Task { try await variables.load("KEY", until: Self.soon) }
        let other = Task { try await variables.load("KEY", until: Self.soon) }
        try await Task.sleep(for: .milliseconds(50))
        cancelled.cancel()
        try await other.value
        #expect(variables.value("KEY") == "value 1" && program.runs.withLock { $0 } == 1)
    }

    @Test("A program for which nobody waits any more is ended, and is run again for the next call")
    func allAreCancelled() async throws {
        let program = Program()
        let variables = program.variables(.milliseconds(500))
        let calls = (0..<3).map { _ in Task { try await variables.load("KEY", until: Self.soon) } }
        try await Task.sleep(for: .milliseconds(50))
        for call in calls { call.cancel() }
        for call in calls {
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        #expect(variables.mustBeLoaded("KEY") && variables.failure == nil)
        try await variables.load("KEY", until: Self.soon)
        #expect(variables.value("KEY") == "value 2")
    }

    @Test("A source that failed is not asked again, and its failure says why")
    func failure() async throws {
        let variables = Variables(.test(), files: [:], sources: ["KEY": .command(["p"])])
        try await variables.load("KEY", until: Self.soon)
        #expect(variables.value("KEY") == nil && !variables.mustBeLoaded("KEY"))
        #expect(variables.failure?.sentence == "no value for KEY from command p: programs can't be run here")
    }
}
