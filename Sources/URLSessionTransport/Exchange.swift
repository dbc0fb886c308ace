import EndpointKit
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request and its response: the delegate's callbacks go in, what the caller waits for comes out.
final class Exchange: Sendable {
    private struct State {
        var task: URLSessionTask?
        var head: ResponseHead?
        /// The bytes of the body that have arrived and were not read yet.
        var buffer: [UInt8] = []
        var isPaused = false
        /// How the transfer ended; it is set once.
        var ending: Result<Void, any Error>?
        var headWaiter: CheckedContinuation<ResponseHead, any Error>?
        /// In the order in which they began to wait.
        var bodyWaiters: [CheckedContinuation<[UInt8]?, any Error>] = []
        var deadline: Task<Void, Never>?
    }

    private let server: TransportError.Peer
    private let bufferLimit: Int
    private let state = Mutex(State())

    init(server: TransportError.Peer, bufferLimit: Int) {
        self.server = server
        self.bufferLimit = bufferLimit
    }

    // MARK: For the caller

    /// Starts `task` and waits for the headers of the final response.
    ///
    /// - Parameters:
    ///   - task: The task, which has not been started yet.
    ///   - options: The options of the transfer, whose time limit starts now.
    /// - Throws: The error that ends the transfer, also `CancellationError` if it was stopped.
    func start(_ task: URLSessionTask, _ options: TransferOptions) async throws -> ResponseHead {
        // The caller may have been cancelled before this call.
        let isStopped = state.withLock { state in
            state.task = task
            return state.ending != nil
        }
        if isStopped { task.cancel() } else { task.resume() }
        if let remaining = options.remainingTime { setDeadline(after: remaining, options.maxTime) }
        return try await withCheckedThrowingContinuation { continuation in
            let outcome: Result<ResponseHead, any Error>? = state.withLock { state in
                if case .failure(let error) = state.ending { return .failure(error) }
                if let head = state.head { return .success(head) }
                state.headWaiter = continuation
                return nil
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// Returns all bytes of the body that have arrived and were not read yet, and waits if there are none.
    ///
    /// - Returns: Nil at the end of the body.
    /// - Throws: The error that ends the transfer.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state in
                    let outcome = Self.takeBody(&state)
                    if outcome == nil { state.bodyWaiters.append(continuation) }
                    // With the lock held, as in `receive(_:)`, so that suspending and resuming reach the task in order.
                    if state.isPaused { state.task?.resume() }
                    state.isPaused = false
                    return outcome
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            stop(CancellationError())
        }
    }

    /// Stops the transfer: every waiter gets `error` at once. Does nothing if the response is complete.
    func stop(_ error: any Error) {
        end(.failure(error))?.cancel()
    }

    /// Stops the transfer if it has not ended after `remaining`.
    ///
    /// - Parameter maxTime: The limit to name in the error.
    private func setDeadline(after remaining: Duration, _ maxTime: Duration?) {
        let deadline = Task { [self] in
            do { try await Task.sleep(for: remaining) } catch { return }
            stop(TransportError(.timedOut(.whole(maxTime)), server: server))
        }
        let isOver = state.withLock { state in
            if state.ending == nil { state.deadline = deadline }
            return state.ending != nil
        }
        if isOver { deadline.cancel() }
    }

    // MARK: For the delegate

    /// Takes the headers of a response; interim responses (1xx) are skipped.
    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            return stop(TransportError(.malformedResponse, server: server))
        }
        guard response.statusCode >= 200 else { return }
        let head = ResponseHead(response)
        let waiter = state.withLock { state in
            state.head = head
            let waiter = state.headWaiter
            state.headWaiter = nil
            return waiter
        }
        waiter?.resume(returning: head)
    }

    /// Takes a chunk of the response's body from URLSession: passes it to a task that waits for bytes, or keeps it.
    ///
    /// With more than `bufferLimit` bytes kept the transfer pauses, so that memory stays bounded. On Linux, where
    /// URLSession can't pause, it fails.
    func receive(_ data: Data) {
        var isTooMuch = false
        let waiter = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
            guard state.ending == nil, state.head != nil else { return nil }
            if !state.bodyWaiters.isEmpty { return state.bodyWaiters.removeFirst() }
            state.buffer.append(contentsOf: data)
            let isFull = state.buffer.count > bufferLimit && !state.isPaused
            if isFull, Platform.canPause {
                state.isPaused = true
                state.task?.suspend()
            }
            isTooMuch = isFull && !Platform.canPause
            return nil
        }
        waiter?.resume(returning: [UInt8](data))
        if isTooMuch {
            let problem = "more than \(bufferLimit) bytes of the response wait to be read"
            stop(TransportError(.other, server: server, detail: problem))
        }
    }

    /// Takes the end of the transfer.
    ///
    /// - Parameters:
    ///   - response: The task's response, if there is one.
    ///   - error: The error that URLSession ended it with; nil if it is complete.
    func finish(_ response: URLResponse?, _ error: (any Error)?) {
        if let error {
            if (error as? URLError)?.code == .cancelled {
                end(.failure(CancellationError()))
            } else {
                end(.failure(TransportError(error, server: server)))
            }
            return
        }
        // On Linux a redirect without a Location is not reported earlier.
        if let response, state.withLock({ $0.head == nil }) { receive(response) }
        let hasHead = state.withLock { $0.head != nil }
        if hasHead {
            end(.success(()))
        } else {
            end(.failure(TransportError(.malformedResponse, server: server)))
        }
    }

    // MARK: State

    /// Notes how the transfer ended and resumes all waiters.
    ///
    /// - Returns: The task, to cancel it; nil if the transfer had ended before.
    @discardableResult
    private func end(_ ending: Result<Void, any Error>) -> URLSessionTask? {
        let old: State? = state.withLock { state in
            guard state.ending == nil else { return nil }
            state.ending = ending
            if case .failure(is CancellationError) = ending { state.buffer = [] }
            let old = state
            state.headWaiter = nil
            state.bodyWaiters = []
            state.deadline = nil
            state.task = nil
            return old
        }
        guard let old else { return nil }
        old.deadline?.cancel()
        if case .failure(let error) = ending { old.headWaiter?.resume(throwing: error) }
        // A reader waits only while the buffer is empty.
        for waiter in old.bodyWaiters { waiter.resume(with: ending.map { nil }) }
        return old.task
    }

    /// Takes the bytes that have arrived, else the end.
    ///
    /// - Returns: Nil if there is neither yet.
    private static func takeBody(_ state: inout State) -> Result<[UInt8]?, any Error>? {
        if !state.buffer.isEmpty {
            defer { state.buffer = [] }
            return .success(state.buffer)
        }
        return state.ending.map { ending in ending.map { nil } }
    }
}

extension ResponseHead {
    /// The head as far as URLSession reports it: no version, no reason phrase, the headers sorted by name.
    fileprivate init(_ response: HTTPURLResponse) {
        let fields = response.allHeaderFields.map { HTTPField("\($0.key)", "\($0.value)") }
        self.init(
            version: "", status: response.statusCode,
            fields: fields.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) })
    }
}
