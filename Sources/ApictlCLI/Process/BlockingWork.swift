import Synchronization
import SystemCalls

/// Runs work that blocks its thread, such as waiting for a program.
///
/// The threads of Swift's own tasks must not run such work. There are only as many of these threads as processors,
/// so a blocked one keeps other tasks from running.
enum BlockingWork {
    /// Runs work on a new thread and returns its result. The caller waits without blocking its thread.
    ///
    /// If the calling task is cancelled, `Task.isCancelled` becomes true in the work. The work has to notice that and
    /// end.
    ///
    /// - Parameter work: The work, which is carried out as a task of the new thread.
    /// - Throws: ``SystemError`` if the system starts no thread, and the errors of the work.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let cancellation = ThreadCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in
                startThread(running: work, cancellation: cancellation, resuming: caller)
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Starts a thread that runs work and then resumes the caller with the result. If the system starts no thread,
    /// resumes the caller with the error.
    ///
    /// - Parameters:
    ///   - work: The work, which is carried out as a task of the new thread.
    ///   - cancellation: Gets that task, to cancel it.
    ///   - caller: The caller, which waits for the result.
    private static func startThread<Value: Sendable>(
        running work: @escaping @Sendable () throws -> Value, cancellation: ThreadCancellation,
        resuming caller: CheckedContinuation<Value, any Error>
    ) {
        do {
            try SystemThread.start {
                let result = WaitingThread.run({ Result { try work() } }, started: cancellation.setTask)
                caller.resume(with: result)
            }
        } catch {
            caller.resume(throwing: error)
        }
    }
}

/// Cancels the task of a thread, at any time, even before the thread has started.
private final class ThreadCancellation: Sendable {
    private enum State {
        /// The thread has not started, so that its task is not known yet.
        case waiting
        /// The thread carries out a task.
        case running(Task<Void, Never>)
        case cancelled
    }

    private let state = Mutex(State.waiting)

    /// Sets the task that the thread carries out, once it has started. Cancels the task if ``cancel()`` came first.
    func setTask(_ task: Task<Void, Never>) {
        state.withLock { state in
            if case .cancelled = state {
                task.cancel()
            } else {
                state = .running(task)
            }
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
