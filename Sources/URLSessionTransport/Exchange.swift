import EndpointKit
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request and its response. The session's delegate passes in what arrives, and the caller waits for it here.
final class Exchange: Sendable {
    private struct State {
        var task: URLSessionTask?
        var head: ResponseHead?
        /// The bytes of the body that have arrived and were not read yet.
        var buffer: [UInt8] = []
        var isPaused = false
        /// How the transfer has ended, or nil if it continues. It is set once.
        var ending: Result<Void, any Error>?
        /// The caller that waits for the response's head.
        var headWaiter: CheckedContinuation<ResponseHead, any Error>?
        /// The callers that wait for bytes of the body, in the order in which they began to wait.
        var bodyWaiters: [CheckedContinuation<[UInt8]?, any Error>] = []
        var deadline: Task<Void, Never>?
    }

    private let server: TransportError.Peer
    private let bufferLimit: Int
    private let onSent: (@Sendable (_ count: Int64, _ total: Int64) -> Void)?
    private let state = Lock(State())

    /// Makes the exchange of one request, which has not been started.
    ///
    /// - Parameters:
    ///   - server: The server, for errors.
    ///   - bufferLimit: The number of bytes of the body that may wait to be read.
    ///   - onSent: Called with the number of bytes of the request's body that have been sent, and with its length.
    init(
        server: TransportError.Peer, bufferLimit: Int,
        onSent: (@Sendable (_ count: Int64, _ total: Int64) -> Void)? = nil
    ) {
        self.server = server
        self.bufferLimit = bufferLimit
        self.onSent = onSent
    }

    // MARK: For the caller

    /// Starts `task` and waits for the headers of the final response.
    ///
    /// - Parameters:
    ///   - task: The task, which has not been started yet.
    ///   - options: The options of the transfer, whose time limit starts now.
    /// - Throws: The error that ends the transfer, also `CancellationError` if it was stopped.
    func start(_ task: URLSessionTask, options: TransferOptions) async throws -> ResponseHead {
        let isStopped = state.withLock { state in
            state.task = task
            return state.ending != nil
        }
        if isStopped {
            // The caller was cancelled before this call.
            task.cancel()
        } else {
            task.resume()
        }
        if let remaining = options.remainingTime { setDeadline(after: remaining, maxTime: options.maxTime) }
        return try await withCheckedThrowingContinuation { awaitHead($0) }
    }

    /// Resumes a waiting caller with the response's head, or with the error of the transfer.
    ///
    /// - Parameter waiter: The caller. It is resumed at once if the head or an error has arrived, and otherwise as soon
    ///   as one of them arrives.
    private func awaitHead(_ waiter: CheckedContinuation<ResponseHead, any Error>) {
        let outcome: Result<ResponseHead, any Error>? = state.withLock { state in
            if case .failure(let error) = state.ending { return .failure(error) }
            if let head = state.head { return .success(head) }
            state.headWaiter = waiter
            return nil
        }
        if let outcome { waiter.resume(with: outcome) }
    }

