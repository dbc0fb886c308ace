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
        PrivateDirectory.statePath("logins", tool: tool, environment).map(DiskLoginStore.init(directory:))
    }

    /// Reads a login from its file; nil if there is none.
    ///
    /// - Throws: ``FileError``, also for a file with other content.
    func read(_ key: LoginKey) throws -> StoredLogin? {
        // A login has up to three texts of the longest length: two tokens and the scopes.
        guard let bytes = try files.read(key.fileName, limit: CredentialSource.maxValueLength * 4) else { return nil }
        do {
            return try Coding().decode(StoredLogin.self, from: bytes)
        } catch {
            throw FileError(
                .read, files.filePath(key.fileName), reason: "it is not a stored login; log out and in again")
        }
    }

    func write(_ login: StoredLogin, for key: LoginKey) throws {
        try files.write(Coding().encode(login), to: key.fileName)
    }

    func remove(_ key: LoginKey) throws { _ = try files.remove(key.fileName) }

    func keys() throws -> [LoginKey] { try files.names().compactMap(LoginKey.init(fileName:)) }

    func lock(_ key: LoginKey) throws -> (any LoginLock)? { try files.lock(key.fileName) }

    func keepingValues(in program: [String]) -> any LoginStore { ProgramLoginStore(program, list: self) }

    // MARK: The list of a program's logins

    /// The end of the name of an empty file, which says that a program keeps the login of that name.
    private static let listedExtension = ".listed"

    /// Adds a login to the list of those that a program keeps.
    func addToList(_ key: LoginKey) throws { try files.write([], to: key.fileName + Self.listedExtension) }

    /// Removes a login from the list of those that a program keeps.
    func removeFromList(_ key: LoginKey) throws { _ = try files.remove(key.fileName + Self.listedExtension) }

    /// Returns the keys of the logins that a program keeps.
    func listedKeys() throws -> [LoginKey] {
        let fileNames = try files.names().filter { $0.hasSuffix(Self.listedExtension) }
        return fileNames.compactMap { LoginKey(fileName: String($0.dropLast(Self.listedExtension.count))) }
    }
}

extension FileLock: LoginLock {}
