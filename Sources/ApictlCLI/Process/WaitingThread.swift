import Dispatch
import Synchronization

/// An executor that runs tasks on the thread that waits for their end.
///
/// glibc starts no new threads while a library is being loaded, which would delay tasks on Swift's own threads.
final class WaitingThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let count = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        count.signal()
    }

    /// Runs enqueued tasks on the calling thread, forever.
    func run() -> Never {
        while true { runNext() }
    }

    /// Runs `work` on the calling thread and returns its result.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
        let thread = WaitingThread()
        let result = Result<Value>()
        Task(executorPreference: thread) {
            let value = await work()
            result.value.withLock { $0 = value }
        }
        while true {
            thread.runNext()
            if let value = result.value.withLock({ $0 }) { return value }
        }
    }

    private final class Result<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    private func runNext() {
        count.wait()
        let job = jobs.withLock { $0.removeFirst() }
        job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
