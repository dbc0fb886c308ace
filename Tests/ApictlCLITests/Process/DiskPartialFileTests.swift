import Foundation
import Testing

@testable import ApictlCLI

/// Partial files, on a real disk.
struct DiskPartialFileTests {
    private let directory: TemporaryDirectory
    private let files = DiskFileSystem()

    init() throws { directory = try TemporaryDirectory() }

    private var path: String { directory.path + "/f" }
    private func content(_ name: String) -> String? {
        FileManager.default.contents(atPath: "\(directory.path)/\(name)").map { String(decoding: $0, as: UTF8.self) }
    }
    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
    }

    @Test("A replacement starts over")
    func restart() throws {
        let file = try files.replace(path)
        try file.write("first and long")
        #expect(try file.restart())
        try file.write("second")
        try file.commit()
        #expect(content("f") == "second")
    }

    @Test("Output to a device can't be undone")
    func device() throws {
        let file = try files.replace("/dev/null")
        defer { file.discard() }
        #expect(try !file.restart())
    }

    @Test("Unfinished files of killed runs are removed")
    func temporaries() throws {
        let file = try files.replace(path)
        try file.write("x")
        #expect(names.count == 1)
        files.temporaries.unlinkAll()
        #expect(names == [])
        #expect(throws: FileError(.write, path, reason: "No such file or directory")) { try file.commit() }
        file.discard()
    }

    @Test("Inspecting a partial download changes nothing")
    func untouched() throws {
        let file = try files.resume(path)
        #expect(file.length == 0)
        #expect(file.note == nil)
        #expect(file.path == path + ".part")
        file.discard()
        #expect(names == [])
    }

    @Test("A partial download is kept and resumed")
    func keeps() throws {
        let first = try files.resume(path)
        try first.begin(note: "n\n")
        try first.write("abc")
        first.discard()
        #expect(names == ["f.part", "f.part.entity"])
        let second = try files.resume(path)
        #expect(second.length == 3)
        #expect(second.note == "n\n")
        #expect(abs(Double(second.modified) - Date().timeIntervalSince1970) < 60)
        try second.write("def")
        try second.commit()
        #expect(content("f") == "abcdef")
        #expect(names == ["f"])
    }

    @Test("An empty partial file is not resumed")
    func empty() throws {
        let file = try files.resume(path)
        try file.begin(note: "n\n")
        #expect(names == ["f.part", "f.part.entity"])
        file.discard()
        #expect(names == [])
    }

    @Test("The existing file keeps its mode, and its content until the end")
    func mode() throws {
        _ = try directory.write("f", "old".utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let file = try files.resume(path)
        #expect(file.path == path)
        #expect(file.length == 3)
        try file.begin(note: "")
        try file.write("new")
        #expect(content("f") == "old")
        try file.commit()
        #expect(content("f") == "new")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    }

    @Test("Two runs don't write the same file")
    func locked() throws {
        let first = try files.resume(path)
        try first.begin(note: "")
        let refusal = FileError(.write, path + ".part", reason: "another run is writing it")
        #expect(throws: refusal) { try files.resume(path) }
        first.discard()
        _ = try files.resume(path)
    }

    @Test("A symbolic link in place of the partial file is not followed")
    func link() throws {
        let target = try directory.write("target", "old".utf8)
        try FileManager.default.createSymbolicLink(atPath: path + ".part", withDestinationPath: target)
        #expect(throws: FileError.self) { try files.resume(path) }
        #expect(content("target") == "old")
    }

    @Test("What can't be resumed")
    func refused() throws {
        #expect(throws: FileError(.write, directory.path, reason: "Is a directory")) {
            try files.resume(directory.path)
        }
        #expect(throws: FileError(.write, "/dev/null", reason: "only a regular file can be continued")) {
            try files.resume("/dev/null")
        }
        #expect(throws: FileError(.write, directory.path + "/gone/f", reason: "No such file or directory")) {
            try files.resume(directory.path + "/gone/f")
        }
        _ = try directory.write("f", "old".utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        #expect(throws: FileError(.write, path, reason: "Permission denied")) { try files.resume(path) }
    }

    @Test(
        "A pipe in the place of what is kept holds nothing up",
        arguments: [(".part", FileError.Operation.write), (".part.entity", .read)])
    func pipe(_ suffix: String, _ operation: FileError.Operation) throws {
        if suffix == ".part.entity" { _ = try directory.write("f.part", "abc".utf8) }
        #expect(mkfifo(path + suffix, 0o600) == 0)
        #expect(throws: FileError(operation, path + suffix, reason: "it is not a regular file")) {
            try files.resume(path)
        }
    }

    @Test("A pipe or link in place of the note is kept and not written to", arguments: [true, false])
    func noteElsewhere(_ isPipe: Bool) throws {
        let target = try directory.write("target", "old".utf8)
        let file = try files.resume(path)
        if isPipe {
            #expect(mkfifo(path + ".part.entity", 0o600) == 0)
        } else {
            try FileManager.default.createSymbolicLink(atPath: path + ".part.entity", withDestinationPath: target)
        }
        let reason = isPipe ? "it is not a regular file" : "Too many levels of symbolic links"
        #expect(throws: FileError(.write, path + ".part.entity", reason: reason)) { try file.begin(note: "n\n") }
        file.discard()
        #expect(names == ["f.part.entity", "target"])
        #expect(content("target") == "old")
    }

    @Test("The note on another tool's download stays with FILE.part, but not with FILE itself")
    func laterNote() throws {
        _ = try directory.write("f", "abc".utf8)
        let whole = try files.resume(path)
        try whole.keep(note: "n\n")
        #expect(whole.note == "n\n")
        whole.discard()
        #expect(names == ["f"])
        _ = try directory.write("f.part", "abc".utf8)
        let part = try files.resume(path)
        try part.keep(note: "")
        #expect(names == ["f", "f.part"])
        try part.keep(note: "n\n")
        #expect(part.note == "n\n")
        #expect(content("f.part.entity") == "n\n")
    }
}
