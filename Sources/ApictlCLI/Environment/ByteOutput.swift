/// Where bytes go: stdout, stderr, a file, or a buffer in a test.
public protocol ByteOutput: Sendable {
    /// Whether a person reads it on a terminal.
    var isTerminal: Bool { get }
    /// Writes all of `bytes`. Throws ``OutputClosed`` where nobody reads any more, ``FileError`` for any other failure.
    func write(_ bytes: [UInt8]) throws
}

/// The reader of a pipe has gone.
public struct OutputClosed: Error, Sendable, Equatable {
    public init() {}
}

/// A file can't be read or written.
public struct FileError: Error, Sendable, Equatable {
    public enum Operation: String, Sendable, Equatable {
        case read, write
    }

    public let operation: Operation
    public let path: String
    /// The system's reason, such as `No such file or directory`.
    public let reason: String

    public init(_ operation: Operation, _ path: String, reason: String) {
        self.operation = operation
        self.path = path
        self.reason = reason
    }
}

extension ByteOutput {
    func write(_ text: String) throws { try write(text.exactBytes) }
}
