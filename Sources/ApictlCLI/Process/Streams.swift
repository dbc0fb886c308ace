import EndpointKit
import Synchronization
import SystemCalls

/// A source of bytes: stdin, a file, or a buffer in a test.
protocol ByteInput: Sendable {
    var isTerminal: Bool { get }
    /// The next available bytes; empty at the end. Throws ``FileError``, also if `deadline` passes while it waits for a writer.
    func read(until deadline: ContinuousClock.Instant?) throws -> [UInt8]
}

extension ByteInput {
    /// Everything up to the end. The error for more than `limit` bytes ends with `advice`. Throws ``FileError``.
    func readAll(
        name: String, limit: Int = Client.defaultMaxBodySize, advice: String = "",
        until deadline: ContinuousClock.Instant? = nil
    ) throws -> [UInt8] {
        var result: [UInt8] = []
        while true {
            let chunk = try read(until: deadline)
            if chunk.isEmpty { return result }
            result += chunk
            if result.count > limit {
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
    /// Whether some 4096 bytes can be written without waiting for a reader.
    var isReady: Bool { get }
    /// Writes all of `bytes`. Throws ``OutputClosed`` if the reader has gone, ``FileError`` for any other failure.
    func write(_ bytes: [UInt8]) throws
}

extension ByteOutput {
    var columns: Int? { nil }

    var isReady: Bool { true }

    func write(_ text: String) throws { try write(text.exactBytes) }
}

/// The reader of a pipe has gone.
struct OutputClosed: Error {}

/// Reads from a file descriptor, or writes to it, and closes it in the end if it is its own.
final class DescriptorStream: ByteInput, ByteOutput {
    private static let chunkSize = 128 * 1024

    let descriptor: Int32
    /// What messages call it.
    let name: String
    private let isOwn: Bool

    init(_ descriptor: Int32, name: String, isOwn: Bool = true) {
        (self.descriptor, self.name, self.isOwn) = (descriptor, name, isOwn)
    }

    /// Opens a file, which is made with `mode` if `flags` say so. Throws ``FileError``.
    convenience init(
        _ path: String, _ operation: FileError.Operation, _ flags: Int32, mode: mode_t = 0, name: String
    ) throws(FileError) {
        do {
            self.init(try SystemCall.open(path.exactBytes, flags, mode: mode), name: name)
        } catch {
            throw FileError(operation, name, error)
        }
    }

    deinit { if isOwn { close(descriptor) } }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    var isReady: Bool { Descriptor.wait([(descriptor, .writable)], milliseconds: 0)[0] }

    var columns: Int? { size.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } }

    var rows: Int? { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

    private var size: winsize? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }

    func read(until deadline: ContinuousClock.Instant?) throws -> [UInt8] {
        // Without this, a pipe opened before its writer would seem to be at its end. A signal cancels the task that waits.
        let isInTask = withUnsafeCurrentTask { $0 != nil }
        func end() -> ContinuousClock.Instant? {
            let next = ContinuousClock.now + .milliseconds(50)
            return isInTask ? min(deadline ?? next, next) : deadline
        }
        while !Descriptor.wait(for: .readable, of: descriptor, until: end()) {
            if Task.isCancelled { throw CancellationError() }
            if let deadline, deadline <= .now {
                throw FileError(.read, name, reason: "it did not end in time", isTimeout: true)
            }
        }
        do {
            return try [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
                count = try Descriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
            }
        } catch let error as SystemError {
            throw FileError(.read, name, reason: error.reason)
        }
    }

    /// Empties the file and starts at its beginning. Throws ``FileError``.
    func truncate() throws(FileError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw FileError(.write, name, number: errno)
        }
    }

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

/// Paths that name an open file descriptor of this process.
///
/// Output to such a path is written at the descriptor's current offset; its file is never replaced.
enum OpenDescriptor {
    /// The descriptor that `path` names; nil for any other path.
    static func number(_ path: String) -> Int32? {
        if let number = ["/dev/stdin", "/dev/stdout", "/dev/stderr"].firstIndex(of: path) { return Int32(number) }
        for directory in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(directory) {
            return Int32(digits: path.dropFirst(directory.count))
        }
        return nil
    }

    /// Writes to a copy of a descriptor. Throws ``FileError``, which calls it `name`, if it is not open for writing.
    static func copy(_ number: Int32, name: String) throws(FileError) -> DescriptorStream {
        let flags = fcntl(number, F_GETFL)
        // Checked now instead of when the response arrives.
        if flags >= 0, flags & O_ACCMODE == O_RDONLY { throw FileError(.write, name, number: EBADF) }
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw FileError(.write, name, number: errno) }
        return DescriptorStream(copy, name: name)
    }
}

/// An output that keeps nothing.
struct NoOutput: ByteOutput {
    let isTerminal = false

    func write(_ bytes: [UInt8]) {}
}

/// An output that keeps what is written in memory.
final class BufferOutput: ByteOutput {
    let isTerminal: Bool
    let columns: Int?
    private let content = Mutex<[UInt8]>([])

    init(isTerminal: Bool = false, columns: Int? = nil) {
        self.isTerminal = isTerminal
        self.columns = columns
    }

    var bytes: [UInt8] { content.withLock { $0 } }

    func write(_ bytes: [UInt8]) throws { content.withLock { $0 += bytes } }
}
