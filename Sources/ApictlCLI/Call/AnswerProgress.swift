import EndpointKit
import Synchronization

/// What of an answer has been written where. The request must not be sent again once that can't be taken back.
final class AnswerProgress: Sendable {
    private let state = Mutex((output: false, file: false))
    private let file: (any FileReplacement)?

    /// `file` is where the body goes, if not to stdout.
    init(file: (any FileReplacement)?) { self.file = file }

    /// Whether stdout has got anything.
    var hasWritten: Bool { state.withLock(\.output) }

    /// Whether the file has got anything that was not taken back.
    var hasWrittenFile: Bool { state.withLock(\.file) }

    func noteOutput() { state.withLock { $0.output = true } }
    func noteFile() { state.withLock { $0.file = true } }

    /// Takes back what has been written, for another attempt; false where that can't be.
    func takeBack() -> Bool {
        let written = state.withLock { $0 }
        if written.output { return false }
        guard written.file, let file else { return true }
        // A file that can't be rewound is no better than stdout.
        guard (try? file.restart()) == true else { return false }
        state.withLock { $0.file = false }
        return true
    }
}

/// An output that notes when something is written to it.
struct WatchedOutput: ByteOutput {
    let output: any ByteOutput
    let progress: AnswerProgress

    var isTerminal: Bool { output.isTerminal }

    func write(_ bytes: [UInt8]) throws {
        if !bytes.isEmpty { progress.noteOutput() }
        try output.write(bytes)
    }
}

extension ResponseBody {
    /// The same body on its way into a file; `progress` is told as soon as a piece is handed out.
    func watched(_ progress: AnswerProgress) -> ResponseBody {
        ResponseBody {
            var pieces = makeAsyncIterator()
            let piece = try await pieces.next()
            if piece != nil { progress.noteFile() }
            return piece
        }
    }
}
