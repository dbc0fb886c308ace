import EndpointKit
import Synchronization

/// Whether anything of an answer has gone where it can't be taken back. The request must not be sent again then.
final class AnswerProgress: Sendable {
    private let state = Mutex(false)

    var hasWritten: Bool { state.withLock { $0 } }

    func noteWriting() { state.withLock { $0 = true } }
}

/// An output that notes when something is written to it.
struct WatchedOutput: ByteOutput {
    let output: any ByteOutput
    let progress: AnswerProgress

    var isTerminal: Bool { output.isTerminal }

    func write(_ bytes: [UInt8]) throws {
        if !bytes.isEmpty { progress.noteWriting() }
        try output.write(bytes)
    }
}

extension ResponseBody {
    /// The same body; `progress` is told as soon as a piece is handed out.
    func watched(_ progress: AnswerProgress) -> ResponseBody {
        ResponseBody {
            var pieces = makeAsyncIterator()
            let piece = try await pieces.next()
            if piece != nil { progress.noteWriting() }
            return piece
        }
    }
}
