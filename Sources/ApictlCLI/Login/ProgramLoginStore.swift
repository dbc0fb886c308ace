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
    /// Has the locks, and the list of the logins that the program keeps. Neither has secrets.
    private let list: DiskLoginStore

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - program: The program, which is looked up in PATH, and its first arguments.
    ///   - list: Has the locks and the list of logins.
    init(_ program: [String], list: DiskLoginStore) {
        self.program = program
        self.list = list
    }

    var isSlow: Bool { true }

    func read(_ key: LoginKey) throws -> StoredLogin? {
        let output = try run("get", .read, key)
        if output.isEmpty { return nil }
        do {
            return try Coding().decode(StoredLogin.self, from: output)
        } catch {
            throw failure(.read, key, "\(shown("get")) printed something else; log out and in again")
        }
    }

    func write(_ login: StoredLogin, for key: LoginKey) throws {
        _ = try run("put", .write, key, input: Coding().encode(login) + [UInt8(ascii: "\n")])
        try list.list(key)
    }

    func remove(_ key: LoginKey) throws {
        _ = try run("delete", .write, key)
        try list.unlist(key)
    }

    func keys() throws -> [LoginKey] { try list.listedKeys() }

    func lock(_ key: LoginKey) throws -> (any LoginLock)? { try list.lock(key) }

    /// Runs the program for a login and returns what it prints.
    ///
    /// - Throws: ``FileError`` that names the program.
    private func run(
        _ verb: String, _ operation: FileError.Operation, _ key: LoginKey, input: [UInt8] = []
    ) throws -> [UInt8] {
        do throws(CommandOutput.Failure) {
            return try CommandOutput.of(
                program + [verb, key.api, key.variable, key.origin], input: input,
                within: CredentialSource.timeLimit, maxBytes: CredentialSource.maxValueLength * 4)
        } catch {
            let isTimeout = error == .timedOut
            let reason = isTimeout ? "it took longer than \(CredentialSource.timeLimit.shown)" : error.sentence
            throw failure(operation, key, "\(shown(verb)): \(reason)")
        }
    }

    /// Returns the program as messages name it.
    private func shown(_ verb: String) -> String { (program + [verb]).joined(separator: " ") }

    /// Returns the error about a login.
    private func failure(_ operation: FileError.Operation, _ key: LoginKey, _ reason: String) -> FileError {
        FileError(operation, "the login of \(key.api)", reason: reason)
    }
}
