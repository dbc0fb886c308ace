/// A regular file that is open for reading, and closed with the last reference to it.
package final class RegularFile: Sendable {
    /// The size in bytes when the file was opened.
    package let count: Int64
    private let descriptor: Int32

    /// Opens the file whose path is `path`, without a zero byte, for reading.
    ///
    /// - Throws: ``SystemError`` if it can't be opened, also for a directory, a device or a pipe.
    package init(_ path: [UInt8]) throws(SystemError) {
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        let descriptor = try SystemCall.open(path, O_RDONLY | O_NONBLOCK)
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        guard kind == S_IFREG else {
            SystemCall.close(descriptor)
            throw SystemError(reason: kind == S_IFDIR ? "it is a directory" : "it is not a regular file")
        }
        self.descriptor = descriptor
        count = Int64(status.st_size)
    }

    deinit { SystemCall.close(descriptor) }

    /// Fills the start of `buffer` with the bytes from `offset` on.
    ///
    /// - Returns: The number of bytes, at least one.
    /// - Throws: ``SystemError``, also if the file has become shorter.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
        let count = try Descriptor.read(descriptor, into: buffer, at: offset)
        guard count > 0 else { throw SystemError(reason: "it became shorter while it was sent") }
        return count
    }

    /// Returns the reason why the file at `path`, without a zero byte, can't be read; nil if it can.
    ///
    /// A pipe that is open already can be read, as a program's certificate is in `--cacert <(program)`. A named pipe
    /// can't, because a library that opens it would wait for its writer without end. A device can't either: the library
    /// might read it without end.
    package static func problem(_ path: [UInt8]) -> SystemError? {
        let allowed = SystemCall.withPath(path) { access($0, R_OK) }
        guard allowed.value == 0 else { return SystemError(number: allowed.errorNumber) }
        var status = stat()
        let result = SystemCall.withPath(path) { stat($0, &status) }
        guard result.value == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return nil
        case S_IFDIR: return SystemError(reason: "it is a directory")
        case _ where isOpenDescriptor(path): return nil
        case S_IFIFO: return SystemError(reason: "it is a named pipe")
        default: return SystemError(reason: "it is not a regular file")
        }
    }

    /// Returns whether a path is that of an open descriptor, such as `/dev/fd/63` of `<(program)` in a shell.
    private static func isOpenDescriptor(_ path: [UInt8]) -> Bool {
        ["/dev/fd/", "/proc/self/fd/", "/dev/stdin"].contains { path.starts(with: $0.utf8) }
    }
}
