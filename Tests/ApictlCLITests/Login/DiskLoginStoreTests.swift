import EndpointKit
import Foundation
import SystemCalls
import Testing

@testable import ApictlCLI

/// Logins in files. The directory is removed with the test.
@Suite final class DiskLoginStoreTests {
    private let root = FileManager.default.temporaryDirectory.appending(path: "logins-\(UUID().uuidString)").path
    private var store: DiskLoginStore { DiskLoginStore(directory: root + "/state/apictl/logins") }
    private let login = StoredLogin(value: "t0ken", refreshToken: "r", expires: 7, scopes: ["a"])

    deinit { try? FileManager.default.removeItem(atPath: root) }

    private func mode(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.posixPermissions] as? Int ?? -1
    }

    @Test func `A login is read as it was written, and only its owner can read it`() throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        #expect(try store.read(.forge) == nil)
        #expect(try store.keys().isEmpty)
        try store.write(login, for: .forge)
        #expect(try store.read(.forge) == login)
        #expect(try store.keys() == [.forge])
        #expect(mode(store.directory) == 0o700)
        let file = store.directory + "/" + LoginKey.forge.fileName
        #expect(mode(file) == 0o600)
        try store.remove(.forge)
        try store.remove(.forge)
        #expect(try store.read(.forge) == nil)
    }

    @Test func `A login that others can read is refused`() throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        try store.write(login, for: .forge)
        let file = store.directory + "/" + LoginKey.forge.fileName
        chmod(file, 0o644)
        #expect(throws: FileError.self) { try store.read(.forge) }
        chmod(store.directory, 0o755)
        #expect(throws: FileError.self) { try store.write(login, for: .shop) }
    }

    @Test func `A link in place of a login is refused, and its target stays as it was`() throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        try store.write(login, for: .forge)
        let file = store.directory + "/" + LoginKey.forge.fileName
        let target = root + "/target"
        try Data("untouched".utf8).write(to: URL(fileURLWithPath: target))
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
        let error = #expect(throws: FileError.self) { try store.write(login, for: .forge) }
        #expect(error?.reason == "it is not a regular file")
        #expect(throws: FileError.self) { try store.read(.forge) }
        #expect(FileManager.default.contents(atPath: target) == Data("untouched".utf8))
        try store.remove(.forge)
    }

    @Test func `A named pipe in place of a login is refused, and can be removed`() throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        try store.write(login, for: .forge)
        let file = store.directory + "/" + LoginKey.forge.fileName
        try FileManager.default.removeItem(atPath: file)
        // Reading a named pipe would wait for its writer.
        try #require(mkfifo(file, 0o600) == 0)
        #expect(throws: FileError.self) { try store.read(.forge) }
        try store.remove(.forge)
        try store.write(login, for: .forge)
        #expect(try store.read(.forge) == login)
    }

    @Test func `Only one holder at a time has the lock of a login`() throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        var first = try store.lock(.forge)
        #expect(first != nil)
        #expect(try store.lock(.forge) == nil)
        #expect(try store.lock(.shop) != nil)
        first = nil
        #expect(try store.lock(.forge) != nil)
    }

    @Test func `The next write removes what a killed process left, but not what is being written`() throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        try store.write(login, for: .forge)
        let leftover = store.directory + "/.part-left"
        #expect(FileManager.default.createFile(atPath: leftover, contents: Data("t0ken".utf8)))
        let inProgress = try DiskFileSystem().beginReplacing(store.directory + "/other", isPrivate: true)
        try inProgress.write(Array("new".utf8))
        try store.write(login, for: .shop)
        #expect(!FileManager.default.fileExists(atPath: leftover))
        try inProgress.commit()
        #expect(FileManager.default.contents(atPath: store.directory + "/other") == Data("new".utf8))
        let names = try FileManager.default.contentsOfDirectory(atPath: store.directory)
        #expect(names.allSatisfy { !$0.hasPrefix(".") })
    }

    // MARK: A program

    /// Returns the store of a program that is a shell script.
    private func programStore(_ script: String) throws -> any LoginStore {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let path = root + "/store"
        let text = "cd '\(root)'\n\(script)\n"
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
        return store.keepingValues(in: ["/bin/sh", path, "--vault", "work"])
    }

    /// A script that keeps values in files, and notes its arguments.
    private static let vault = #"""
        echo "$@" >> arguments
        file="$4.$5"
        case $3 in
        get) if [ -f "$file" ]; then cat "$file"; fi ;;
        put) cat > "$file" ;;
        delete) rm -f "$file" ;;
        esac
        """#

    @Test func `A program keeps logins, and secrets are not among its arguments`() throws {
        let store = try programStore(Self.vault)
        #expect(try store.read(.forge) == nil)
        #expect(try store.keys().isEmpty)
        // A pipe holds 65,536 bytes, so that writing this login must not wait for the program to end.
        var long = login
        long.value = String(repeating: "x", count: 100_000)
        for login in [login, long] {
            try store.write(login, for: .forge)
            #expect(try store.read(.forge) == login)
        }
        #expect(try store.keys() == [.forge])
        try store.remove(.forge)
        #expect(try store.read(.forge) == nil)
        #expect(try store.keys().isEmpty)
        let arguments = try String(contentsOfFile: root + "/arguments", encoding: .utf8)
        #expect(arguments.hasPrefix("--vault work get forge FORGE_TOKEN https://api.forge.test:443\n"))
        #expect(!arguments.contains("t0ken"))
    }

    /// Scripts that fail, and a part of the reason in the message.
    static let failingPrograms: [(script: String, reason: String)] = [
        ("exit 3", "3"), ("kill -9 $$", "9"), ("echo nonsense", "printed something else"),
        ("head -c 300000 /dev/zero", "printed"),
    ]

    @Test(arguments: failingPrograms) func `An error of the program names the program and the reason`(
        _ row: (script: String, reason: String)
    ) throws {
        let store = try programStore(row.script)
        let error = #expect(throws: FileError.self) { try store.read(.forge) }
        let text = try #require(error).description
        #expect(text.hasPrefix("can't read the login of forge: /bin/sh \(root)/store --vault work get"), "\(text)")
        #expect(text.contains(row.reason), "\(text)")
    }

    @Test func `A program that does not exist is named`() throws {
        let store = store.keepingValues(in: ["/nowhere/vault"])
        let error = #expect(throws: FileError.self) { try store.remove(.forge) }
        #expect(try #require(error).description.hasPrefix("can't write the login of forge: /nowhere/vault delete: "))
    }

    @Test(arguments: ["a,b", "../x", "é/y", ""])
    func `A key with any characters is read back from the name of its file, which has no slash`(_ text: String) {
        let key = LoginKey(api: text, variable: "V", origin: "https://h:1")
        #expect(!key.fileName.contains("/"))
        if !text.isEmpty { #expect(LoginKey(fileName: key.fileName) == key) }
    }
}
