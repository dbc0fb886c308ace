import EndpointKit
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request and its answer: what the delegate is told goes in, what the caller waits for comes out.
final class Exchange: Sendable {
    private struct State {
        var task: URLSessionTask?
        var head: ResponseHead?
        /// What has come of the body and was not asked for yet.
        var buffer: [UInt8] = []
        var isPaused = false
        /// Set once: the answer is whole, or what stopped it.
        var ending: Result<Void, any Error>?
        var headWaiter: CheckedContinuation<ResponseHead, any Error>?
        var bodyWaiter: CheckedContinuation<[UInt8]?, any Error>?
        var deadline: Task<Void, Never>?
    }

    /// The server in messages, such as `127.0.0.1 port 9`.
    let server: String
    private let bufferLimit: Int
    private let state = Mutex(State())

    init(server: String, bufferLimit: Int) {
        self.server = server
        self.bufferLimit = bufferLimit
    }

    // MARK: For the caller

    /// Starts `task` and waits for the head of the final answer.
    func start(_ task: URLSessionTask, maxTime: Duration?) async throws -> ResponseHead {
        let isStopped = state.withLock { state in
            state.task = task
            return state.ending != nil
        }
        if isStopped { task.cancel() } else { task.resume() }
        if let maxTime { setDeadline(maxTime) }
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

    /// The next bytes of the body, all that are there; nil at the end.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state in
                    let outcome = Self.takeBody(&state)
                    if outcome == nil { state.bodyWaiter = continuation }
                    Self.unpause(&state)
                    return outcome
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            stop(CancellationError())
        }
    }

    /// Stops the transfer; whoever waits gets `error` at once. Does nothing when the answer is whole.
    func stop(_ error: any Error) {
        end(.failure(error))?.cancel()
    }

    private func setDeadline(_ maxTime: Duration) {
        let deadline = Task { [self] in
            do { try await Task.sleep(for: maxTime) } catch { return }
            stop(TransportError(.timedOut, "\(server) took longer than \(maxTime)"))
        }
        let isOver = state.withLock { state in
            if state.ending == nil { state.deadline = deadline }
            return state.ending != nil
        }
        if isOver { deadline.cancel() }
    }

    // MARK: For the delegate

    /// Takes the head of an answer; interim ones (1xx) are not the caller's.
    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            stop(TransportFailure.notHTTP.error(server))
            return
        }
        guard response.statusCode >= 200 else { return }
        let head = ResponseHead(response)
        let waiter = state.withLock { state in
            state.head = head
            defer { state.headWaiter = nil }
            return state.headWaiter
        }
        waiter?.resume(returning: head)
    }

    /// Takes a piece of the body.
    func receive(_ data: Data) {
        var isTooMuch = false
        let waiter = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
            guard state.ending == nil, state.head != nil else { return nil }
            if let waiter = state.bodyWaiter {
                state.bodyWaiter = nil
                return waiter
            }
            state.buffer.append(contentsOf: data)
            if state.buffer.count > bufferLimit {
                isTooMuch = !Platform.canPause
                Self.pause(&state)
            }
            return nil
        }
        waiter?.resume(returning: [UInt8](data))
        if isTooMuch {
            stop(TransportError(.other, "more than \(bufferLimit) bytes of the answer of \(server) wait to be read"))
        }
    }

    /// Takes the end of the transfer; `response` is the answer's as the task knows it.
    func finish(_ response: URLResponse?, _ error: (any Error)?) {
        if let error {
            let afterHead = state.withLock { $0.head != nil }
            let isCancelled = (error as? URLError)?.code == .cancelled
            end(
                .failure(
                    isCancelled ? CancellationError() : TransportError(error, server: server, afterHead: afterHead)))
            return
        }
        // A redirect without a place to go is never announced on Linux.
        if let response, state.withLock({ $0.head == nil }) { receive(response) }
        let isAnswered = state.withLock { $0.head != nil }
        end(isAnswered ? .success(()) : .failure(TransportFailure.notHTTP.error(server)))
    }

    // MARK: State

    /// Notes how the transfer ended and wakes who waits; the task where this was the end.
    @discardableResult
    private func end(_ ending: Result<Void, any Error>) -> URLSessionTask? {
        let (old, body) = state.withLock { state -> (State?, Result<[UInt8]?, any Error>?) in
            guard state.ending == nil else { return (nil, nil) }
            state.ending = ending
            if case .failure(is CancellationError) = ending { state.buffer = [] }
            let old = state
            state.headWaiter = nil
            state.bodyWaiter = nil
            state.deadline = nil
            state.task = nil
            return (old, old.bodyWaiter == nil ? nil : Self.takeBody(&state))
        }
        guard let old else { return nil }
        old.deadline?.cancel()
        if case .failure(let error) = ending { old.headWaiter?.resume(throwing: error) }
        if let body { old.bodyWaiter?.resume(with: body) }
        return old.task
    }

    /// What there is for who asks for the body: bytes that have come, else the end, else nothing yet.
    private static func takeBody(_ state: inout State) -> Result<[UInt8]?, any Error>? {
        if !state.buffer.isEmpty {
            defer { state.buffer = [] }
            return .success(state.buffer)
        }
        return state.ending.map { ending in ending.map { nil } }
    }

    // Both are called with the lock held: the other way round they could reach the task in the wrong order.

    private static func pause(_ state: inout State) {
        guard Platform.canPause, !state.isPaused else { return }
        state.isPaused = true
        state.task?.suspend()
    }

    private static func unpause(_ state: inout State) {
        guard state.isPaused else { return }
        state.isPaused = false
        state.task?.resume()
    }
}

extension ResponseHead {
    /// The head as far as URLSession tells: no version, no reason phrase, the fields sorted by name.
    fileprivate init(_ response: HTTPURLResponse) {
        let fields = response.allHeaderFields.map { Field("\($0.key)", "\($0.value)") }
        self.init(
            version: "", status: response.statusCode,
            fields: fields.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) })
    }
}
