import EndpointKit
import SystemCalls

/// A directory whose files only their owner can read.
///
/// The directory has mode 0700 and each file mode 0600, whatever the process's umask. A directory or file that others
/// can read or write is refused.
struct PrivateDirectory: Sendable {
    /// The path of the directory, without a slash at its end.
    let path: String

    /// Returns the path of a directory in which the tool keeps something from one run to the next:
    /// `$XDG_STATE_HOME/apictl/NAME`, or else `~/.local/state/apictl/NAME`.
    ///
    /// - Parameters:
    ///   - name: The name of the directory, such as `logins`.
    ///   - tool: The name of the tool.
    ///   - environment: The process, with its variables.
    /// - Returns: The path; nil if neither XDG_STATE_HOME nor HOME is set.
    static func statePath(_ name: String, tool: String, _ environment: ProcessEnvironment) -> String? {
        if let stateHome = environment.value("XDG_STATE_HOME") {
            // A relative path is invalid and ignored (XDG Base Directory Specification).
            let isAbsolute = stateHome.hasPrefix("/")
            if isAbsolute { return "\(stateHome)/\(tool)/\(name)" }
        }
        return environment.value("HOME").map { "\($0)/.local/state/\(tool)/\(name)" }
    }

    /// Returns the path of a file in the directory.
    func filePath(_ fileName: String) -> String { "\(path)/\(fileName)" }

    // MARK: Files

    /// Reads a file in the directory.
    ///
    /// - Parameters:
    ///   - fileName: The name of the file.
    ///   - limit: The greatest number of bytes that it may have.
    /// - Returns: The bytes; nil if there is no such file.
    /// - Throws: ``FileError``, also if others can read the file or the directory.
    func read(_ fileName: String, limit: Int) throws -> [UInt8]? {
        let filePath = filePath(fileName)
        try requireRegularFile(filePath, for: .read)
        let file: DescriptorStream
        do {
            let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW
            file = try DescriptorStream(opening: filePath, for: .read, flags: flags, name: filePath)
        } catch let error where error.isMissing {
            return nil
        }
        try requirePrivate(file.descriptor, path: filePath)
        try requirePrivateDirectory()
        return try file.readAll(name: filePath, limit: limit)
    }

    /// Replaces a file in the directory, which is made if there is none. A reader sees the earlier file or the whole
    /// new one.
    ///
    /// - Throws: ``FileError``, also if others can read the directory.
    func write(_ bytes: [UInt8], to fileName: String) throws {
        try makeDirectory()
        let filePath = filePath(fileName)
        try requireRegularFile(filePath, for: .write)
        // A process that was killed may have left an incomplete file with a secret behind.
        DiskFileReplacement.removeLeftovers(in: path)
        try DiskFileSystem().replace(filePath, isPrivate: true) { try $0.write(bytes) }
    }

    /// Removes a file from the directory, if there is one of this name.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``FileError``.
    func remove(_ fileName: String) throws -> Bool {
        let filePath = filePath(fileName)
        let removal = SystemCall.withPath(filePath.exactBytes) { unlink($0) }
        if removal.value == 0 { return true }
        if removal.errorNumber == ENOENT { return false }
        throw FileError(.write, filePath, number: removal.errorNumber)
    }

    /// Returns the names of all files in the directory; none if there is no directory.
    ///
    /// - Throws: ``FileError``.
    func names() throws -> [String] {
        do {
            return try DiskFileSystem().list(path)
        } catch let error as FileError where error.isMissing {
            return []
        }
    }

    // MARK: Locks

