/// Keeps the results of logins from one run to the next.
protocol LoginStore: Sendable {
    /// Whether reading takes time, so that it must not block a thread of Swift's own tasks.
    var isSlow: Bool { get }

    /// Returns the stored login; nil if there is none.
    ///
    /// - Throws: ``FileError``.
    func read(_ key: LoginKey) throws -> StoredLogin?

    /// Stores a login in place of an earlier one. A reader sees the earlier one or the new one, never a part.
    ///
    /// - Throws: ``FileError``.
    func write(_ login: StoredLogin, for key: LoginKey) throws

    /// Removes a login. It is no error if there is none.
    ///
    /// - Throws: ``FileError``.
    func remove(_ key: LoginKey) throws

    /// Returns the keys of all stored logins.
    ///
    /// - Throws: ``FileError``.
    func keys() throws -> [LoginKey]

    /// Takes the lock of a login, which only one process at a time has.
    ///
    /// - Returns: The lock, which is released with the last reference to it; nil if another process has it.
    /// - Throws: ``FileError``.
    func lock(_ key: LoginKey) throws -> (any LoginLock)?

    /// Returns a store that leaves the values of logins to a program, such as one that asks a keychain. A store that
    /// can't do this returns itself.
    ///
    /// - Parameter program: The program and its first arguments.
    func keepingValues(in program: [String]) -> any LoginStore
}

/// The lock of a login. It is released when the value is released, and when the process ends in any way.
protocol LoginLock: AnyObject, Sendable {}

extension LoginStore {
    var isSlow: Bool { false }

    func keepingValues(in program: [String]) -> any LoginStore { self }

    /// Takes the lock of a login. If another process has it, tries again every 20 milliseconds.
    ///
    /// - Parameters:
    ///   - key: The key of the login.
    ///   - deadline: When the lock must have been taken.
    /// - Returns: The lock, which is released with the last reference to it.
    /// - Throws: ``FileError``, also if the deadline passes, and `CancellationError`.
    func lock(_ key: LoginKey, until deadline: ContinuousClock.Instant) async throws -> any LoginLock {
        while true {
            if let lock = try lock(key) { return lock }
            if ContinuousClock.now >= deadline {
                let reason = "another process has been refreshing it for too long"
                throw FileError(.read, "the login of \(key.api)", reason: reason, isTimeout: true)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

/// A store for a process that has no directory for logins, because HOME is not set. Nothing is stored in it.
struct NoLoginStore: LoginStore {
    func read(_ key: LoginKey) -> StoredLogin? { nil }
    func write(_ login: StoredLogin, for key: LoginKey) throws { throw Self.noDirectory }
    func remove(_ key: LoginKey) {}
    func keys() -> [LoginKey] { [] }
    func lock(_ key: LoginKey) throws -> (any LoginLock)? { throw Self.noDirectory }

    private static let noDirectory = FileError(.write, "the login", reason: "neither XDG_STATE_HOME nor HOME is set")
}
