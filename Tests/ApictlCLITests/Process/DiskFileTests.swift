import EndpointKit
import Foundation
import SystemCalls
import Testing

@testable import ApictlCLI

/// Files that are replaced as a whole, on a real disk.
struct DiskFileTests {
    private let directory: TemporaryDirectory
    private let files = DiskFileSystem()

    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> String { directory.path + "/" + name }

    private func content(_ name: String) -> String? {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    private func status(_ name: String) -> stat {
        var status = stat()
        #expect(stat(path(name), &status) == 0)
        return status
    }

    private struct Failure: Error {}

    @Test("A file is replaced only once it is complete, with no other file left")
    func replace() throws {
        _ = try directory.write("f", "old".utf8)
        #expect(throws: Failure.self) {
            try files.replace(path("f")) { file in
                try file.write("new")
                throw Failure()
            }
        }
        #expect(try directory.contents() == ["f": "old"])
        try files.replace(path("f")) { file in
            try file.write("first and long")
            #expect(try file.restart())
            try file.write("new")
            #expect(content("f") == "old")
        }
        #expect(try directory.contents() == ["f": "new"])
    }

    @Test("A named pipe is written itself; without a reader, that fails after a while")
    func pipe() throws {
        try #require(mkfifo(path("p"), 0o600) == 0)
        let files = DiskFileSystem(pipeLimit: .milliseconds(50))
        let error = #expect(throws: FileError.self) { try files.replace(path("p"), with: Array("x".utf8)) }
        #expect(error?.reason == "it is a pipe that no program reads")
        let reader = open(path("p"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try files.replace(path("p"), with: Array("x".utf8))
        #expect(try DescriptorStream(reader, name: "", closesDescriptor: false).readAll(name: "") == Array("x".utf8))
        #expect(names == ["p"] && status("p").st_mode & S_IFMT == S_IFIFO)
    }

    @Test("Reading a named pipe fails after a while without a writer, but waits for a program that has opened it")
    func pipeWithoutWriter() throws {
        try #require(mkfifo(path("p"), 0o600) == 0)
        let files = DiskFileSystem(pipeLimit: .milliseconds(50))
        let error = #expect(throws: FileError.self) { try files.readAll(path("p")) }
        #expect(error?.reason == "it is a pipe that no program writes")
        // For both directions, opening does not wait for a reader.
        let writer = open(path("p"), O_RDWR)
        let input = try files.open(path("p"))
        let stalled = #expect(throws: FileError.self) { try input.read(until: .now + .milliseconds(200)) }
        #expect(stalled?.reason == "it did not end in time")
        #expect(write(writer, "x", 1) == 1)
        close(writer)
        #expect(try input.readAll(name: "p") == Array("x".utf8))
    }

    @Test("Only the owner can read the file before it is whole; then owner, group and mode are those of the old one")
    func rights() throws {
        #expect(chmod(try directory.write("f", "old".utf8), 0o664) == 0)
        if geteuid() == 0 { #expect(chown(path("f"), 1234, 4321) == 0) }
        let old = status("f")
        try files.replace(path("f")) { _ in
            let temporary = try #require(names.first { $0.hasPrefix(".part-") })
            #expect(status(temporary).st_mode & 0o777 == 0o600)
        }
        let new = status("f")
        #expect((new.st_mode, new.st_uid, new.st_gid) == (old.st_mode, old.st_uid, old.st_gid))
    }

    @Test("A new file has the mode that the umask leaves")
    func umaskOfNewFiles() throws {
        let mask = umask(0)
        umask(mask)
        try files.replace(path("f")) { _ in
            // From the start: the process's umask is never changed.
            let temporary = try #require(names.first { $0.hasPrefix(".part-") })
            #expect(status(temporary).st_mode & 0o777 == 0o666 & ~mask)
        }
        #expect(status("f").st_mode & 0o777 == 0o666 & ~mask)
        try files.beginReplacing(path("secret"), isPrivate: true).commit()
        #expect(status("secret").st_mode & 0o777 == 0o600)
        let download = try files.resume(path("download"))
        try download.begin(validator: nil)
        try download.commit()
        #expect(status("download").st_mode & 0o777 == 0o666 & ~mask)
    }

    @Test("The target of links is replaced, the links stay")
    func links() throws {
        try FileManager.default.createDirectory(atPath: path("d"), withIntermediateDirectories: false)
        _ = try directory.write("four", "old".utf8)
        try link("one", to: "two")
        try link("two", to: "d/three")
        try link("d/three", to: path("four"))
        try files.replace(path("one")) { try $0.write("new") }
        #expect(content("four") == "new")
        #expect(names == ["d", "four", "one", "two"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("one")) == "two")
    }

    @Test("Paths that lead to one file are one real path, whether there is the file or not")
    func realPaths() throws {
        try link("link", to: directory.path)
        try link("file-link", to: path("file"))
        try files.replace(path("file"), with: [])
        #expect(files.realPath(path("link/file")) == files.realPath(path("link/file-link")))
        #expect(files.realPath(path("link/new")) == files.realPath(path("./new")))
        #expect(files.realPath(path("new")) != files.realPath(path("file")))
        #expect(files.realPath("/dev/fd/1") == files.realPath("/dev/stdout"))
    }

    @Test("A link that leads in a circle, or into a directory that does not exist, is rejected")
    func brokenLinks() throws {
        try link("gone", to: "nowhere/file")
        try link("circle", to: "circle")
        for name in names { #expect(throws: FileError.self) { try files.replace(path(name), with: []) } }
        #expect(names == ["circle", "gone"])
    }

    @Test("The target of a link is written although it does not exist yet")
    func linkToNewFile() throws {
        try link("one", to: "two")
        try link("two", to: path("three"))
        try files.replace(path("one")) { try $0.write("new") }
        #expect(content("three") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("one")) == "two")
        #expect(files.realPath(path("one")) == files.realPath(path("three")))
    }

    @Test("A read-only file is not replaced, even by root")
    func readOnly() throws {
        #expect(chmod(try directory.write("f", "old".utf8), 0o444) == 0)
        let denied = FileError(.write, path("f"), reason: "permission denied")
        #expect(throws: denied) { try files.beginReplacing(path("f")) }
        #expect(content("f") == "old")
    }

    @Test("A directory, and a path into a directory that does not exist, can't be written or read")
    func directories() {
        let path = directory.path
        #expect(throws: FileError(.write, path, reason: "is a directory")) { try files.beginReplacing(path) }
        #expect(throws: FileError(.write, path + "/gone/f", reason: "no such file or directory")) {
            try files.beginReplacing(path + "/gone/f")
        }
        #expect(throws: FileError(.read, path, reason: "is a directory")) { try files.open(path).readAll(name: path) }
        #expect(throws: FileError(.read, path + "/gone", reason: "no such file or directory", isMissing: true)) {
            try files.open(path + "/gone").readAll(name: path + "/gone")
        }
    }

    @Test("A device is written to directly, which can't be undone")
    func device() throws {
        try files.replace("/dev/null") { file in
            try file.write("gone")
            #expect(try !file.restart())
        }
        #expect(FileManager.default.fileExists(atPath: "/dev/null"))
        #if os(Linux)
        let full = try files.beginReplacing("/dev/full")
        defer { full.discard() }
        #expect(throws: FileError(.write, "/dev/full", reason: "no space left on device")) { try full.write("x") }
        #endif
    }

    @Test(
        "These paths mean an open descriptor",
        arguments: [
            ("/dev/stdin", 0), ("/dev/stdout", 1), ("/dev/stderr", 2), ("/dev/fd/0", 0), ("/dev/fd/17", 17),
            ("/proc/self/fd/1", 1),
        ] as [(path: String, number: Int32)])
    func descriptor(_ path: String, _ number: Int32) {
        #expect(OpenDescriptor.number(inPath: path) == number)
    }

    @Test(
        "Any other path means no open descriptor",
        arguments: [
            "/dev/stdout2", "/dev/fd/", "/dev/fd/-1", "/dev/fd/+1", "/dev/fd/1x", "/dev/fd/99999999999", "/dev/null",
            "dev/stdout", "/proc/1/fd/1", "",
        ])
    func noDescriptor(_ path: String) {
        #expect(OpenDescriptor.number(inPath: path) == nil)
    }

    @Test("An open descriptor is written where it stands; a closed or read-only one is rejected")
    func openDescriptors() throws {
        let input = open("/dev/null", O_RDONLY)
        defer { close(input) }
        for number in [1_000_000, input] {
            #expect(throws: FileError(.write, "/dev/fd/\(number)", reason: "bad file descriptor")) {
                try files.beginReplacing("/dev/fd/\(number)")
            }
        }
        let output = open(try directory.write("f", "old".utf8), O_WRONLY | O_APPEND)
        defer { close(output) }
        try files.replace("/dev/fd/\(output)") { try $0.write("new") }
        // The descriptor stays open for its owner.
        #expect(write(output, "more", 4) == 4)
        #expect(try directory.contents() == ["f": "oldnewmore"])
    }

    @Test("A name may have any bytes, and content any length")
    func bytes() throws {
        let name = String(exactBytes: [0xFF, 0x20, 0x0A])
        let long = String(repeating: "0123456789", count: 50_000)
        try files.replace(path(name)) { try $0.write(long) }
        #expect(try files.open(path(name)).readAll(name: name) == Array(long.utf8))
    }
}
