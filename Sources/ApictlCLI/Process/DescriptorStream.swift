import EndpointKit
import SystemCalls

/// A stream that reads from a file descriptor, or writes to it.
final class DescriptorStream: ByteInput, ByteOutput {
    /// The most bytes that are read at a time.
    private static let chunkSize = 128 * 1024

    let descriptor: Int32
    /// The name of the stream in messages.
    let name: String
    /// Whether the stream closes the descriptor when it is released. It must not close stdin, stdout and stderr.
    private let closesDescriptor: Bool
    /// How long reading a named pipe waits until a program opens it for writing; nil is no limit.
    private let writerLimit: Duration?

    /// Makes a stream of an open descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - name: The name of the stream in messages.
    ///   - closesDescriptor: Whether the stream closes the descriptor when it is released.
    ///   - writerLimit: How long reading a named pipe waits until a program opens it for writing; nil is no limit.
    init(_ descriptor: Int32, name: String, closesDescriptor: Bool = true, writerLimit: Duration? = nil) {
        self.descriptor = descriptor
        self.name = name
        self.closesDescriptor = closesDescriptor
        self.writerLimit = writerLimit
    }

    /// Opens a file with `open(2)`. The stream closes it when it is released.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - operation: What the file is opened for, read or write. If that fails, the message says that it can't be
    ///     done.
    ///   - flags: The flags of `open(2)`.
    ///   - mode: The mode of the file if the flags create one.
    ///   - name: The name of the file in messages.
    ///   - writerLimit: How long reading a named pipe waits until a program opens it for writing; nil is no limit.
    ///     With a limit, the flags must have `O_NONBLOCK`.
    /// - Throws: ``FileError``.
    convenience init(
        opening path: String, for operation: FileError.Operation, flags: Int32, mode: mode_t = 0, name: String,
        writerLimit: Duration? = nil
    ) throws(FileError) {
        do {
            let descriptor = try SystemCall.open(path.exactBytes, flags, mode: mode)
            self.init(descriptor, name: name, writerLimit: writerLimit)
        } catch {
            throw FileError(operation, name, error)
        }
    }

    deinit { if closesDescriptor { close(descriptor) } }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether a short text can be written at once, without waiting for a reader.
    var isReady: Bool { Descriptor.wait([(descriptor, .writable)], milliseconds: 0)[0] }

    // MARK: Terminal

    /// The terminal's width in columns; nil if it is unknown.
    var columns: Int? {
        guard let size, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// The terminal's height in rows; nil if it is unknown.
    var rows: Int? {
        guard let size, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }

    /// The terminal's size; nil if the descriptor is not a terminal.
    private var size: winsize? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }

    // MARK: Reading

    /// Reads the next available bytes. Waits for them if there are none.
    ///
    /// - Parameter deadline: When the bytes must have come; nil is no limit.
    /// - Returns: The bytes; empty at the end.
    /// - Throws: ``FileError``, also if the deadline passes or no program opens a named pipe for writing, and
    ///   `CancellationError`.
    func read(until deadline: ContinuousClock.Instant?) throws -> [UInt8] {
        // A named pipe that no program has opened for writing yet looks as if it were at its end.
        if let writerLimit, let bytes = try readRequiringWriter(within: writerLimit, until: deadline) { return bytes }
        // From here on, a program has the pipe open, or else the deadline ends the wait for one.
        guard try waitForBytes(until: deadline) else {
            throw FileError(.read, name, reason: "it did not end in time", isTimeout: true)
        }
        return try readChunk { try Descriptor.read(descriptor, into: $0) }
    }

    /// Reads the next bytes. If the stream is a named pipe, waits until a program opens it for writing.
    ///
    /// - Parameters:
    ///   - writerLimit: How long to wait for a program that opens the pipe.
    ///   - deadline: When the caller needs the bytes; nil is no limit.
    /// - Returns: The bytes; empty at the end of the stream. Nil if the caller must wait for bytes itself: if a program
    ///   has the pipe open and has written nothing yet, or if the deadline comes before the end of `writerLimit`.
    /// - Throws: ``FileError``, also if no program has opened the pipe for writing, and `CancellationError`.
    private func readRequiringWriter(
        within writerLimit: Duration, until deadline: ContinuousClock.Instant?
    ) throws -> [UInt8]? {
        let endOfLimit = ContinuousClock.now + writerLimit
        if let deadline, deadline < endOfLimit { return nil }
        let isReady = try waitForBytes(until: endOfLimit)
        var hasSilentWriter = false
        let bytes = try readChunk { buffer in
            if let count = try Descriptor.readAvailable(descriptor, into: buffer) { return count }
            // A program has the pipe open for writing, and has written nothing yet.
            hasSilentWriter = true
            return 0
        }
        if hasSilentWriter { return nil }
        // At its end, a pipe that a program has opened and closed again is ready. A pipe that no program has opened has
        // no bytes either, but is not ready.
        let wasNeverOpened = bytes.isEmpty && !isReady
        if wasNeverOpened { throw FileError(.read, name, reason: "it is a pipe that no program writes") }
        return bytes
    }

    /// Reads bytes into a new buffer.
    ///
    /// - Parameter read: Fills the start of the buffer, and returns the number of bytes.
    /// - Returns: The bytes.
    /// - Throws: ``FileError``.
    private func readChunk(_ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws -> [UInt8] {
        do {
            return try [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
                count = try read(UnsafeMutableRawBufferPointer(buffer))
            }
        } catch let error as SystemError {
            throw FileError(.read, name, reason: error.reason)
        }
    }

    /// Waits until there are bytes to read, or the stream is at its end.
    ///
    /// - Parameter deadline: When to stop waiting; nil is no limit.
    /// - Returns: False if the deadline has passed first.
    /// - Throws: `CancellationError` if the current task is cancelled.
    private func waitForBytes(until deadline: ContinuousClock.Instant?) throws -> Bool {
        // A signal cancels the task, but does not end the wait for bytes. So within a task, the wait is interrupted
        // every 50 ms to look for a cancellation.
        let isInTask = withUnsafeCurrentTask { $0 != nil }
        while true {
            var endOfWait = deadline
            if isInTask {
                let nextCheck = ContinuousClock.now + .milliseconds(50)
                endOfWait = min(deadline ?? nextCheck, nextCheck)
            }
            if Descriptor.wait(for: .readable, of: descriptor, until: endOfWait) { return true }
            if Task.isCancelled { throw CancellationError() }
            if let deadline, deadline <= .now { return false }
        }
    }

    // MARK: Writing

    /// Empties the file, so that the next bytes are its first.
    ///
    /// - Throws: ``FileError``.
    func truncate() throws(FileError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw FileError(.write, name, number: errno)
        }
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``OutputClosed`` if the reader has gone, and ``FileError`` for any other failure.
    func write(_ bytes: [UInt8]) throws {
        do {
            try bytes.withUnsafeBytes { try Descriptor.write(descriptor, $0) }
        } catch Descriptor.WriteFailure.closed {
            throw OutputClosed()
        } catch Descriptor.WriteFailure.failed(let error) {
            throw FileError(.write, name, reason: error.reason)
        }
    }
}
