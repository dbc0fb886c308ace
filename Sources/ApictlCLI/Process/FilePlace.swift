import EndpointKit
import SystemCalls

/// Where a regular file is put: behind all links, so that the file is replaced and not the link.
struct FilePlace: Sendable {
    let path: String
    /// The permissions of the file that is there; nil where there is none.
    let mode: mode_t?

    /// Nil for what has no place to be renamed to: a device, a pipe, a folder, a link that leads nowhere.
    ///
    /// Throws ``FileError`` for a file that its owner has made read-only: renaming would quietly replace it.
    init?(_ path: String) throws(FileError) {
        var status = stat()
        guard stat(path.exactCString, &status) == 0 else {
            var link = stat()
            if lstat(path.exactCString, &link) == 0, link.st_mode & S_IFMT == S_IFLNK { return nil }
            self.path = path
            mode = nil
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        if access(path.exactCString, W_OK) != 0 || status.st_mode & 0o222 == 0 {
            throw FileError(.write, path, reason: SystemError(number: EACCES).reason)
        }
        self.path = Self.resolvingLinks(path)
        mode = status.st_mode & 0o777
    }

    private static func resolvingLinks(_ path: String) -> String {
        guard let resolved = realpath(path.exactCString, nil) else { return path }
        defer { free(resolved) }
        return String(exactBytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }

    /// The folder with its slash; empty for the current one.
    var folder: String { path.unicodeScalars.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    /// Puts the finished file at `temporary`, open as `descriptor`, here.
    ///
    /// Throws ``FileError``, which calls the file `name`.
    func take(_ temporary: String, _ descriptor: Int32, name: String) throws(FileError) {
        // Without fsync a crash soon after the rename could leave an empty file where a whole one stood.
        guard fsync(descriptor) == 0, SystemCall.rename(temporary.exactCString, to: path.exactCString) == 0 else {
            throw FileError(.write, name, reason: SystemError.last.reason)
        }
        syncFolder()
    }

    /// Sees to it that the names in the folder outlast a crash. Not every file system can; the files themselves are safe by now.
    func syncFolder() {
        let descriptor = SystemCall.open((folder.isEmpty ? "." : folder).exactCString, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}

extension String {
    /// The exact bytes of the text with a terminator, for a C function.
    var exactCString: [CChar] { (exactBytes + [0]).map { CChar(bitPattern: $0) } }
}
