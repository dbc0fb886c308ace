import Synchronization

/// Work that is done once, however many tasks wait for it at the same time.
final class SharedWork: Sendable {
    private let task: Task<Void, Never>
    /// The number of tasks that wait and have not been cancelled.
    private let waiterCount = Mutex(0)

    /// Starts the work.
    init(_ work: @escaping @Sendable () async -> Void) { task = Task { await work() } }

    /// Waits for the end of the work.
    ///
    /// A task that is cancelled goes on waiting, but no longer counts. If no task that counts is left, the work is
    /// cancelled too.
    func wait() async {
        waiterCount.withLock { $0 += 1 }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            let isLast = waiterCount.withLock { count in
                count -= 1
                return count == 0
            }
            if isLast { task.cancel() }
        }
    }
}
