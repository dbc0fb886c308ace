import Dispatch
import Synchronization

/// Runs tasks on the thread that waits for their end, so that they need no other.
///
/// While one thread loads a library, glibc lets none begin: a task that needed one would start only then.
final class WaitingThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let count = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        count.signal()
    }

    /// Makes the calling thread the one that runs what is enqueued.
    func run() -> Never {
        while true {
            count.wait()
            let job = jobs.withLock { $0.removeFirst() }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
