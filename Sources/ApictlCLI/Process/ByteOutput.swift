/// Where bytes go: stdout, stderr, a file, or a buffer in a test.
public protocol ByteOutput: Sendable {
    /// Whether a person reads it on a terminal.
    var isTerminal: Bool { get }
    /// How many columns the terminal has now; nil where it is none, or does not tell.
    var columns: Int? { get }
    /// Writes all of `bytes`. Throws ``OutputClosed`` where nobody reads any more, ``FileError`` for any other failure.
    func write(_ bytes: [UInt8]) throws
}

/// The reader of a pipe has gone.
public struct OutputClosed: Error, Sendable, Equatable {
    /// The one value there is.
    public init() {}
}

/// A file can't be read or written.
public struct FileError: Error, Sendable, Equatable {
    /// What was to be done with the file.
    public enum Operation: String, Sendable, Equatable {
        case read, write
    }

    /// What could not be done.
    public let operation: Operation
    /// What the message calls the file: its path, or the name of a stream.
    public let path: String
    /// The system's reason, such as `No such file or directory`.
    public let reason: String

    /// A failure of `operation` on the file at `path`.
    public init(_ operation: Operation, _ path: String, reason: String) {
        self.operation = operation
        self.path = path
        self.reason = reason
    }
}

extension ByteOutput {
    /// No terminal, no columns.
    public var columns: Int? { nil }

    func write(_ text: String) throws { try write(text.exactBytes) }
}