    /// Takes the lock of a file, which only one process at a time can hold.
    ///
    /// The lock is an advisory one (flock(2)) on a file of its own, `NAME.lock`, because the file itself is replaced
    /// whenever it is written.
    ///
    /// - Parameter fileName: The name of the file, which need not exist.
    /// - Returns: The lock, which is released with the last reference to it; nil if another process holds it.
    /// - Throws: ``FileError``.
    func lock(_ fileName: String) throws -> FileLock? {
        try makeDirectory()
        let lockPath = filePath(fileName) + ".lock"
        let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC
        let file = try DescriptorStream(opening: lockPath, for: .write, flags: flags, mode: 0o600, name: lockPath)
        let lockResult = flock(file.descriptor, LOCK_EX | LOCK_NB)
        // It is read at once, because any other call may change it.
        let errorNumber = errno
        if lockResult == 0 { return FileLock(file) }
        if errorNumber == EWOULDBLOCK { return nil }
        throw FileError(.write, lockPath, number: errorNumber)
    }

    /// Waits until no other process holds the lock of a file, and takes it.
    ///
    /// - Parameters:
    ///   - fileName: The name of the file, which need not exist.
    ///   - deadline: When the lock must have been taken.
    /// - Returns: The lock, which is released with the last reference to it.
    /// - Throws: ``FileError``, also if the deadline passes, and `CancellationError`.
    func lock(_ fileName: String, until deadline: ContinuousClock.Instant) async throws -> FileLock {
        while true {
            if let lock = try lock(fileName) { return lock }
            if ContinuousClock.now >= deadline {
                throw FileError(
                    .write, filePath(fileName), reason: "another process has locked it for too long", isTimeout: true)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    // MARK: Privacy

    /// Makes the directory, and those above it, unless they exist.
    ///
    /// - Throws: ``FileError``, also for a directory that others can read.
    private func makeDirectory() throws {
        var parent = ""
        for name in path.split(separator: "/") {
            parent += "/" + name
            let creation = SystemCall.withPath(parent.exactBytes) { mkdir($0, 0o700) }
            if creation.value != 0, creation.errorNumber != EEXIST {
                throw FileError(.write, parent, number: creation.errorNumber)
            }
        }
        try requirePrivateDirectory()
    }

    /// Checks that there is a regular file at a path, or nothing.
    ///
    /// If there were a link, the file to which it leads would be read or replaced. Reading a pipe would wait for a
    /// program that writes it.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - operation: What the caller does with the file, read or write. The message says that it can't be done.
    /// - Throws: ``FileError`` for a link, a pipe, a directory and so on.
    private func requireRegularFile(_ path: String, for operation: FileError.Operation) throws(FileError) {
        var status = stat()
        let statResult = SystemCall.withPath(path.exactBytes) { lstat($0, &status) }
        let exists = statResult.value == 0
        let isRegularFile = status.st_mode & S_IFMT == S_IFREG
        if exists, !isRegularFile { throw FileError(operation, path, reason: "it is not a regular file") }
    }

    /// Checks that nobody but the owner can read or write the directory.
    ///
    /// - Throws: ``FileError``.
    private func requirePrivateDirectory() throws {
        let stream = try DescriptorStream(opening: path, for: .read, flags: O_RDONLY | O_DIRECTORY, name: path)
        try requirePrivate(stream.descriptor, path: path)
    }

    /// Checks that nobody but the owner can read or write a file, and that the owner is the user of this process.
    ///
    /// - Parameters:
    ///   - descriptor: The open file or directory.
    ///   - path: Its path, for the error.
    /// - Throws: ``FileError``.
    private func requirePrivate(_ descriptor: Int32, path: String) throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError(.read, path, number: errno) }
        // The lowest six bits are the rights of the group and of all others.
        let hasRightsForOthers = status.st_mode & 0o077 != 0
        if hasRightsForOthers {
            throw FileError(.read, path, reason: "others can read it; remove that right: chmod go= '\(path)'")
        }
        if status.st_uid != geteuid() { throw FileError(.read, path, reason: "it belongs to another user") }
    }
}

/// The lock of a file: an open file with an advisory lock (flock(2)). It is released when the file is closed, with the
/// last reference or with the process.
final class FileLock: Sendable {
    private let file: DescriptorStream

    fileprivate init(_ file: DescriptorStream) { self.file = file }
}
