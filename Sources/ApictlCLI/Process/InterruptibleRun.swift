import Synchronization
import SystemCalls

/// What the process does until its exit code is known, or a signal ends it.
final class InterruptibleRun: Sendable {
    private let interruption: Interruption
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let isWatching = Mutex(false)

    /// Files that are begun in `files` go away with the process.
    init(_ files: DiskFileSystem?) {
        interruption = Interruption { files?.temporaries.unlinkAll() }
    }

    /// Has signals end the run and no longer the process.
    func watchSignals() {
        isWatching.withLock { isWatching in
            if !isWatching { interruption.watch([SIGINT, SIGTERM, SIGHUP]) { self.task.withLock { $0?.cancel() } } }
            isWatching = true
        }
    }

    /// Ends the process with the exit code that `work` comes to.
    func carryOut(_ work: @escaping @Sendable () async -> Int32) -> Never {
        let thread = WaitingThread()
        task.withLock { task in
            task = Task(executorPreference: thread) {
                let code = await work()
                SystemCall.endProcess(self.interruption.exitCode ?? code)
            }
        }
        thread.run()
    }
}
