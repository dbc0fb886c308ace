import EndpointKit
import SystemCalls

/// The place where a regular file is put.
///
/// If the path is a link to a file, the place is that of the file. So the file is replaced, and the link stays. The
/// file need not exist yet.
struct FilePlace: Sendable {
    let path: String
    /// The status of the file that is replaced; nil if there is none.
    private let replaced: stat?

    /// The length of the file that is replaced; nil if there is none.
    var length: Int? { replaced.map { Int($0.st_size) } }

    /// Finds the file that writing to a path replaces, which need not exist yet. Links are followed.
    ///
    /// The result is nil if a device, a pipe or a directory is at the path, none of which can be replaced.
    ///
    /// - Throws: ``FileError`` for links that lead in a circle, and for a file that its owner has made read-only,
    ///   because renaming would replace it all the same.
    init?(_ path: String) throws(FileError) {
        var status = stat()
        let query = SystemCall.withPath(path.exactBytes) { stat($0, &status) }
        if query.value == 0 {
            let isRegularFile = status.st_mode & S_IFMT == S_IFREG
            guard isRegularFile else { return nil }
            // For root, `access` allows writing to any file.
            let isReadOnly = access(path.exactCString, W_OK) != 0 || status.st_mode & 0o222 == 0
            if isReadOnly { throw FileError(.write, path, number: EACCES) }
            replaced = status
        } else {
            guard query.errorNumber == ENOENT else { throw FileError(.write, path, number: query.errorNumber) }
            replaced = nil
        }
        // A link may lead to a path at which nothing exists yet, which `resolved` does not find.
        self.path = DiskFileSystem.resolved(path) ?? DiskFileSystem.linkTarget(path)
    }

    /// Returns the directory of a path, with its slash: `a/b/` for `a/b/c`. It is empty for a path without a slash.
    static func directory(of path: String) -> String {
        guard let lastSlash = path.unicodeScalars.lastIndex(of: "/") else { return "" }
        return String(path[...lastSlash])
    }

    /// Returns the mode with which to create a file that ``install(_:descriptor:name:isPrivate:)`` later puts here.
    ///
    /// A file that replaces another one is readable only by its owner, until it is complete and gets the mode of the
    /// other one. A file that replaces nothing is created with its final mode, which the process's umask restricts.
    ///
    /// - Parameter isPrivate: Whether only the owner can ever read the file.
    func creationMode(isPrivate: Bool) -> mode_t {
        let isOnlyForOwner = isPrivate || replaced != nil
        return isOnlyForOwner ? 0o600 : 0o666
    }

    /// Puts a finished file here, with the owner, group and mode of the file that it replaces.
    ///
    /// - Parameters:
    ///   - temporaryPath: The path of the finished file, which was created with ``creationMode(isPrivate:)``.
    ///   - descriptor: The finished file, which is open.
    ///   - name: The name of the file in messages.
    ///   - isPrivate: Whether the file has mode 0600, whatever it replaces.
    /// - Throws: ``FileError``.
    func install(
        _ temporaryPath: String, descriptor: Int32, name: String, isPrivate: Bool = false
    ) throws(FileError) {
        if let replaced {
            // Only root may change the owner. Others may at least choose a group that they belong to, where the number
            // `uid_t.max` means to keep the owner. If that fails too, the file has the owner and group of a new file.
            if fchown(descriptor, replaced.st_uid, replaced.st_gid) != 0 {
                _ = fchown(descriptor, uid_t.max, replaced.st_gid)
            }
            fchmod(descriptor, isPrivate ? 0o600 : replaced.st_mode & 0o777)
        }
        // Without fsync, a crash of the machine soon after the rename could leave an empty file.
        guard fsync(descriptor) == 0 else { throw FileError(.write, name, number: errno) }
        let target = path.exactCString
        let renaming = SystemCall.withPath(temporaryPath.exactBytes) { SystemCalls.rename($0, target) }
        guard renaming.value == 0 else { throw FileError(.write, name, number: renaming.errorNumber) }
    }
}
