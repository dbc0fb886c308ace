import EndpointKit
import SystemCalls

/// A new file that takes the place of another one once it is complete.
///
/// Until then it has a temporary name in the same directory. So a reader sees either the old file or the whole new
/// one, also after an error.
///
/// The new file is locked while it is written. If the process is killed, the file stays behind without a lock, and
/// ``removeLeftovers(in:)`` removes it.
final class DiskFileReplacement: FileReplacement {
    let isTerminal = false
    private let place: FilePlace
    /// The path of the new file until it is complete.
    private let temporaryPath: String
    private let output: DescriptorStream
    /// Whether only the owner can read the file.
    private let isPrivate: Bool

    /// Creates a new file under a temporary name.
    ///
    /// - Parameters:
    ///   - place: The place of the finished file.
    ///   - name: The name of the file in messages.
    ///   - isPrivate: Whether only the owner can read the file.
    /// - Throws: ``FileError``.
    init(_ place: FilePlace, name: String, isPrivate: Bool) throws(FileError) {
        self.place = place
        self.isPrivate = isPrivate
        // The name of the file is no part of the temporary name, which could otherwise become longer than NAME_MAX.
        // With its highest bit set, each number has the same count of digits.
        let suffix = String(UInt64.random(in: 1 << 63 ... .max), radix: 36)
        temporaryPath = FilePlace.directory(of: place.path) + Self.temporaryPrefix + suffix
        let mode = place.creationMode(isPrivate: isPrivate)
        output = try Self.createLockedFile(temporaryPath, mode: mode, name: name)
    }

    /// The beginning of the names of files that are not complete.
    private static let temporaryPrefix = ".part-"

    /// Creates a file and locks it.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - mode: The mode of the file.
    ///   - name: The name of the file in messages.
    /// - Throws: ``FileError``.
    private static func createLockedFile(
        _ path: String, mode: mode_t, name: String
    ) throws(FileError) -> DescriptorStream {
        while true {
            let flags = O_WRONLY | O_CREAT | O_EXCL
            let file = try DescriptorStream(opening: path, for: .write, flags: flags, mode: mode, name: name)
            // On a file system without locks, the file is used without one.
            _ = flock(file.descriptor, LOCK_EX)
            // Another process may have removed the file as a leftover before it was locked. Then it has no name any
            // more, and another file is created.
            var status = stat()
            let wasRemoved = fstat(file.descriptor, &status) == 0 && status.st_nlink == 0
            if !wasRemoved { return file }
        }
    }

    /// Removes the incomplete files that killed processes have left behind in a directory.
    ///
    /// - Parameter directory: The path of the directory, without a slash at its end.
    static func removeLeftovers(in directory: String) {
        let names = (try? DiskFileSystem().list(directory)) ?? []
        for name in names where name.hasPrefix(temporaryPrefix) {
            let path = "\(directory)/\(name)"
            // A link or a pipe with such a name is not opened.
            let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK
            guard let file = try? DescriptorStream(opening: path, for: .write, flags: flags, name: path) else {
                continue
            }
            // A process that still writes the file holds its lock.
            if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path.exactCString) }
        }
    }

    func write(_ bytes: [UInt8]) throws { try output.write(bytes) }

    /// Empties the new file.
    ///
    /// - Returns: True, because everything can be written again.
    /// - Throws: ``FileError``.
    func restart() throws -> Bool {
        try output.truncate()
        return true
    }

    /// Puts the new file in place of the old one.
    ///
    /// - Throws: ``FileError``.
    func commit() throws {
        try place.install(temporaryPath, descriptor: output.descriptor, name: output.name, isPrivate: isPrivate)
    }

    /// Removes the new file. After ``commit()``, there is none under the temporary name.
    func discard() { unlink(temporaryPath.exactCString) }
}
