import Synchronization

/// Writes messages to stderr without ever waiting for its reader.
///
/// A message that finds no room is left out or cut, so that a client's request does not have to wait for the log. The
/// next message says how many were left out.
final class MockLog: Sendable {
    /// The number of bytes that are written at a time. A pipe that is ready has room for this many (`PIPE_BUF` in
    /// Linux).
    private static let chunkSize = 4096

    private let output: any ByteOutput
    /// The number of messages that were left out since the last one that was written.
    private let omittedCount = Mutex(0)

    init(_ output: any ByteOutput) { self.output = output }

    /// Writes a message, after a note about those that were left out. If there is no room, the message is left out or
    /// cut, and counts as left out.
    func write(_ text: String) {
        omittedCount.withLock { count in
            let note = count > 0 ? "(\(count) messages left out: stderr was not read)\n" : ""
            var remaining = (note + text).exactBytes[...]
            while !remaining.isEmpty, output.isReady {
                // The server goes on without a log if the reader has gone.
                try? output.write(Array(remaining.prefix(Self.chunkSize)))
                remaining = remaining.dropFirst(Self.chunkSize)
            }
            count = remaining.isEmpty ? 0 : count + 1
        }
    }
}
