import Dispatch
import Locking

/// Threads that can be waited for together.
package final class ThreadGroup: Sendable {
    private let running = Lock<[pthread_t]>([])
    /// Signalled when a thread ends.
    private let ended = DispatchSemaphore(value: 0)

    package init() {}

    /// The number of threads that are running.
    package var count: Int { running.withLock(\.count) }

    /// Runs `body` on a new thread of the group.
    ///
    /// - Throws: ``SystemError`` if the system can't start a thread.
    package func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        // The list is locked until the new thread is in it, because the thread may end at once and leave the list.
        try running.withLock { running throws(SystemError) in
            let thread = try SystemThread.start {
                body()
                self.running.withLock { $0.removeAll(where: Self.isCurrent) }
                self.ended.signal()
            }
            running.append(thread)
        }
    }

    /// Waits until no thread of the group runs except, perhaps, the calling one.
    package func waitForOthers() {
        while isAnyOtherRunning {
            // With a timeout, because another waiter may have received the signal of the last thread.
            _ = ended.wait(timeout: .now() + 0.05)
        }
    }

    /// Whether a thread of the group is running that is not the calling one.
    private var isAnyOtherRunning: Bool { running.withLock { !$0.allSatisfy(Self.isCurrent) } }

    private static func isCurrent(_ thread: pthread_t) -> Bool { pthread_equal(thread, pthread_self()) != 0 }
}
