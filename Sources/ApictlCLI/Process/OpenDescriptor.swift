import SystemCalls

/// Paths that name an open file descriptor of this process.
///
/// Output to such a path is written at the descriptor's current offset; its file is never replaced.
enum OpenDescriptor {
    /// The descriptor that `path` names; nil for any other path.
    static func number(_ path: String) -> Int32? {
        switch path {
        case "/dev/stdin": return STDIN_FILENO
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default: break
        }
        for directory in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(directory) {
            let digits = path.dropFirst(directory.count)
            if digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Int32(digits) }
        }
        return nil
    }

    /// Duplicates a descriptor. Throws ``FileError``, which calls it `name`, if it is not open for writing.
    static func copy(_ number: Int32, name: String) throws(FileError) -> Int32 {
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0 else { throw FileError(.write, name, reason: SystemError.last.reason) }
        // Checked now instead of when the response arrives.
        guard flags & O_ACCMODE != O_RDONLY else {
            throw FileError(.write, name, reason: SystemError(number: EBADF).reason)
        }
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw FileError(.write, name, reason: SystemError.last.reason) }
        return copy
    }
}
