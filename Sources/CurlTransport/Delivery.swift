import EndpointKit
import Synchronization

/// What has arrived of a response and waits to be read: the one part of a transfer that both the loop's thread and a task touch.
///
/// It is bounded: above ``highWater`` the loop stops reading from the connection, and resumes once the task has taken half.
final class Delivery: Sendable {
    /// The bytes that may wait before the transfer pauses.
    static let highWater = 512 * 1024

    private struct State {
        var head: ResponseHead?
        var headWaiter: CheckedContinuation<ResponseHead, any Error>?
        var bodyWaiters: [CheckedContinuation<[UInt8]?, any Error>] = []
        var chunks = WaitingChunks()
        var end: Result<Void, any Error>?
        var isPaused = false
        var isAbandoned = false
    }

    private let state = Mutex(State())

    // MARK: The task's side

    /// Resumes `waiter` with the head, now or when it arrives.
    func awaitHead(_ waiter: CheckedContinuation<ResponseHead, any Error>) {
        let result: Result<ResponseHead, any Error>? = state.withLock { state in
            if let head = state.head { return .success(head) }
            if case .failure(let error) = state.end { return .failure(error) }
            state.headWaiter = waiter
            return nil
        }
        if let result { waiter.resume(with: result) }
    }

    /// Resumes `waiter` with the next bytes or the end, now or when they arrive. True if the loop should resume reading.
    func awaitBytes(_ waiter: CheckedContinuation<[UInt8]?, any Error>) -> Bool {
        let (result, resumes): (Result<[UInt8]?, any Error>?, Bool) = state.withLock { state in
            guard !state.isAbandoned, let bytes = state.chunks.popFirst() else {
                guard let end = state.end else {
                    state.bodyWaiters.append(waiter)
                    return (nil, false)
                }
                return (end.map { nil }, false)
            }
            // The loop refills one half while the task works on the other.
            let resumes = state.isPaused && state.chunks.byteCount <= Self.highWater / 2
            if resumes { state.isPaused = false }
            return (.success(bytes), resumes)
        }
        if let result { waiter.resume(with: result) }
        return resumes
    }

    /// Gives up: every waiter, now or later, gets a `CancellationError`. False if the transfer had already ended.
    func abandon() -> Bool {
        let (headWaiter, bodyWaiters, wasRunning) = state.withLock { state in
            let wasRunning = state.end == nil
            state.isAbandoned = true
            state.chunks = WaitingChunks()
            state.end = .failure(CancellationError())
            defer { (state.headWaiter, state.bodyWaiters) = (nil, []) }
            return (state.headWaiter, state.bodyWaiters, wasRunning)
        }
        headWaiter?.resume(throwing: CancellationError())
        for waiter in bodyWaiters { waiter.resume(throwing: CancellationError()) }
        return wasRunning
    }

    // MARK: The loop's side

    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// How many bytes are waiting.
    var byteCount: Int { state.withLock { $0.chunks.byteCount } }

    /// Adds what is new. True if a paused transfer should resume at once, because nothing is waiting any more.
    func publish(
        head: ResponseHead?, bytes: [UInt8], end: Result<Void, any Error>?, isPaused: Bool
    ) -> Bool {
        var resumptions: [() -> Void] = []
        let resumes = state.withLock { state in
            guard !state.isAbandoned else { return false }
            if let head { state.head = head }
            state.chunks.append(bytes)
            if let end { state.end = end }
            if let waiter = state.headWaiter {
                if let head = state.head {
                    resumptions.append { waiter.resume(returning: head) }
                    state.headWaiter = nil
                } else if case .failure(let error) = state.end {
                    resumptions.append { waiter.resume(throwing: error) }
                    state.headWaiter = nil
                }
            }
            if !state.bodyWaiters.isEmpty, let chunk = state.chunks.popFirst() {
                let waiter = state.bodyWaiters.removeFirst()
                resumptions.append { waiter.resume(returning: chunk) }
            }
            if state.chunks.isEmpty, let end = state.end {
                for waiter in state.bodyWaiters { resumptions.append { waiter.resume(with: end.map { nil }) } }
                state.bodyWaiters = []
            }
            state.isPaused = isPaused && !state.chunks.isEmpty
            return isPaused && state.chunks.isEmpty
        }
        for resume in resumptions { resume() }
        return resumes
    }
}

/// The chunks of a body that wait to be read, in order. A large chunk is never copied; small ones are joined.
private struct WaitingChunks {
    private var chunks: [[UInt8]] = []
    private(set) var byteCount = 0

    var isEmpty: Bool { chunks.isEmpty }

    mutating func append(_ chunk: [UInt8]) {
        guard !chunk.isEmpty else { return }
        byteCount += chunk.count
        // Only the count: a second reference to the last chunk would force a copy.
        if let count = chunks.last?.count, count + chunk.count <= EasyOptions.readSize {
            chunks[chunks.count - 1].append(contentsOf: chunk)
        } else {
            chunks.append(chunk)
        }
    }

    mutating func popFirst() -> [UInt8]? {
        guard !chunks.isEmpty else { return nil }
        let chunk = chunks.removeFirst()
        byteCount -= chunk.count
        return chunk
    }
}
