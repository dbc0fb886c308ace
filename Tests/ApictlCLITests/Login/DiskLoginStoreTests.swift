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

    @Test func `A link or a pipe in place of a login is refused, and the target of the link stays as it was`() throws {
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

    @Test(arguments: ["a,b", "../x", "é/y", ""]) func `The name of a file holds any key`(_ text: String) {
        let key = LoginKey(api: text, variable: "V", origin: "https://h:1")
        #expect(!key.fileName.contains("/"))
        if !text.isEmpty { #expect(LoginKey(fileName: key.fileName) == key) }
    }
}
