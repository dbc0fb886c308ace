import EndpointKit

/// Keeps logins in files of a directory that only their owner can read.
struct DiskLoginStore: LoginStore {
    private let files: PrivateDirectory

    /// The path of the directory, without a slash at its end.
    var directory: String { files.path }

    /// Makes the store of a directory, whose path has no slash at its end.
    init(directory: String) { files = PrivateDirectory(path: directory) }

    /// Finds the directory `logins` of the tool's state.
    ///
    /// - Returns: The store; nil if neither XDG_STATE_HOME nor HOME is set.
    static func ofProcess(tool: String, _ environment: ProcessEnvironment) -> DiskLoginStore? {
        PrivateDirectory.path("logins", tool: tool, environment).map(DiskLoginStore.init(directory:))
    }

    func read(_ key: LoginKey) throws -> StoredLogin? {
        guard let bytes = try files.read(key.fileName, limit: CredentialSource.maxValueLength * 4) else { return nil }
        do {
            return try Coding().decode(StoredLogin.self, from: bytes)
        } catch {
            throw FileError(
                .read, files.path(key.fileName), reason: "it is not a stored login; log out and in again")
        }
    }

    func write(_ login: StoredLogin, for key: LoginKey) throws {
        try files.write(Coding().encode(login), to: key.fileName)
    }

    func remove(_ key: LoginKey) throws { _ = try files.remove(key.fileName) }

    func keys() throws -> [LoginKey] { try files.names().compactMap(LoginKey.init(fileName:)) }

    func lock(_ key: LoginKey) throws -> (any LoginLock)? { try files.lock(key.fileName) }
}

extension FileLock: LoginLock {}
