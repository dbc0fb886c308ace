import EndpointKit
import SystemCalls

/// Where a regular file is put: at the end of all links, so that the file is replaced and not the link.
struct FilePlace: Sendable {
    let path: String
    /// The file that is there; nil if there is none.
    let replaced: Replaced?

    /// What a file passes on to the one that takes its place.
    struct Replaced: Sendable, Equatable {
        let owner: uid_t
        let group: gid_t
        let mode: mode_t
    }

    /// Nil for what can't be replaced: a device, a pipe, a directory.
    ///
    /// Throws ``FileError`` for a file that its owner has made read-only, because renaming would quietly replace it, and for links
    /// that lead in a circle.
    init?(_ path: String) throws(FileError) {
        var status = stat()
        guard stat(path.exactCString, &status) == 0 else {
            let number = errno
            guard number == ENOENT else { throw FileError(.write, path, reason: SystemError(number: number).reason) }
            self.path = Self.endOfLinks(path)
            replaced = nil
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        if access(path.exactCString, W_OK) != 0 || status.st_mode & 0o222 == 0 {
            throw FileError(.write, path, reason: SystemError(number: EACCES).reason)
        }
        self.path = Self.resolvingLinks(path)
        replaced = Replaced(owner: status.st_uid, group: status.st_gid, mode: status.st_mode & 0o777)
    }

    private static func resolvingLinks(_ path: String) -> String {
        guard let resolved = realpath(path.exactCString, nil) else { return path }
        defer { free(resolved) }
        return String(exactBytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
    }

    /// The name that `path` leads to, where there is nothing yet. The system has found that the links end.
    private static func endOfLinks(_ path: String) -> String {
        var path = path
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        while true {
            let count = readlink(path.exactCString, &buffer, buffer.count)
            guard count > 0 else { return path }
            let target = String(exactBytes: buffer.prefix(count).map { UInt8(bitPattern: $0) })
            path = target.hasPrefix("/") ? target : directory(of: path) + target
        }
    }

    /// The directory with its slash; empty for the current one.
    var directory: String { Self.directory(of: path) }

    private static func directory(of path: String) -> String {
        path.unicodeScalars.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    private var directoryPath: [CChar] { (directory.isEmpty ? "." : directory).exactCString }

    /// Throws ``FileError``, which calls the file `name`, if a file could not be renamed to this place: found out before a request is spent.
    func requireReplaceable(name: String) throws(FileError) {
        guard access(directoryPath, W_OK | X_OK) == 0 else {
            throw FileError(.write, name, reason: SystemError.last.reason)
        }
        var status = stat()
        guard stat(directoryPath, &status) == 0, let replaced else { return }
        if Self.isProtected(replaced, in: status, from: geteuid()) {
            throw FileError(.write, name, reason: SystemError(number: EPERM).reason)
        }
    }

    /// Whether the sticky bit of `directory` keeps `user` from replacing a file of somebody else's there.
    static func isProtected(_ file: Replaced, in directory: stat, from user: uid_t) -> Bool {
        directory.st_mode & S_ISVTX != 0 && user != 0 && user != file.owner && user != directory.st_uid
    }

    /// Puts the finished file at `temporary`, open as `descriptor`, here, with the owner, group and mode of the file that it replaces.
    ///
    /// Throws ``FileError``, which calls the file `name`.
    func take(_ temporary: String, _ descriptor: Int32, name: String) throws(FileError) {
        adopt(descriptor)
        // Without fsync a crash soon after the rename could leave an empty file where a whole one stood.
        guard fsync(descriptor) == 0, SystemCall.rename(temporary.exactCString, to: path.exactCString) == 0 else {
            throw FileError(.write, name, reason: SystemError.last.reason)
        }
        syncDirectory()
    }

    private func adopt(_ descriptor: Int32) {
        guard let replaced else {
            let mask = umask(0o077)
            umask(mask)
            fchmod(descriptor, 0o666 & ~mask)
            return
        }
        // Only root may give files away; a group that one is in may be given.
        if fchown(descriptor, replaced.owner, replaced.group) != 0 { _ = fchown(descriptor, uid_t.max, replaced.group) }
        fchmod(descriptor, replaced.mode)
    }

    /// Sees to it that the names in the directory outlast a crash. Not every file system can; the files themselves are safe by now.
    func syncDirectory() {
        let descriptor = SystemCall.open(directoryPath, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}

extension String {
    /// The exact bytes of the text with a terminator, for a C function.
    var exactCString: [CChar] { (exactBytes + [0]).map { CChar(bitPattern: $0) } }
}
