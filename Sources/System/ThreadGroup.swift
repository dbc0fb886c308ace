/// Threads that can be waited for together.
///
/// `@unchecked Sendable`: `running` is only read and written while `mutex` is locked.
package final class ThreadGroup: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let someEnded = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var running: [pthread_t] = []

    package init() {
        mutex.initialize(to: pthread_mutex_t())
        someEnded.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(someEnded, nil)
    }

    deinit {
        // Every thread holds the group, so none runs any more.
        pthread_cond_destroy(someEnded)
        pthread_mutex_destroy(mutex)
        someEnded.deallocate()
        mutex.deallocate()
    }

    /// How many threads are running.
    package var count: Int { locked { running.count } }

    /// Runs `body` on a new thread. Throws ``SystemError``.
    package func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        // The lock is held until the new thread is listed, so that it cannot end unlisted.
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        running.append(
            try SystemThread.start {
                body()
                self.currentEnds()
            })
    }

    /// Waits until no thread of the group runs except, perhaps, the calling one.
    package func waitForOthers() {
        locked {
            while running.contains(where: { !Self.isCurrent($0) }) { pthread_cond_wait(someEnded, mutex) }
        }
    }

    private func currentEnds() {
        locked {
            running.removeAll(where: Self.isCurrent)
            pthread_cond_broadcast(someEnded)
        }
    }

    private static func isCurrent(_ thread: pthread_t) -> Bool { pthread_equal(thread, pthread_self()) != 0 }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
