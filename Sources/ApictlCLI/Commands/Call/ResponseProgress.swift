import EndpointKit
import Synchronization

/// Tracks whether part of a response has been written. Once that can't be undone, the request must not be sent again.
final class ResponseProgress: Sendable {
    private let state = Mutex((output: false, file: false))
    private let file: (any FileReplacement)?

    /// `file` is where the body is written, if not to stdout.
    init(file: (any FileReplacement)?) { self.file = file }

    /// Whether anything has been written to stdout.
    var hasWritten: Bool { state.withLock(\.output) }

    /// Whether anything has been written to the file since the last ``undo()``.
    var hasWrittenFile: Bool { state.withLock(\.file) }

    func noteOutput() { state.withLock { $0.output = true } }
    func noteFile() { state.withLock { $0.file = true } }

    /// Undoes what has been written, for another attempt; false if that is impossible.
    func undo() -> Bool {
        let written = state.withLock { $0 }
        if written.output { return false }
        guard written.file, let file else { return true }
        // Output to a file that can't be rewound, like output to stdout, can't be undone.
        guard (try? file.restart()) == true else { return false }
        state.withLock { $0.file = false }
        return true
    }
}

/// An output that notes when something is written to it.
struct WatchedOutput: ByteOutput {
    let output: any ByteOutput
    let progress: ResponseProgress

    var isTerminal: Bool { output.isTerminal }

    func write(_ bytes: [UInt8]) throws {
        if !bytes.isEmpty { progress.noteOutput() }
        try output.write(bytes)
    }
}

extension ResponseBody {
    /// The same body on its way into a file; notes in `progress` when a chunk is returned.
    func watched(_ progress: ResponseProgress) -> ResponseBody {
        ResponseBody {
            var chunks = makeAsyncIterator()
            let chunk = try await chunks.next()
            if chunk != nil { progress.noteFile() }
            return chunk
        }
    }
}
