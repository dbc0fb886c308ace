import Dispatch
import Synchronization
import SystemCalls
import Testing

@testable import ApictlCLI

/// Work that blocks: it has threads of its own, and ends when its caller is cancelled.
struct BlockingWorkTests {
    @Test("More calls can block at once than there are processors")
    func threads() async throws {
        let count = 100
        let started = Mutex(0)
        let allStarted = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await BlockingWork.run {
                        let isLast = started.withLock { started in
                            started += 1
                            return started == count
                        }
                        if isLast { for _ in 0..<count { allStarted.signal() } }
                        allStarted.wait()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(started.withLock { $0 } == count)
    }

    @Test(arguments: [Duration.zero, .milliseconds(50)])
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
