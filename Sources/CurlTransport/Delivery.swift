import EndpointKit
import Synchronization

/// The part of a response that has arrived and waits to be read.
///
/// This is the one part of a transfer that both the loop's thread and a task touch. It is bounded: above ``highWater``
/// the loop stops reading from the connection, and resumes once the task has taken half.
final class Delivery: Sendable {
    /// The number of waiting bytes above which the transfer pauses.
    static let highWater = 512 * 1024

    /// A call that resumes a waiting task. It is made without the lock, because the task may call this object at once.
    private typealias Resumption = () -> Void

    private struct State {
        var head: ResponseHead?
        var headWaiter: CheckedContinuation<ResponseHead, any Error>?
        /// The tasks that wait for a chunk, in the order in which they began to wait.
        var bodyWaiters: [CheckedContinuation<[UInt8]?, any Error>] = []
        var chunks = WaitingChunks()
        var outcome: Result<Void, any Error>?
        var isPaused = false
        var isAbandoned = false

        /// Adds what has arrived since the last call: the head, bytes of the body, the end.
        mutating func add(_ news: News) {
            if let head = news.head { self.head = head }
            chunks.append(news.bytes)
            if let outcome = news.outcome { self.outcome = outcome }
        }

        /// Removes the task that waits for the response's head, if the head or an error has arrived.
        ///
        /// - Returns: The call that resumes the task with the head or error. It is nil if no task waits, or if neither
        ///   has arrived.
        mutating func removeReadyHeadWaiter() -> Resumption? {
            guard let waiter = headWaiter else { return nil }
            if let head {
                headWaiter = nil
                return { waiter.resume(returning: head) }
            }
            if case .failure(let error) = outcome {
                headWaiter = nil
                return { waiter.resume(throwing: error) }
            }
            return nil
        }

        /// The result for a task that reads when no chunk is left: nil after a complete body, or the error that has cut
        /// the body short. If the transfer continues, the property itself is nil.
        var endOfBody: Result<[UInt8]?, any Error>? {
            switch outcome {
            case .success?: .success(nil)
            case .failure(let error)?: .failure(error)
            case nil: nil
            }
        }

        /// Ends the pause of the transfer if at most half of the bytes that may wait are left to read.
        ///
        /// - Returns: Whether the transfer was paused and should resume.
        mutating func endPauseIfHalfRead() -> Bool {
            let shouldResume = isPaused && chunks.byteCount <= Delivery.highWater / 2
            if shouldResume { isPaused = false }
            return shouldResume
        }

        /// Removes the tasks that wait for bytes, and a chunk for each of them, as long as there are chunks. At the end
        /// of the body, all tasks are removed.
        ///
        /// - Returns: The calls that resume the tasks with their chunks or the end. The caller makes them after it has
        ///   released the lock, because a resumed task may use this object at once.
        mutating func removeReadyBodyWaiters() -> [Resumption] {
            var resumptions: [Resumption] = []
            while !bodyWaiters.isEmpty, let chunk = chunks.popFirst() {
                let waiter = bodyWaiters.removeFirst()
                resumptions.append { waiter.resume(returning: chunk) }
            }
            if chunks.isEmpty, let endOfBody {
                for waiter in bodyWaiters { resumptions.append { waiter.resume(with: endOfBody) } }
                bodyWaiters = []
            }
            return resumptions
        }
    }

    /// The part of a response that has arrived since the loop's thread last added something to a delivery.
    struct News {
        var head: ResponseHead?
        var bytes: [UInt8] = []
        /// How the transfer has ended, or nil if it continues.
        var outcome: Result<Void, any Error>?
        /// Whether libcurl was told to stop reading from the connection.
        var isPaused = false
    }

    private let state = Mutex(State())

    // MARK: The task's side

    /// Resumes a waiting task with the response's head, or with the error of the transfer.
    ///
    /// - Parameter waiter: The task. It is resumed at once if the head or an error has arrived, and otherwise as soon
    ///   as one of them arrives.
    func awaitHead(_ waiter: CheckedContinuation<ResponseHead, any Error>) {
        let result: Result<ResponseHead, any Error>? = state.withLock { state in
            if let head = state.head { return .success(head) }
            if case .failure(let error) = state.outcome { return .failure(error) }
            state.headWaiter = waiter
            return nil
        }
        if let result { waiter.resume(with: result) }
    }

