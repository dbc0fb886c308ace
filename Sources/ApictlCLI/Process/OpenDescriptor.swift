import SystemCalls

/// Paths that mean a file descriptor of this process: it is written to where it stands, whatever file is behind it.
enum OpenDescriptor {
    /// The descriptor that `path` means; nil for any other path.
    static func number(_ path: String) -> Int32? {
        switch path {
        case "/dev/stdin": return STDIN_FILENO
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default: break
        }
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
            let digits = path.dropFirst(folder.count)
            if digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Int32(digits) }
        }
        return nil
    }

    /// Another number for the same open file. Throws ``FileError``, which calls it `name`, where it is not open for writing.
    static func copy(_ number: Int32, name: String) throws(FileError) -> Int32 {
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0 else { throw FileError(.write, name, reason: SystemError.last.reason) }
        // Found out now and not with the answer there.
        guard flags & O_ACCMODE != O_RDONLY else {
            throw FileError(.write, name, reason: SystemError(number: EBADF).reason)
        }
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw FileError(.write, name, reason: SystemError.last.reason) }
        return copy
    }
}
