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
        // The lock is held until the new thread is listed, so that it cannot end unlisted.
        try running.withLock { running throws(SystemError) in
            running.append(
                try SystemThread.start {
                    body()
                    self.running.withLock { $0.removeAll(where: Self.isCurrent) }
                    self.ended.signal()
                })
        }
    }

    /// Waits until no thread of the group runs except, perhaps, the calling one.
    package func waitForOthers() {
        // Another waiter may have taken the signal.
        while running.withLock({ !$0.allSatisfy(Self.isCurrent) }) { _ = ended.wait(timeout: .now() + 0.05) }
    }

    private static func isCurrent(_ thread: pthread_t) -> Bool { pthread_equal(thread, pthread_self()) != 0 }
}
