import EndpointKit
import SystemCalls

/// Keeps logins in files of a directory that only their owner can read.
///
/// The directory has mode 0700 and each file mode 0600, whatever the umask. A directory or file that others can read
/// or write is refused.
struct DiskLoginStore: LoginStore {
    /// The path of the directory, without a slash at its end.
    let directory: String

    /// Finds the directory: `$XDG_STATE_HOME/apictl/logins`, else `~/.local/state/apictl/logins`.
    ///
    /// - Returns: The store; nil if neither XDG_STATE_HOME nor HOME is set.
    static func ofProcess(tool: String, _ environment: ProcessEnvironment) -> DiskLoginStore? {
        // A relative path is invalid and ignored (XDG Base Directory Specification).
        if let state = environment.value("XDG_STATE_HOME"), state.hasPrefix("/") {
            return DiskLoginStore(directory: "\(state)/\(tool)/logins")
        }
        return environment.value("HOME").map { DiskLoginStore(directory: "\($0)/.local/state/\(tool)/logins") }
    }

    private func path(_ key: LoginKey) -> String { "\(directory)/\(key.fileName)" }

    func read(_ key: LoginKey) throws -> StoredLogin? {
        let path = path(key)
        try requireRegularFile(path, for: .read)
        let file: DescriptorStream
        do {
            file = try DescriptorStream(path, .read, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, name: path)
        } catch let error where error.isMissing {
            return nil
        }
        try checkPrivacy(of: file.descriptor, path)
        try checkDirectory()
        let bytes = try file.readAll(name: path, limit: CredentialSource.maxValueLength * 4)
        do {
            return try Coding().decode(StoredLogin.self, from: bytes)
        } catch {
            throw FileError(.read, path, reason: "it is not a stored login; log out and in again")
        }
    }

    func write(_ login: StoredLogin, for key: LoginKey) throws {
        try makeDirectory()
        let path = path(key)
        try requireRegularFile(path, for: .write)
        // A process that was killed may have left a token behind.
        DiskFileReplacement.removeLeftovers(in: directory)
        try DiskFileSystem().replace(path, isPrivate: true) { try $0.write(Coding().encode(login)) }
    }

    func remove(_ key: LoginKey) throws {
        let path = path(key)
        let removed = SystemCall.withPath(path.exactBytes) { unlink($0) }
        if removed.value != 0, removed.errorNumber != ENOENT {
            throw FileError(.write, path, number: removed.errorNumber)
        }
    }

    func keys() throws -> [LoginKey] { try files().compactMap(LoginKey.init(fileName:)) }

    /// Returns the names of the files in the directory.
    private func files() throws -> [String] {
        do {
            return try DiskFileSystem().list(directory)
        } catch let error as FileError where error.isMissing {
            return []
        }
    }

    func keepingValues(in program: [String]) -> any LoginStore { ProgramLoginStore(program, list: self) }

    // MARK: The list of a program's logins

    /// The end of the name of an empty file, which says that a program keeps a login.
    private static let listed = ".listed"

    /// Adds a login to the list of those that a program keeps.
    func list(_ key: LoginKey) throws {
        try makeDirectory()
        let path = path(key) + Self.listed
        _ = try DescriptorStream(path, .write, O_WRONLY | O_CREAT | O_NOFOLLOW, mode: 0o600, name: path)
    }

    /// Removes a login from the list of those that a program keeps.
    func unlist(_ key: LoginKey) { unlink((path(key) + Self.listed).exactCString) }

    /// Returns the logins that a program keeps.
    func listedKeys() throws -> [LoginKey] {
        let names = try files().filter { $0.hasSuffix(Self.listed) }
        return names.compactMap { LoginKey(fileName: String($0.dropLast(Self.listed.count))) }
    }

    // MARK: Lock

    private func lockPath(_ key: LoginKey) -> String { path(key) + ".lock" }

    /// The lock of a login: an open file with an advisory lock (flock(2)), which ends with the process.
    private final class Lock: LoginLock {
        private let file: DescriptorStream

        init(_ file: DescriptorStream) { self.file = file }
    }

    func lock(_ key: LoginKey) throws -> (any LoginLock)? {
        try makeDirectory()
        let path = lockPath(key)
        let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC
        let file = try DescriptorStream(path, .write, flags, mode: 0o600, name: path)
        let taken = flock(file.descriptor, LOCK_EX | LOCK_NB)
        let errorNumber = errno
        if taken == 0 { return Lock(file) }
        if errorNumber == EWOULDBLOCK { return nil }
        throw FileError(.write, path, number: errorNumber)
    }

    // MARK: Privacy

    /// Makes the directory, and those above it, unless they exist.
    ///
    /// - Throws: ``FileError``, also for a directory that others can read.
    private func makeDirectory() throws {
        var path = ""
        for name in directory.split(separator: "/") {
            path += "/" + name
            let made = SystemCall.withPath(path.exactBytes) { mkdir($0, 0o700) }
            if made.value != 0, made.errorNumber != EEXIST {
                throw FileError(.write, path, number: made.errorNumber)
            }
        }
        try checkDirectory()
    }

    /// Checks that a path is that of a regular file, if there is anything.
    ///
    /// The file to which a link leads would be read or replaced in place of the login, and reading a pipe would wait
    /// for its writer.
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
        let stream = try DescriptorStream(directory, .read, O_RDONLY | O_DIRECTORY, name: directory)
        try checkPrivacy(of: stream.descriptor, directory)
    }

    /// Checks that nobody but the owner can read or write a file, and that the owner is the user of this process.
    ///
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
