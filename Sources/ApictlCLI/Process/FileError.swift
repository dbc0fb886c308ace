import SystemCalls

/// The error that a file can't be read or written.
struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// An operation on a file.
    enum Operation: String, Sendable { case read, write }

    let operation: Operation
    /// The file's name in messages: its path, or the name of a stream.
    let path: String
    let reason: String
    /// Whether the file to read does not exist, which some callers allow.
    let isMissing: Bool
    /// Whether a pipe was not read or written in time, so that a longer time limit may help.
    let isTimeout: Bool

    /// The message: `can't read names.txt: no such file or directory`.
    var description: String { "can't \(operation.rawValue) \(path.isEmpty ? "''" : path): \(reason)" }

    /// Makes an error with a reason.
    init(
        _ operation: Operation, _ path: String, reason: String, isMissing: Bool = false, isTimeout: Bool = false
    ) {
        self.operation = operation
        self.path = path
        self.reason = reason
        self.isMissing = isMissing
        self.isTimeout = isTimeout
    }

    /// Makes the error for an error number of the system (errno(3)).
    init(_ operation: Operation, _ path: String, number: Int32) {
        self.init(operation, path, SystemError(number: number))
    }

    /// Makes the error for an error of the system, whose reason it has.
    init(_ operation: Operation, _ path: String, _ error: SystemError) {
        let isMissing = operation == .read && error.number == ENOENT
        self.init(operation, path, reason: error.reason, isMissing: isMissing)
    }
}
