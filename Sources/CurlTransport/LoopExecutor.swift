/// Runs tasks on the thread that carries a transport's transfers.
///
/// A task that waits to run holds its executor, and that the loop: the thread does not end before.
final class LoopExecutor: TaskExecutor {
    private let loop: CurlLoop

    init(_ loop: CurlLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) { loop.post(.run(UnownedJob(job), self)) }
}
