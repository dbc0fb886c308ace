import EndpointKit
import Synchronization

/// Tracks whether part of a response has been written. Once that can't be undone, the request must not be sent again.
final class ResponseProgress: Sendable {
    private let state = Mutex((output: false, fileBytes: 0))
    private let file: (any FileReplacement)?

    /// `file` is where the body is written, if not to stdout.
    init(file: (any FileReplacement)?) { self.file = file }

    /// Whether anything has been written to stdout.
    var hasWritten: Bool { state.withLock(\.output) }

    /// Whether anything has been written to the file since the last ``undo()``.
    var hasWrittenFile: Bool { fileBytes > 0 }

    /// The number of bytes written to the file since then.
    var fileBytes: Int { state.withLock(\.fileBytes) }

    func noteOutput() { state.withLock { $0.output = true } }
    func noteFile(_ count: Int) { state.withLock { $0.fileBytes += count } }

    /// Undoes what has been written, for another attempt; false if that is impossible.
    func undo() -> Bool {
        let written = state.withLock { $0 }
        if written.output { return false }
        guard written.fileBytes > 0, let file else { return true }
        // Output to a file that can't be rewound, like output to stdout, can't be undone.
        guard (try? file.restart()) == true else { return false }
        state.withLock { $0.fileBytes = 0 }
        return true
    }
}

/// An output that notes when something is written to it.
struct WatchedOutput: ByteOutput {
    let output: any ByteOutput
    let progress: ResponseProgress

    var isTerminal: Bool { output.isTerminal }
    var columns: Int? { output.columns }

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
            if let chunk { progress.noteFile(chunk.count) }
            return chunk
        }
    }
}
