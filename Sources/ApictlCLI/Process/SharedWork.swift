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
    /// If the calling task is cancelled, it goes on waiting. If all waiting tasks have been cancelled, the work is
    /// cancelled too, and then ends soon.
    func wait() async {
        waiterCount.withLock { $0 += 1 }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            let wasLastWaiter = waiterCount.withLock { count in
                count -= 1
                return count == 0
            }
            if wasLastWaiter { task.cancel() }
        }
    }
}