    /// Resumes a waiting task with the next bytes of the body, with nil at its end, or with an error.
    ///
    /// - Parameter waiter: The task. It is resumed at once if one of these has arrived, and otherwise as soon as one of
    ///   them arrives.
    /// - Returns: Whether the transfer is paused and should resume. That is so once half of the bytes that may wait
    ///   have been read: the loop's thread refills one half while the task works on the other.
    func awaitBytes(_ waiter: CheckedContinuation<[UInt8]?, any Error>) -> Bool {
        let (result, shouldResume): (Result<[UInt8]?, any Error>?, Bool) = state.withLock { state in
            if !state.isAbandoned, let bytes = state.chunks.popFirst() {
                return (.success(bytes), state.endPauseIfHalfRead())
            }
            if let endOfBody = state.endOfBody { return (endOfBody, false) }
            state.bodyWaiters.append(waiter)
            return (nil, false)
        }
        if let result { waiter.resume(with: result) }
        return shouldResume
    }

    /// Gives up the response, because no task wants it any more.
    ///
    /// The bytes that have arrived are dropped. Every task that waits for the response, now or later, gets a
    /// `CancellationError`.
    ///
    /// - Returns: Whether the transfer is still running, so that the caller has to stop it.
    func abandon() -> Bool {
        let stateBefore = state.withLock { state in
            let stateBefore = state
            state.isAbandoned = true
            state.chunks = WaitingChunks()
            state.outcome = .failure(CancellationError())
            state.headWaiter = nil
            state.bodyWaiters = []
            return stateBefore
        }
        // Without the lock, because a resumed task may call this object at once.
        stateBefore.headWaiter?.resume(throwing: CancellationError())
        for waiter in stateBefore.bodyWaiters { waiter.resume(throwing: CancellationError()) }
        let wasRunning = stateBefore.outcome == nil
        return wasRunning
    }

    // MARK: The loop's side

    /// Whether no task will read any more.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// The number of bytes that are waiting.
    var byteCount: Int { state.withLock { $0.chunks.byteCount } }

    /// Adds what has arrived from the server, and resumes the tasks that wait for it.
    ///
    /// If the response has been abandoned, nothing is added.
    ///
    /// - Parameter news: What has arrived since the last call.
    /// - Returns: Whether a paused transfer should resume at once, because no bytes wait to be read.
    func publish(_ news: News) -> Bool {
        var resumptions: [Resumption] = []
        let shouldResume = state.withLock { state in
            if state.isAbandoned { return false }
            state.add(news)
            if let resumption = state.removeReadyHeadWaiter() { resumptions.append(resumption) }
            resumptions += state.removeReadyBodyWaiters()
            let isEverythingTaken = state.chunks.isEmpty
            // A paused transfer with bytes left to read resumes when they have been read.
            state.isPaused = news.isPaused && !isEverythingTaken
            return news.isPaused && isEverythingTaken
        }
        for resumption in resumptions { resumption() }
        return shouldResume
    }

    /// Ends the transfer with an error.
    func fail(_ error: any Error) { _ = publish(News(outcome: .failure(error))) }
}

/// The chunks of a body that wait to be read, in their order. Small chunks are joined, large ones are never copied.
private struct WaitingChunks {
    private var chunks: [[UInt8]] = []
    private(set) var byteCount = 0

    var isEmpty: Bool { chunks.isEmpty }

    /// Adds a chunk at the end. It joins the last chunk if both together are no longer than one read of libcurl.
    mutating func append(_ chunk: [UInt8]) {
        if chunk.isEmpty { return }
        byteCount += chunk.count
        // Only the count is looked at: a second reference to the last chunk would force a copy.
        if let count = chunks.last?.count, count + chunk.count <= BufferSize.read {
            chunks[chunks.count - 1].append(contentsOf: chunk)
        } else {
            chunks.append(chunk)
        }
    }

    /// Removes the first chunk and returns it, or returns nil if there is none.
    mutating func popFirst() -> [UInt8]? {
        guard !chunks.isEmpty else { return nil }
        let chunk = chunks.removeFirst()
        byteCount -= chunk.count
        return chunk
    }
}
