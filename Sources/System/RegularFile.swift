/// A regular file open for reading, closed with the last reference to it.
package final class RegularFile: Sendable {
    /// Its size in bytes when it was opened.
    package let count: Int64
    private let descriptor: Int32

    /// Opens the file whose path is `path`, without a zero byte. Throws ``SystemError``, also for a directory, a device or a pipe.
    package init(_ path: [UInt8]) throws(SystemError) {
        let descriptor = SystemCall.open((path + [0]).map { CChar(bitPattern: $0) }, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .last }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            SystemCall.close(descriptor)
            throw SystemError(reason: isDirectory ? "it is a directory" : "it is not a regular file")
        }
        self.descriptor = descriptor
        count = Int64(status.st_size)
    }

    deinit { SystemCall.close(descriptor) }

    /// Fills the start of `buffer` from `offset` on and returns how many bytes; at least one.
    ///
    /// Throws ``SystemError``, also if the file has become shorter.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        let count = try Descriptor.read(descriptor, into: buffer, at: offset)
        guard count > 0 else { throw SystemError(reason: "it became shorter while it was sent") }
        return count
    }

    /// Why the file at `path`, which ends with a zero byte, can't be read; nil if it can.
    package static func problem(_ path: [UInt8]) -> SystemError? {
        let path = path.map { CChar(bitPattern: $0) }
        guard access(path, R_OK) == 0 else { return .last }
        var status = stat()
        let isDirectory = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        return isDirectory ? SystemError(reason: "it is a directory") : nil
    }
}
