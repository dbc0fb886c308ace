import EndpointKit
import SystemCalls

/// The place where a regular file is put.
///
/// If the path is a link to a file, the place is that of the file. So the file is replaced, and the link stays. The file
/// need not exist yet.
struct FilePlace: Sendable {
    let path: String
    /// The status of the file that is replaced; nil if there is none.
    private let replaced: stat?

    /// The length of the file that is replaced; nil if there is none.
    var length: Int? { replaced.map { Int($0.st_size) } }

    /// Finds the place of a path; nil if nothing can be replaced there, as with a device, a pipe or a directory.
    ///
    /// - Throws: ``FileError`` for links that lead in a circle, and for a file that its owner has made read-only, because
    ///   renaming would replace it all the same.
    init?(_ path: String) throws(FileError) {
        var status = stat()
        let found = SystemCall.withPath(path.exactBytes) { stat($0, &status) }
        if found.value == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            if access(path.exactCString, W_OK) != 0 || status.st_mode & 0o222 == 0 {
                throw FileError(.write, path, number: EACCES)
            }
            replaced = status
        } else {
            guard found.errorNumber == ENOENT else { throw FileError(.write, path, number: found.errorNumber) }
            replaced = nil
        }
        self.path = DiskFileSystem.resolved(path) ?? DiskFileSystem.linkTarget(path)
    }

    /// Returns the directory of a path, with its slash; empty for the current directory.
    static func directory(of path: String) -> String {
        path.unicodeScalars.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Returns the mode with which to create a file that is later put here.
    ///
    /// A file with no predecessor is created with its final mode, which the process's umask restricts. A file that
    /// replaces another one is readable only by its owner until it is complete and gets the mode of the other one.
    func creationMode(isPrivate: Bool) -> mode_t { isPrivate || replaced != nil ? 0o600 : 0o666 }

    /// Puts a finished file here, with the owner, group and mode of the file that it replaces.
    ///
    /// - Parameters:
    ///   - temporary: The path of the file, which was created with ``creationMode(isPrivate:)``.
    ///   - descriptor: The open file.
    ///   - name: The file's name in errors.
    ///   - isPrivate: Whether the file has mode 0600, whatever it replaces.
    /// - Throws: ``FileError``.
    func take(_ temporary: String, _ descriptor: Int32, name: String, isPrivate: Bool = false) throws(FileError) {
        if let replaced {
            // Only root may change the owner. Others may at least choose a group that they belong to; the number
            // `uid_t.max` keeps the owner. If that fails too, the file keeps the owner and group of a new file.
            if fchown(descriptor, replaced.st_uid, replaced.st_gid) != 0 {
                _ = fchown(descriptor, uid_t.max, replaced.st_gid)
            }
            fchmod(descriptor, isPrivate ? 0o600 : replaced.st_mode & 0o777)
        }
        // Without fsync a crash soon after the rename could leave an empty file where a whole one stood.
        guard fsync(descriptor) == 0 else { throw FileError(.write, name, number: errno) }
        let target = path.exactCString
        let renamed = SystemCall.withPath(temporary.exactBytes) { SystemCalls.rename($0, target) }
        guard renamed.value == 0 else { throw FileError(.write, name, number: renamed.errorNumber) }
    }
}
