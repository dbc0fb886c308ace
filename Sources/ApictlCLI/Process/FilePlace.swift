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

    /// Finds the place of the file that writing to a path creates or replaces. Links are followed.
    ///
    /// - Returns: Nil if a device, a pipe or a directory is at the path, none of which can be replaced.
    /// - Throws: ``FileError`` for links that lead in a circle, and for a file that its owner has made read-only,
    ///   because renaming would replace it all the same.
    init?(_ path: String) throws(FileError) {
        var status = stat()
        let statResult = SystemCall.withPath(path.exactBytes) { stat($0, &status) }
        if statResult.value == 0 {
            let isRegularFile = status.st_mode & S_IFMT == S_IFREG
            guard isRegularFile else { return nil }
            // For root, `access` allows writing to any file.
            let isReadOnly = access(path.exactCString, W_OK) != 0 || status.st_mode & 0o222 == 0
            if isReadOnly { throw FileError(.write, path, number: EACCES) }
            replaced = status
        } else {
            guard statResult.errorNumber == ENOENT else {
                throw FileError(.write, path, number: statResult.errorNumber)
            }
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

    /// Returns the mode with which to create a file that ``install(_:descriptor:name:isPrivate:)`` later moves to
    /// ``path``.
    ///
    /// A file that replaces another one is readable only by its owner, until it is complete and gets the mode of the
    /// other one. A file that replaces nothing is created with its final mode, which the process's umask restricts.
    ///
    /// - Parameter isPrivate: Whether only the owner can ever read the file.
    func creationMode(isPrivate: Bool) -> mode_t {
        let isOnlyForOwner = isPrivate || replaced != nil
        return isOnlyForOwner ? 0o600 : 0o666
    }

    /// Moves a finished file to ``path``, with the owner, group and mode of the file that it replaces there.
    ///
    /// A file that replaces nothing keeps the owner, group and mode with which it was created.
    ///
    /// - Parameters:
    ///   - temporaryPath: The path of the finished file, which was created with ``creationMode(isPrivate:)``.
    ///   - descriptor: The descriptor of the finished file, which is open.
    ///   - name: The name of the file in messages.
    ///   - isPrivate: Whether the file has mode 0600 even if it replaces a file that others may read. A private file
    ///     that replaces nothing was already created with that mode.
    /// - Throws: ``FileError`` if the file can't be written to the disk or moved.
    func install(
        _ temporaryPath: String, descriptor: Int32, name: String, isPrivate: Bool = false
    ) throws(FileError) {
        if let replaced {
            // Only root may change the owner. Any other user may choose a group of their own.
            let didChangeOwner = fchown(descriptor, replaced.st_uid, replaced.st_gid) == 0
            // As an owner, the number `uid_t.max` means no change. If this fails too, the file keeps its own group.
            if !didChangeOwner { _ = fchown(descriptor, uid_t.max, replaced.st_gid) }
            // If this fails, the file keeps mode 0600, with which it was created because it replaces another one.
            fchmod(descriptor, isPrivate ? 0o600 : replaced.st_mode & 0o777)
        }
        // Without fsync, a crash of the machine soon after the rename could leave an empty file.
        guard fsync(descriptor) == 0 else { throw FileError(.write, name, number: errno) }
        let target = path.exactCString
        // Renaming replaces a file at once, so that nobody sees a part of the new one.
        let renaming = SystemCall.withPath(temporaryPath.exactBytes) { source in rename(source, target) }
        guard renaming.value == 0 else { throw FileError(.write, name, number: renaming.errorNumber) }
    }
}
