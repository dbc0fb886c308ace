import Dispatch
import EndpointKit
import Synchronization
import SystemCalls

/// Reads what somebody else writes on a thread of its own, some pieces before they are asked for.
///
/// A pipe is copied from while what came before is worked on: with two cores that saves an eighth of the time. What comes in
/// small pieces is not worth a thread, and a file is read in no time.
final class ReadAhead: ByteInput {
    /// A piece of at least what a pipe holds tells that there is more.
    private static let longPiece = 64 * 1024

    private let input: any ByteInput
    private let waiting = WaitingInput()
    private let isAhead = Mutex(false)

    init(_ input: any ByteInput) { self.input = input }

    deinit { waiting.abandon() }

    var isTerminal: Bool { input.isTerminal }
    var mayWait: Bool { input.mayWait }

    func read() throws -> [UInt8] {
        if isAhead.withLock({ $0 }) { return try waiting.take() }
        let piece = try input.read()
        if piece.count >= Self.longPiece, mayWait {
            // Without a thread to spare, the rest is read as it is asked for.
            let thread = try? SystemThread.start { [input, waiting] in
                while waiting.add(Result { try input.read() }) {}
            }
            isAhead.withLock { $0 = thread != nil }
        }
        return piece
    }
}

/// Pieces of an input on their way from the thread that reads them to the one that works on them.
private final class WaitingInput: Sendable {
    private static let limit = 4

    private struct State {
        var pieces: [Result<[UInt8], any Error>] = []
        var isFull = false
        var isAbandoned = false
    }

    private let state = Mutex(State())
    /// Counts the pieces.
    private let filled = DispatchSemaphore(value: 0)
    private let room = DispatchSemaphore(value: 0)

    /// Waits while too many are there; false where it is the last one, or nobody wants it.
    func add(_ piece: Result<[UInt8], any Error>) -> Bool {
        let (isFull, isAbandoned) = state.withLock { state in
            state.pieces.append(piece)
            state.isFull = state.pieces.count >= Self.limit && !state.isAbandoned
            return (state.isFull, state.isAbandoned)
        }
        filled.signal()
        if isFull { room.wait() }
        return !piece.isLast && !isAbandoned
    }

    /// The next piece, once it is there. The last one, which is the end or an error, stays.
    func take() throws -> [UInt8] {
        filled.wait()
        let (piece, hasRoom) = state.withLock { state in
            let piece = state.pieces[0]
            if piece.isLast {
                filled.signal()
            } else {
                state.pieces.removeFirst()
            }
            // Not for every piece: to wake a thread takes as long as to read one.
            let hasRoom = state.isFull && state.pieces.count <= Self.limit / 2
            if hasRoom { state.isFull = false }
            return (piece, hasRoom)
        }
        if hasRoom { room.signal() }
        return try piece.get()
    }

    /// Lets the reading thread end with the piece that it is reading.
    func abandon() {
        let isFull = state.withLock { state in
            state.isAbandoned = true
            defer { state.isFull = false }
            return state.isFull
        }
        if isFull { room.signal() }
    }
}

extension Result<[UInt8], any Error> {
    fileprivate var isLast: Bool {
        switch self {
        case .success(let bytes): bytes.isEmpty
        case .failure: true
        }
    }
}
