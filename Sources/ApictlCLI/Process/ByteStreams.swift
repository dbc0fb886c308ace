import EndpointKit
import Synchronization
import SystemCalls

/// A source of bytes: stdin, a file, or a buffer in a test.
protocol ByteInput: Sendable {
    var isTerminal: Bool { get }

    /// Reads the next available bytes. Waits for them if there are none.
    ///
    /// - Parameter deadline: When the bytes must have come; nil is no limit.
    /// - Returns: The bytes; empty at the end.
    /// - Throws: ``FileError``, also if the deadline passes while no writer writes.
    func read(until deadline: ContinuousClock.Instant?) throws -> [UInt8]
}

extension ByteInput {
    /// Reads everything up to the end.
    ///
    /// - Parameters:
    ///   - name: The name of the input in messages.
    ///   - limit: The greatest number of bytes to read. By default it is the limit for the body of a response.
    ///   - advice: The end of the message about an input with more bytes.
    ///   - deadline: When the end must have come; nil is no limit.
    /// - Throws: ``FileError``, also for more than `limit` bytes.
    func readAll(
        name: String, limit: Int = Client.defaultMaxBodySize, advice: String = "",
        until deadline: ContinuousClock.Instant? = nil
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let chunk = try read(until: deadline)
            // No bytes mean the end of the input.
            if chunk.isEmpty { return bytes }
            bytes += chunk
            if bytes.count > limit {
                throw FileError(.read, name, reason: "longer than \(ByteCountText.shown(limit))\(advice)")
            }
        }
    }
}

/// A destination of bytes: stdout, stderr, a file, or a buffer in a test.
protocol ByteOutput: Sendable {
    var isTerminal: Bool { get }
    /// The terminal's current width in columns; nil if it is not a terminal or the width is unknown.
    var columns: Int? { get }
    /// The terminal's current height in rows; nil if it is not a terminal or the height is unknown.
    var rows: Int? { get }
    /// Whether a short text can be written without waiting. A pipe is ready if it has room for about 4096 bytes. A full
    /// pipe waits for its reader.
    var isReady: Bool { get }

    /// Writes all bytes.
    ///
    /// - Throws: ``OutputClosed`` if the reader has gone, and ``FileError`` for any other failure.
    func write(_ bytes: [UInt8]) throws
}

extension ByteOutput {
    var columns: Int? { nil }

    var rows: Int? { nil }

    var isReady: Bool { true }

    /// Writes the exact bytes of a text, which need not be UTF-8.
    ///
    /// - Throws: ``OutputClosed`` if the reader has gone, and ``FileError`` for any other failure.
    func write(_ text: String) throws { try write(text.exactBytes) }
}

/// The error that the reader of an output has gone, such as `head -1` after its first line.
struct OutputClosed: Error {}

/// An output that keeps nothing.
struct NoOutput: ByteOutput {
    let isTerminal = false

    func write(_ bytes: [UInt8]) {}
}

/// An output that keeps what is written in memory.
final class BufferOutput: ByteOutput {
    let isTerminal: Bool
    let columns: Int?
    let rows: Int?
    private let content = Mutex<[UInt8]>([])

    /// Makes an empty buffer that looks like a terminal or another output.
    init(isTerminal: Bool = false, columns: Int? = nil, rows: Int? = nil) {
        self.isTerminal = isTerminal
        self.columns = columns
        self.rows = rows
    }

    /// The bytes that have been written so far.
    var bytes: [UInt8] { content.withLock { $0 } }

    func write(_ bytes: [UInt8]) throws { content.withLock { $0 += bytes } }
}
