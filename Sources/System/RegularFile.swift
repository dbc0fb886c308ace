/// A regular file that is open for reading, and closed with the last reference to it.
package final class RegularFile: Sendable {
    /// The size in bytes when the file was opened.
    package let count: Int64
    private let descriptor: Int32

    /// Opens a file for reading.
    ///
    /// - Parameter path: The bytes of the path, without a zero byte.
    /// - Throws: ``SystemError`` if the file can't be opened, or if it is a directory, a device or a pipe.
    package init(_ path: [UInt8]) throws(SystemError) {
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        let descriptor = try SystemCall.open(path, O_RDONLY | O_NONBLOCK)
        var status = stat()
        // No kind of file has the number 0.
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        guard kind == S_IFREG else {
            SystemCall.close(descriptor)
            throw SystemError(reason: kind == S_IFDIR ? "it is a directory" : "it is not a regular file")
        }
        self.descriptor = descriptor
        count = Int64(status.st_size)
    }

    deinit { SystemCall.close(descriptor) }

    /// Fills the start of a buffer with the bytes of the file from an offset on.
    ///
    /// - Returns: The number of bytes, at least one.
    /// - Throws: ``SystemError`` if the file can't be read, or if it has become shorter.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
        let count = try Descriptor.read(descriptor, into: buffer, at: offset)
        guard count > 0 else { throw SystemError(reason: "it became shorter while it was sent") }
        return count
    }

    /// Returns the reason why a file can't be read, or nil if it can.
    ///
    /// A pipe that is open already can be read, such as that of a shell's `--cacert <(program)`. A named pipe can't,
    /// because a library that opens it might wait for a writer for ever. A device can't either, because the library
    /// might read it for ever.
    ///
    /// - Parameter path: The bytes of the path, without a zero byte.
    package static func readProblem(at path: [UInt8]) -> SystemError? {
        let accessCheck = SystemCall.withPath(path) { access($0, R_OK) }
        guard accessCheck.value == 0 else { return SystemError(number: accessCheck.errorNumber) }
        var status = stat()
        let hasStatus = SystemCall.withPath(path) { stat($0, &status) }.value == 0
        // Whatever is wrong then, reading the file reports it.
        guard hasStatus else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return nil
        case S_IFDIR: return SystemError(reason: "it is a directory")
        case _ where isOpenDescriptor(path): return nil
        case S_IFIFO: return SystemError(reason: "it is a named pipe")
        default: return SystemError(reason: "it is not a regular file")
        }
    }

    /// Returns whether a path leads to a descriptor that is open already, such as `/dev/fd/63`, which a shell makes of
    /// `<(program)`.
    private static func isOpenDescriptor(_ path: [UInt8]) -> Bool {
        ["/dev/fd/", "/proc/self/fd/", "/dev/stdin"].contains { path.starts(with: $0.utf8) }
    }
}
