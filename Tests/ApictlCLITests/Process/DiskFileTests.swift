import EndpointKit
import Foundation
import Testing

@testable import ApictlCLI

/// Files that are replaced as a whole, on a real disk.
struct DiskFileTests {
    private let directory: TemporaryDirectory
    private let files = DiskFileSystem()

    init() throws { directory = try TemporaryDirectory() }

    private func content(_ name: String) -> String? {
        FileManager.default.contents(atPath: "\(directory.path)/\(name)").map { String(decoding: $0, as: UTF8.self) }
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
    }

    private func replace(_ name: String, _ text: String) throws {
        let file = try files.replace("\(directory.path)/\(name)")
        try file.write(text)
        try file.commit()
    }

    @Test("A new file appears once it is complete, with no other file")
    func new() throws {
        let file = try files.replace("\(directory.path)/f")
        try file.write("new")
        #expect(content("f") == nil)
        try file.commit()
        #expect(content("f") == "new")
        #expect(names == ["f"])
    }

    @Test("An existing file is replaced only by a complete one")
    func old() throws {
        _ = try directory.write("f", "old".utf8)
        let file = try files.replace("\(directory.path)/f")
        try file.write("new")
        #expect(content("f") == "old")
        file.discard()
        #expect(content("f") == "old")
        #expect(names == ["f"])
    }

    @Test("The mode of the existing file is kept")
    func mode() throws {
        let path = try directory.write("f", "old".utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try replace("f", "new")
        #expect(content("f") == "new")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    }

    @Test("The target of a symbolic link is replaced, not the link")
    func link() throws {
        _ = try directory.write("target", "old".utf8)
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory.path)/link", withDestinationPath: "\(directory.path)/target")
        try replace("link", "new")
        #expect(content("target") == "new")
        #expect(names == ["link", "target"])
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(directory.path)/link")
                == "\(directory.path)/target")
    }

    @Test("A read-only file is not replaced, even by root")
    func readOnly() throws {
        let path = try directory.write("f", "old".utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        #expect(throws: FileError(.write, path, reason: "Permission denied")) { try files.replace(path) }
        #expect(content("f") == "old")
    }

    @Test("Directories are rejected, even missing ones")
    func directories() {
        let path = directory.path
        #expect(throws: FileError(.write, path, reason: "Is a directory")) { try files.replace(path) }
        #expect(throws: FileError(.write, path + "/gone/f", reason: "No such file or directory")) {
            try files.replace(path + "/gone/f")
        }
        #expect(throws: FileError(.read, path, reason: "Is a directory")) { try files.open(path).readAll(name: path) }
        #expect(throws: FileError(.read, path + "/gone", reason: "No such file or directory", isMissing: true)) {
            try files.open(path + "/gone").readAll(name: path + "/gone")
        }
    }

    @Test("A device is written to directly")
    func device() throws {
        let file = try files.replace("/dev/null")
        try file.write("gone")
        try file.commit()
        #expect(FileManager.default.fileExists(atPath: "/dev/null"))
        #if os(Linux)
        let full = try files.replace("/dev/full")
        defer { full.discard() }
        #expect(throws: FileError(.write, "/dev/full", reason: "No space left on device")) { try full.write("x") }
        #endif
    }

    @Test("An error on closing a device is reported")
    func closing() {
        let file = DirectFile(output: DescriptorOutput(-1, name: "f"), isInherited: false)
        #expect(throws: FileError(.write, "f", reason: "Bad file descriptor")) { try file.commit() }
    }

    @Test(
        "Paths that mean an open descriptor",
        arguments: [
            ("/dev/stdin", 0), ("/dev/stdout", 1), ("/dev/stderr", 2), ("/dev/fd/0", 0), ("/dev/fd/17", 17),
            ("/proc/self/fd/1", 1), ("/dev/stdout2", nil), ("/dev/fd/", nil), ("/dev/fd/-1", nil), ("/dev/fd/+1", nil),
            ("/dev/fd/1x", nil), ("/dev/fd/99999999999", nil), ("/dev/null", nil), ("dev/stdout", nil),
            ("/proc/1/fd/1", nil), ("", nil),
        ] as [(String, Int32?)])
    func descriptor(_ path: String, _ number: Int32?) {
        #expect(OpenDescriptor.number(path) == number)
    }

    @Test("A closed or read-only descriptor is rejected, and so is resuming to one")
    func descriptorRefused() throws {
        let refusal = FileError(.write, "/dev/fd/1000000", reason: "Bad file descriptor")
        #expect(throws: refusal) { try files.replace("/dev/fd/1000000") }
        let input = open("/dev/null", O_RDONLY)
        defer { close(input) }
        #expect(throws: FileError(.write, "/dev/fd/\(input)", reason: "Bad file descriptor")) {
            try files.replace("/dev/fd/\(input)")
        }
        let path = try directory.write("f", "old".utf8)
        let output = open(path, O_WRONLY | O_APPEND)
        defer { close(output) }
        #expect(throws: FileError(.write, "/dev/fd/\(output)", reason: "only a regular file can be continued")) {
            try files.resume("/dev/fd/\(output)")
        }
        let file = try files.replace("/dev/fd/\(output)")
        try file.write("new")
        try file.commit()
        // The descriptor stays open for its owner.
        #expect(write(output, "more", 4) == 4)
        #expect(content("f") == "oldnewmore")
        #expect(names == ["f"])
    }

    @Test("Names of any bytes, contents of any length")
    func bytes() throws {
        let name = String(exactBytes: [0xFF, 0x20, 0x0A])
        let long = String(repeating: "0123456789", count: 50_000)
        try replace(name, long)
        #expect(try files.open("\(directory.path)/\(name)").readAll(name: name) == Array(long.utf8))
    }
}
