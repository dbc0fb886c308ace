import Synchronization

/// The output for people of a run that writes files too. If its reader goes, as with `| head -1`, the run goes on, so
/// that the files are written.
final class FileKeepingOutput: ByteOutput {
    private let output: any ByteOutput
    private let writesFiles: Bool
    /// Whether the reader has gone.
    private let isClosed = Mutex(false)
    var isTerminal: Bool { output.isTerminal }
    var columns: Int? { output.columns }
    var isReady: Bool { output.isReady }

    /// Makes an output.
    ///
    /// - Parameters:
    ///   - output: The output for people.
    ///   - writesFiles: Whether there are files to write. Without any, the run ends with its reader.
    init(_ output: any ByteOutput, writesFiles: Bool) {
        self.output = output
        self.writesFiles = writesFiles
    }

    /// Writes the bytes, or drops them if the reader has gone and files are still to be written.
    func write(_ bytes: [UInt8]) throws {
        do {
            try output.write(bytes)
        } catch let error as OutputClosed {
            if !writesFiles { throw error }
            isClosed.withLock { $0 = true }
        }
    }

    /// Ends the output after all files are written.
    ///
    /// - Throws: ``OutputClosed`` if the reader has gone.
    func finish() throws {
        let hasReaderGone = isClosed.withLock(\.self)
        if hasReaderGone { throw OutputClosed() }
    }
}
