import Dispatch
import Synchronization

/// An executor that runs a task on the thread that waits for the task's end.
///
/// This needs no other thread. While a library is being loaded, glibc starts no new threads, which would delay a task
/// on Swift's own threads.
final class WaitingThread: TaskExecutor {
    /// The jobs that have not run.
    private let jobs = Mutex<[UnownedJob]>([])
    /// Counts the jobs that have not run.
    private let jobCount = DispatchSemaphore(value: 0)

    /// Adds a job of the task. Swift calls this function from any thread, whenever the task can go on.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        jobCount.signal()
    }

    /// Runs work on the calling thread, which it blocks, and returns the result of the work.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - started: Receives the task of the work before the work begins, so that the task can be cancelled.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value, started: (Task<Void, Never>) -> Void = { _ in }
    ) -> Value {
        let thread = WaitingThread()
        let result = ResultBox<Value>()
        let task = Task(executorPreference: thread) {
            let value = await work()
            result.value.withLock { $0 = value }
        }
        started(task)
        while true {
            // The thread sleeps until the task has a job. The last job sets the result.
            thread.jobCount.wait()
            let job = thread.jobs.withLock { $0.removeFirst() }
            job.runSynchronously(on: thread.asUnownedTaskExecutor())
            if let value = result.value.withLock({ $0 }) { return value }
        }
    }

    /// The result of the work; nil until the work has ended.
    private final class ResultBox<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}
