import EndpointKit
import SystemCalls

/// Keeps logins with a program of the person, such as one that asks a keychain.
///
/// The program gets what to do as its first argument, and then the name of the API, the variable and the server:
///
///     store get shop SHOP_TOKEN https://shop.example:443      prints the login; nothing if there is none
///     store put shop SHOP_TOKEN https://shop.example:443      reads the login from stdin
///     store delete shop SHOP_TOKEN https://shop.example:443   it is no error if there is none
///
/// A login is a line of text, which holds secrets. So it is never an argument, which other users could read.
struct ProgramLoginStore: LoginStore {
    /// The program and its first arguments.
    private let program: [String]
    /// Has the locks, and an empty file for each login that the program keeps, because no program can be asked for a
    /// list. Neither has secrets.
    private let list: DiskLoginStore

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - program: The program, which is looked up in PATH, and its first arguments.
    ///   - list: Has the locks, and the list of the logins that the program keeps.
    init(_ program: [String], list: DiskLoginStore) {
        self.program = program
        self.list = list
    }

    var isSlow: Bool { true }

    /// Runs the program with `get`, and returns the login that it prints; nil if it prints nothing.
    ///
    /// - Throws: ``FileError`` if the program fails or prints something else.
    func read(_ key: LoginKey) throws -> StoredLogin? {
        let output = try runProgram("get", for: key, operation: .read)
        if output.isEmpty { return nil }
        do {
            return try Coding().decode(StoredLogin.self, from: output)
        } catch {
            throw failure(.read, of: key, reason: "\(commandText("get")) printed something else; log out and in again")
        }
    }

    /// Runs the program with `put`, which reads the login as a line from stdin. Then adds the key to the list of
    /// logins.
    ///
    /// - Throws: ``FileError``.
    func write(_ login: StoredLogin, for key: LoginKey) throws {
        _ = try runProgram("put", for: key, operation: .write, input: Coding().encode(login) + [UInt8(ascii: "\n")])
        try list.addToList(key)
    }

    /// Runs the program with `delete`. Then removes the key from the list of logins.
    ///
    /// - Throws: ``FileError``.
    func remove(_ key: LoginKey) throws {
        _ = try runProgram("delete", for: key, operation: .write)
        try list.removeFromList(key)
    }

    func keys() throws -> [LoginKey] { try list.listedKeys() }

    func lock(_ key: LoginKey) throws -> (any LoginLock)? { try list.lock(key) }

    /// Runs the program for a login and returns what it prints.
    ///
    /// - Parameters:
    ///   - verb: The argument that says what to do: `get`, `put` or `delete`.
    ///   - key: The key of the login, whose words are the next arguments.
    ///   - operation: Whether the store is read or written, for messages.
    ///   - input: The bytes that the program can read from stdin.
    /// - Throws: ``FileError`` that names the program if it fails or takes too long.
    private func runProgram(
        _ verb: String, for key: LoginKey, operation: FileError.Operation, input: [UInt8] = []
    ) throws -> [UInt8] {
        do throws(CommandOutput.Failure) {
            return try CommandOutput.capture(
                program + [verb, key.api, key.variable, key.origin], input: input,
                within: CredentialSource.timeLimit, maxBytes: CredentialSource.maxValueLength * 4)
        } catch {
            let isTimeout = error == .timedOut
            let reason = isTimeout ? "it took longer than \(CredentialSource.timeLimit.shown)" : error.sentence
            throw failure(operation, of: key, reason: "\(commandText(verb)): \(reason)")
        }
    }

    /// Returns the program with its arguments as messages show it, without the words of the login's key.
    private func commandText(_ verb: String) -> String { (program + [verb]).joined(separator: " ") }

    /// Returns the error that a login could not be read or written.
    private func failure(_ operation: FileError.Operation, of key: LoginKey, reason: String) -> FileError {
        FileError(operation, "the login of \(key.api)", reason: reason)
    }
}
