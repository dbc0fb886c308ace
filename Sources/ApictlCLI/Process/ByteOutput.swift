/// A destination of bytes: stdout, stderr, a file, or a buffer in a test.
public protocol ByteOutput: Sendable {
    /// Whether it is a terminal.
    var isTerminal: Bool { get }
    /// The terminal's current width in columns; nil if it is not a terminal or the width is unknown.
    var columns: Int? { get }
    /// Writes all of `bytes`. Throws ``OutputClosed`` if the reader has gone, ``FileError`` for any other failure.
    func write(_ bytes: [UInt8]) throws
}

/// The reader of a pipe has gone.
public struct OutputClosed: Error, Sendable, Equatable {
    /// The only value.
    public init() {}
}

/// A file can't be read or written.
public struct FileError: Error, Sendable, Equatable {
    /// An operation on a file.
    public enum Operation: String, Sendable, Equatable {
        case read, write
    }

    /// The operation that failed.
    public let operation: Operation
    /// The file's name in messages: its path, or the name of a stream.
    public let path: String
    /// The system's reason, such as `No such file or directory`.
    public let reason: String
    /// Whether there is no such file.
    public let isMissing: Bool
    /// Whether the other end of a pipe took longer than the time limit.
    public let isTimeout: Bool

    /// A failure of `operation` on the file at `path`.
    public init(
        _ operation: Operation, _ path: String, reason: String, isMissing: Bool = false, isTimeout: Bool = false
    ) {
        self.operation = operation
        self.path = path
        self.reason = reason
        self.isMissing = isMissing
        self.isTimeout = isTimeout
    }
}

extension ByteOutput {
    /// Nil, as for an output that is not a terminal.
    public var columns: Int? { nil }

    func write(_ text: String) throws { try write(text.exactBytes) }
}
