import EndpointKit
import SystemCalls

/// A directory whose files only their owner can read.
///
/// The directory has mode 0700 and each file mode 0600, whatever the umask. A directory or file that others can read
/// or write is refused.
struct PrivateDirectory: Sendable {
    /// The path of the directory, without a slash at its end.
    let path: String

    /// Returns the path of a directory for state of the tool: `$XDG_STATE_HOME/apictl/NAME`, else
    /// `~/.local/state/apictl/NAME`.
    ///
    /// - Returns: The path; nil if neither XDG_STATE_HOME nor HOME is set.
    static func path(_ name: String, tool: String, _ environment: ProcessEnvironment) -> String? {
        // A relative path is invalid and ignored (XDG Base Directory Specification).
        if let state = environment.value("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/\(tool)/\(name)" }
        return environment.value("HOME").map { "\($0)/.local/state/\(tool)/\(name)" }
    }

    /// Returns the path of a file.
    func path(_ fileName: String) -> String { "\(path)/\(fileName)" }

    // MARK: Files

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - fileName: The name of the file.
    ///   - limit: The most bytes that it may have.
    /// - Returns: The bytes; nil if there is no such file.
    /// - Throws: ``FileError``.
    func read(_ fileName: String, limit: Int) throws -> [UInt8]? {
        let path = path(fileName)
        try requireRegularFile(path, for: .read)
        let file: DescriptorStream
        do {
            file = try DescriptorStream(path, .read, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, name: path)
        } catch let error where error.isMissing {
            return nil
        }
        try checkPrivacy(of: file.descriptor, path)
        try checkDirectory()
        return try file.readAll(name: path, limit: limit)
    }

    /// Replaces a file. A reader sees the earlier file or the new one, never a part.
    ///
    /// - Throws: ``FileError``.
    func write(_ bytes: [UInt8], to fileName: String) throws {
        try makeDirectory()
        let path = path(fileName)
        try requireRegularFile(path, for: .write)
        // A process that was killed may have left a secret behind.
        DiskFileReplacement.removeLeftovers(in: self.path)
        try DiskFileSystem().replace(path, isPrivate: true) { try $0.write(bytes) }
    }

    /// Removes a file. It is no error if there is none.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``FileError``.
    func remove(_ fileName: String) throws -> Bool {
        let path = path(fileName)
        let removed = SystemCall.withPath(path.exactBytes) { unlink($0) }
        if removed.value == 0 { return true }
        if removed.errorNumber == ENOENT { return false }
        throw FileError(.write, path, number: removed.errorNumber)
    }

    /// Returns the names of all files; none if there is no directory.
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

    /// Takes the lock of a file, which only one process at a time has.
    ///
    /// - Returns: The lock, which is released with the last reference to it; nil if another process has it.
    /// - Throws: ``FileError``.
    func lock(_ fileName: String) throws -> FileLock? {
        try makeDirectory()
        let path = path(fileName) + ".lock"
        let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC
        let file = try DescriptorStream(path, .write, flags, mode: 0o600, name: path)
        let taken = flock(file.descriptor, LOCK_EX | LOCK_NB)
        let errorNumber = errno
        if taken == 0 { return FileLock(file) }
        if errorNumber == EWOULDBLOCK { return nil }
        throw FileError(.write, path, number: errorNumber)
    }

    /// Waits for the lock of a file.
    ///
    /// - Parameters:
    ///   - fileName: The name of the file.
    ///   - deadline: When the lock must have been taken.
    /// - Throws: ``FileError``, also if the deadline passes; `CancellationError`.
    func lock(_ fileName: String, until deadline: ContinuousClock.Instant) async throws -> FileLock {
        while true {
            if let lock = try lock(fileName) { return lock }
            if ContinuousClock.now >= deadline {
                throw FileError(
                    .write, path(fileName), reason: "another process has locked it for too long", isTimeout: true)
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
            let made = SystemCall.withPath(parent.exactBytes) { mkdir($0, 0o700) }
            if made.value != 0, made.errorNumber != EEXIST {
                throw FileError(.write, parent, number: made.errorNumber)
            }
        }
        try checkDirectory()
    }

    /// Checks that a path is that of a regular file, if there is anything.
    ///
    /// The file to which a link leads would be read or replaced in place of the private one, and reading a pipe would
    /// wait for its writer.
    ///
    /// - Throws: ``FileError``.
    private func requireRegularFile(_ path: String, for operation: FileError.Operation) throws(FileError) {
        var status = stat()
        let found = SystemCall.withPath(path.exactBytes) { lstat($0, &status) }
        guard found.value == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw FileError(operation, path, reason: "it is not a regular file")
    }

    /// Checks that nobody but the owner can read or write the directory.
    ///
    /// - Throws: ``FileError``.
    private func checkDirectory() throws {
        let stream = try DescriptorStream(path, .read, O_RDONLY | O_DIRECTORY, name: path)
        try checkPrivacy(of: stream.descriptor, path)
    }

    /// Checks that nobody but the owner can read or write a file, and that the owner is the user of this process.
    ///
    /// - Parameters:
    ///   - descriptor: The open file or directory.
    ///   - path: Its path, for the error.
    /// - Throws: ``FileError``.
    private func checkPrivacy(of descriptor: Int32, _ path: String) throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError(.read, path, number: errno) }
        if status.st_mode & 0o077 != 0 {
            throw FileError(.read, path, reason: "others can read it; remove that right: chmod go= '\(path)'")
        }
        if status.st_uid != geteuid() { throw FileError(.read, path, reason: "it belongs to another user") }
    }
}

/// The lock of a file: an open file with an advisory lock (flock(2)), which ends with the process.
final class FileLock: Sendable {
    private let file: DescriptorStream

    fileprivate init(_ file: DescriptorStream) { self.file = file }
}
