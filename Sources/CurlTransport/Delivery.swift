import EndpointKit
import Synchronization

/// Where the loop's thread leaves what arrived and a task takes it: the one place of a transfer that both touch.
///
/// What waits here is bounded: above ``Delivery/highWater`` the loop stops reading from the connection, and starts again once
/// the task has taken half of it.
final class Delivery: Sendable {
    /// The bytes that may wait to be taken before the transfer pauses.
    static let highWater = 512 * 1024

    private struct State {
        var head: ResponseHead?
        var headWaiter: CheckedContinuation<ResponseHead, any Error>?
        var bodyWaiters: [CheckedContinuation<[UInt8]?, any Error>] = []
        var pieces = WaitingPieces()
        var end: Result<Void, any Error>?
        var isPaused = false
        var isAbandoned = false
    }

    private let state = Mutex(State())

    // The task's side.

    /// Resumes `waiter` with the head, now or when it comes.
    func awaitHead(_ waiter: CheckedContinuation<ResponseHead, any Error>) {
        let result: Result<ResponseHead, any Error>? = state.withLock { state in
            if let head = state.head { return .success(head) }
            if case .failure(let error) = state.end { return .failure(error) }
            state.headWaiter = waiter
            return nil
        }
        if let result { waiter.resume(with: result) }
    }

    /// Resumes `waiter` with the next bytes or the end, now or when they come; true where the loop is to read on.
    func awaitBytes(_ waiter: CheckedContinuation<[UInt8]?, any Error>) -> Bool {
        let (result, readsOn): (Result<[UInt8]?, any Error>?, Bool) = state.withLock { state in
            guard !state.isAbandoned, let bytes = state.pieces.popFirst() else {
                guard let end = state.end else {
                    state.bodyWaiters.append(waiter)
                    return (nil, false)
                }
                return (end.map { nil }, false)
            }
            // The loop fills up the one half while the task works through the other.
            let readsOn = state.isPaused && state.pieces.byteCount <= Self.highWater / 2
            if readsOn { state.isPaused = false }
            return (.success(bytes), readsOn)
        }
        if let result { waiter.resume(with: result) }
        return readsOn
    }

    /// Gives up: whoever waits, now or later, gets a `CancellationError`. False where the transfer had ended already.
    func abandon() -> Bool {
        let (headWaiter, bodyWaiters, wasRunning) = state.withLock { state in
            let wasRunning = state.end == nil
            state.isAbandoned = true
            state.pieces = WaitingPieces()
            state.end = .failure(CancellationError())
            defer { (state.headWaiter, state.bodyWaiters) = (nil, []) }
            return (state.headWaiter, state.bodyWaiters, wasRunning)
        }
        headWaiter?.resume(throwing: CancellationError())
        for waiter in bodyWaiters { waiter.resume(throwing: CancellationError()) }
        return wasRunning
    }

    // The loop's side.

    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// How many bytes wait to be taken.
    var byteCount: Int { state.withLock { $0.pieces.byteCount } }

    /// Hands over what is new; true where a paused transfer is to read on at once, because nothing waits any more.
    func publish(
        head: ResponseHead?, bytes: [UInt8], end: Result<Void, any Error>?, isPaused: Bool
    ) -> Bool {
        var resumptions: [() -> Void] = []
        let readsOn = state.withLock { state in
            guard !state.isAbandoned else { return false }
            if let head { state.head = head }
            state.pieces.append(bytes)
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
            if !state.bodyWaiters.isEmpty, let piece = state.pieces.popFirst() {
                let waiter = state.bodyWaiters.removeFirst()
                resumptions.append { waiter.resume(returning: piece) }
            }
            if state.pieces.isEmpty, let end = state.end {
                for waiter in state.bodyWaiters { resumptions.append { waiter.resume(with: end.map { nil }) } }
                state.bodyWaiters = []
            }
            state.isPaused = isPaused && !state.pieces.isEmpty
            return isPaused && state.pieces.isEmpty
        }
        for resume in resumptions { resume() }
        return readsOn
    }
}

/// The pieces of a body that wait to be taken, in the order they came. A large piece is never copied; small ones are put together.
private struct WaitingPieces {
    private var pieces: [[UInt8]] = []
    private(set) var byteCount = 0

    var isEmpty: Bool { pieces.isEmpty }

    mutating func append(_ piece: [UInt8]) {
        guard !piece.isEmpty else { return }
        byteCount += piece.count
        // Only the count: a second reference to the last piece would have it copied.
        if let count = pieces.last?.count, count + piece.count <= EasyOptions.readSize {
            pieces[pieces.count - 1].append(contentsOf: piece)
        } else {
            pieces.append(piece)
        }
    }

    mutating func popFirst() -> [UInt8]? {
        guard !pieces.isEmpty else { return nil }
        let piece = pieces.removeFirst()
        byteCount -= piece.count
        return piece
    }
}
