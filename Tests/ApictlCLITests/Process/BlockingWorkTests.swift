import Dispatch
import Synchronization
import SystemCalls
import Testing

@testable import ApictlCLI

/// Work that blocks has threads of its own, and ends when its caller is cancelled.
struct BlockingWorkTests {
    /// A gate that opens once `count` threads wait at it.
    private final class Gate: Sendable {
        let count: Int
        let arrived = Mutex(0)
        private let opened = DispatchSemaphore(value: 0)

        init(count: Int) { self.count = count }

        func pass() {
            let isLast = arrived.withLock { arrived in
                arrived += 1
                return arrived == count
            }
            if isLast { for _ in 0..<count { opened.signal() } }
            opened.wait()
        }
    }

    @Test("More calls can block at once than there are processors")
    func threads() async throws {
        let gate = Gate(count: 100)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<gate.count { group.addTask { try await BlockingWork.run { gate.pass() } } }
            try await group.waitForAll()
        }
        #expect(gate.arrived.withLock { $0 } == gate.count)
    }

    @Test("Work whose caller is cancelled at once or later notices it", arguments: [Duration.zero, .milliseconds(50)])
    func cancelled(after time: Duration) async throws {
        let task = Task {
            try await BlockingWork.run {
                while !Task.isCancelled { sched_yield() }
                try Task.checkCancellation()
            }
        }
        try await Task.sleep(for: time)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
