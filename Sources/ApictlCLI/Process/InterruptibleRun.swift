import Synchronization
import SystemCalls

/// Runs the process's work until it ends or a signal interrupts it.
final class InterruptibleRun: Sendable {
    private let interruption: Interruption
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let isWatching = Mutex(false)

    /// Temporary files of `files` are removed if a signal ends the process.
    init(_ files: DiskFileSystem?) {
        interruption = Interruption { files?.temporaries.unlinkAll() }
    }

    /// From now on, signals cancel the run instead of killing the process.
    ///
    /// `cleanUpTime` is how long the run may go on after that.
    func watchSignals(_ cleanUpTime: Duration) {
        isWatching.withLock { isWatching in
            if !isWatching {
                interruption.watch([SIGINT, SIGTERM, SIGHUP], cleanUpTime: cleanUpTime) {
                    self.task.withLock { $0?.cancel() }
                }
            }
            isWatching = true
        }
    }

    /// Runs `work` and ends the process with the exit code that it returns.
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
