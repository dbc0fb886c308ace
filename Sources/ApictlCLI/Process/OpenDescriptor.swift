import EndpointKit
import SystemCalls

/// Paths that name an open file descriptor of this process, such as `/dev/stdout`.
///
/// Output to such a path goes to the current position of the descriptor. The file behind it is never replaced.
enum OpenDescriptor {
    /// Returns the descriptor that a path names: 3 for `/dev/fd/3`, and 1 for `/dev/stdout`.
    ///
    /// - Returns: The descriptor; nil for any other path.
    static func number(inPath path: String) -> Int32? {
        // The index of each path is the number of its descriptor.
        let standardPaths = ["/dev/stdin", "/dev/stdout", "/dev/stderr"]
        if let number = standardPaths.firstIndex(of: path) { return Int32(number) }
        for directory in ["/dev/fd/", "/proc/self/fd/"] {
            if path.hasPrefix(directory) { return Int32(digits: path.dropFirst(directory.count)) }
        }
        return nil
    }

    /// Makes a copy of a descriptor, and returns a stream that writes to it.
    ///
    /// The copy is closed with the stream, and the descriptor stays open.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor to copy.
    ///   - name: The name of the stream in messages.
    /// - Throws: ``FileError`` if the descriptor is not open for writing.
    static func copy(_ descriptor: Int32, name: String) throws(FileError) -> DescriptorStream {
        let flags = fcntl(descriptor, F_GETFL)
        // Writing to it would fail too, but only after the request has been sent.
        let isReadOnly = flags >= 0 && flags & O_ACCMODE == O_RDONLY
        if isReadOnly { throw FileError(.write, name, number: EBADF) }
        let newDescriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard newDescriptor >= 0 else { throw FileError(.write, name, number: errno) }
        return DescriptorStream(newDescriptor, name: name)
    }
}
