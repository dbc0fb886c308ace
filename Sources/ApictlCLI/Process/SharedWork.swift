import Synchronization

/// Work that is done once for everybody who waits for it at the same time.
final class SharedWork: Sendable {
    private let task: Task<Void, Never>
    private let waiters = Mutex(0)

    /// Starts `work`.
    init(_ work: @escaping @Sendable () async -> Void) { task = Task { await work() } }

    /// Waits for the end of the work. The work is cancelled once everybody who waits for it is.
    func wait() async {
        waiters.withLock { $0 += 1 }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            let isLast = waiters.withLock { waiters in
                waiters -= 1
                return waiters == 0
            }
            if isLast { task.cancel() }
        }
    }
}