    /// Returns the bytes of the body that have arrived and were not read yet. If there are none, it waits for more.
    ///
    /// - Returns: The bytes, or nil at the end of the body.
    /// - Throws: The error that ends the transfer.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { awaitBytes($0) }
        } onCancel: {
            stop(CancellationError())
        }
    }

    /// Resumes a waiting caller with the next bytes of the body, with nil at its end, or with the error of the
    /// transfer. A transfer that has been paused continues.
    ///
    /// - Parameter waiter: The caller. It is resumed at once if one of these has arrived, and otherwise as soon as one
    ///   of them arrives.
    private func awaitBytes(_ waiter: CheckedContinuation<[UInt8]?, any Error>) {
        let outcome = state.withLock { state in
            let outcome = Self.takeBody(&state)
            if outcome == nil { state.bodyWaiters.append(waiter) }
            // With the lock held, as in `receive(_:)`, so that suspending and resuming reach the task in order.
            if state.isPaused { state.task?.resume() }
            state.isPaused = false
            return outcome
        }
        if let outcome { waiter.resume(with: outcome) }
    }

    /// Stops the transfer: every waiting caller gets `error` at once. If the response is complete, nothing changes.
    func stop(_ error: any Error) {
        end(.failure(error))?.cancel()
    }

    /// Stops the transfer with a time-out, if it has not ended after some time.
    ///
    /// - Parameters:
    ///   - remaining: The time that is left for the transfer.
    ///   - maxTime: The limit to name in the error. Earlier requests of the same call may have used a part of it.
    private func setDeadline(after remaining: Duration, maxTime: Duration?) {
        let deadline = Task { [self] in
            do {
                try await Task.sleep(for: remaining)
            } catch {
                // The transfer has ended first, and has cancelled this task.
                return
            }
            stop(TransportError(.timedOut(.whole(maxTime)), server: server))
        }
        let isOver = state.withLock { state in
            if state.ending == nil { state.deadline = deadline }
            return state.ending != nil
        }
        if isOver { deadline.cancel() }
    }

    // MARK: For the delegate

    /// Reports how many bytes of the request's body have been sent, and how many there are.
    func didSend(_ count: Int64, of total: Int64) { onSent?(count, total) }

    /// Receives the headers of a response from URLSession, and passes those of the final response to the caller that
    /// waits for them. Interim responses (1xx) are skipped.
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

    /// Receives a chunk of the response's body from URLSession: passes it to a caller that waits for bytes, or keeps
    /// it.
    ///
    /// If more than `bufferLimit` bytes are kept, the transfer pauses, so that memory stays bounded. On Linux, where
    /// URLSession can't pause, it fails.
    func receive(_ data: Data) {
        let use = state.withLock { state -> ChunkUse in
            guard state.ending == nil, state.head != nil else { return .dropped }
            if !state.bodyWaiters.isEmpty { return .passed(to: state.bodyWaiters.removeFirst()) }
            state.buffer.append(contentsOf: data)
            let isFull = state.buffer.count > bufferLimit && !state.isPaused
            if !isFull { return .kept }
            guard Platform.canPause else { return .keptBeyondLimit }
            state.isPaused = true
            state.task?.suspend()
            return .kept
        }
        switch use {
        case .dropped, .kept:
            break
        case .passed(let waiter):
            waiter.resume(returning: [UInt8](data))
        case .keptBeyondLimit:
            let problem = "more than \(bufferLimit) bytes of the response wait to be read"
            stop(TransportError(.other, server: server, detail: problem))
        }
    }

    /// The use of a chunk of the response's body that has arrived.
    private enum ChunkUse {
        /// The transfer has ended, or its headers have not arrived.
        case dropped
        case passed(to: CheckedContinuation<[UInt8]?, any Error>)
        case kept
        /// More bytes wait than the limit allows, and the transfer can't pause.
        case keptBeyondLimit
    }

    /// Receives the end of the transfer from URLSession.
    ///
    /// - Parameters:
    ///   - response: The response, if there is one.
    ///   - error: The error with which URLSession has ended the transfer, or nil if the response is complete.
    func finish(_ response: URLResponse?, error: (any Error)?) {
        if let error {
            let wasCancelled = (error as? URLError)?.code == .cancelled
            end(.failure(wasCancelled ? CancellationError() : TransportError(error, server: server)))
            return
        }
        let isHeadMissing = state.withLock { $0.head == nil }
        // On Linux a redirect without a Location is not reported earlier.
        if let response, isHeadMissing { receive(response) }
        let hasHead = state.withLock { $0.head != nil }
        end(hasHead ? .success(()) : .failure(TransportError(.malformedResponse, server: server)))
    }

    // MARK: State

    /// Ends the transfer, unless it has ended before: keeps how it has ended, cancels the deadline, and resumes all
    /// callers that wait.
    ///
    /// Bytes that have arrived can still be read, except after a cancellation.
    ///
    /// - Returns: The task of URLSession, for the caller to cancel it. It is nil if the transfer had ended before.
    @discardableResult
    private func end(_ ending: Result<Void, any Error>) -> URLSessionTask? {
        let stateBefore: State? = state.withLock { state in
            guard state.ending == nil else { return nil }
            state.ending = ending
            if case .failure(is CancellationError) = ending { state.buffer = [] }
            let stateBefore = state
            state.headWaiter = nil
            state.bodyWaiters = []
            state.deadline = nil
            state.task = nil
            return stateBefore
        }
        guard let stateBefore else { return nil }
        // Without the lock, because a resumed caller may call this object at once.
        stateBefore.deadline?.cancel()
        // Before a success, `receive(_:)` has passed the head to the caller that waited for it.
        if case .failure(let error) = ending { stateBefore.headWaiter?.resume(throwing: error) }
        // These callers wait only while no bytes are left, so what comes next is the end.
        for waiter in stateBefore.bodyWaiters { waiter.resume(with: Self.endOfBody(after: ending)) }
        return stateBefore.task
    }

    /// Removes and returns the bytes that have arrived. If there are none, it returns the end of the body.
    ///
    /// - Returns: The bytes, nil for the end of the body, or the error of the transfer. There is no result if none of
    ///   them has arrived yet.
    private static func takeBody(_ state: inout State) -> Result<[UInt8]?, any Error>? {
        if !state.buffer.isEmpty {
            defer { state.buffer = [] }
            return .success(state.buffer)
        }
        guard let ending = state.ending else { return nil }
        return endOfBody(after: ending)
    }

    /// Returns what a caller gets that reads after the last byte of the body: nil if the response is complete, or else
    /// the error that has ended the transfer.
    private static func endOfBody(after ending: Result<Void, any Error>) -> Result<[UInt8]?, any Error> {
        switch ending {
        case .success: .success(nil)
        case .failure(let error): .failure(error)
        }
    }
}

extension ResponseHead {
    /// Makes the head as far as URLSession reports it: no version, no reason phrase, and the headers sorted by name.
    fileprivate init(_ response: HTTPURLResponse) {
        let fields = response.allHeaderFields.map { HTTPField("\($0.key)", "\($0.value)") }
        self.init(
            version: "", status: response.statusCode,
            fields: fields.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) })
    }
}
