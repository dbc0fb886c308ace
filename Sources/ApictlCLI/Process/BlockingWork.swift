import Synchronization
import SystemCalls

/// Work that blocks its thread, such as waiting for a program.
///
/// It must not run on Swift's own threads. There are only as many of them as processors, so that one that blocks stops
/// other tasks.
enum BlockingWork {
    /// Runs work on a thread of its own and returns its result, without blocking the caller's thread.
    ///
    /// If the calling task is cancelled, `Task.isCancelled` becomes true in the work.
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

/// A thread whose work can be cancelled, even before the thread has started.
private final class CancellableThread: Sendable {
    private enum State {
        /// The thread has not started.
        case waiting
        /// The thread carries out a task.
        case running(Task<Void, Never>)
        case cancelled
    }

    private let state = Mutex(State.waiting)

    /// Sets the task that the thread carries out.
    func setTask(_ task: Task<Void, Never>) {
        state.withLock { state in
            if case .cancelled = state { task.cancel() } else { state = .running(task) }
        }
    }

    /// Cancels the task of the thread, also one that is set later.
    func cancel() {
        state.withLock { state in
            if case .running(let task) = state { task.cancel() }
            state = .cancelled
        }
    }
}
