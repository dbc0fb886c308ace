import Synchronization
import SystemCalls

/// Work that blocks its thread, such as waiting for a program.
///
/// There are only as many of Swift's own threads as processors. One that blocks stops other tasks.
enum BlockingWork {
    /// Runs `work` on a thread of its own and returns its result, without blocking the caller's thread.
    ///
    /// Cancelling the calling task makes `Task.isCancelled` true in `work`.
    ///
    /// - Throws: ``SystemError`` if the system starts no thread, and what `work` throws.
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

/// The task of a thread that may be cancelled before it has one.
private final class CancellableThread: Sendable {
    private enum State {
        case waiting
        case running(Task<Void, Never>)
        case cancelled
    }

    private let state = Mutex(State.waiting)

    func setTask(_ task: Task<Void, Never>) {
        state.withLock { state in
            if case .cancelled = state { task.cancel() } else { state = .running(task) }
        }
    }

    func cancel() {
        state.withLock { state in
            if case .running(let task) = state { task.cancel() }
            state = .cancelled
        }
    }
}
