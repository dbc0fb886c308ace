import Synchronization
import SystemCalls

/// Work that blocks its thread, such as waiting for a program.
///
/// It must not run on the threads of Swift's own tasks. There are only as many of them as processors, so a blocked
/// one keeps other tasks from running.
enum BlockingWork {
    /// Runs work on a new thread and returns its result. The caller waits without blocking its thread.
    ///
    /// If the calling task is cancelled, `Task.isCancelled` becomes true in the work. The work has to notice that and
    /// end.
    ///
    /// - Throws: ``SystemError`` if the system starts no thread, and the errors of the work.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let thread = CancellableThread()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                do {
                    try SystemThread.start {
                        let result = WaitingThread.run({ Result { try work() } }, started: thread.setTask)
                        continuation.resume(with: result)
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            thread.cancel()
        }
    }
}

/// The work of a thread, which can be cancelled at any time, even before the thread has started.
private final class CancellableThread: Sendable {
    private enum State {
        /// The thread has not started.
        case waiting
        /// The thread carries out a task.
        case running(Task<Void, Never>)
        case cancelled
    }

    private let state = Mutex(State.waiting)

    /// Sets the task that the thread carries out, once it has started. Cancels the task if ``cancel()`` came first.
    func setTask(_ task: Task<Void, Never>) {
        state.withLock { state in
            if case .cancelled = state { task.cancel() } else { state = .running(task) }
        }
    }

    /// Cancels the task of the thread. If the thread has not started, its task is cancelled as soon as it does.
    func cancel() {
        state.withLock { state in
            if case .running(let task) = state { task.cancel() }
            state = .cancelled
        }
    }
}
