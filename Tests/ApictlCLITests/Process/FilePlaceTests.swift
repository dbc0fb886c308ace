import Foundation
import SystemCalls
import Testing

@testable import ApictlCLI

/// Where a file is put, whose it becomes, and what killed runs leave.
struct FilePlaceTests {
    private let directory: TemporaryDirectory
    private let files = DiskFileSystem()

    init() throws { directory = try TemporaryDirectory() }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
    }

    private func content(_ name: String) -> String? {
        FileManager.default.contents(atPath: "\(directory.path)/\(name)").map { String(decoding: $0, as: UTF8.self) }
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(directory.path)/\(name)", withDestinationPath: target)
    }

    private func status(_ name: String) -> stat {
        var status = stat()
        #expect(stat("\(directory.path)/\(name)", &status) == 0)
        return status
    }

    @Test("A link that leads nowhere yet is followed, and stays a link")
    func danglingLink() throws {
        try FileManager.default.createDirectory(atPath: "\(directory.path)/d", withIntermediateDirectories: false)
        try link("one", to: "two")
        try link("two", to: "d/three")
        try link("d/three", to: "\(directory.path)/four")
        let file = try files.replace("\(directory.path)/one")
        try file.write("new")
        #expect(content("four") == nil)
        file.discard()
        #expect(names == ["d", "one", "two"])
        let again = try files.replace("\(directory.path)/one")
        try again.write("new")
        try again.commit()
        #expect(content("four") == "new")
        #expect(names == ["d", "four", "one", "two"])
    }

    @Test("A link into a directory that is not there, and one that leads in a circle")
    func brokenLinks() throws {
        try link("gone", to: "nowhere/f")
        try link("circle", to: "circle")
        for name in ["gone", "circle"] {
            #expect(throws: FileError.self) { try files.replace("\(directory.path)/\(name)") }
        }
        #expect(names == ["circle", "gone"])
    }

    @Test("Nobody else can read the file before it is whole; then it is whose the old one was")
    func rights() throws {
        let path = try directory.write("f", "old".utf8)
        #expect(chmod(path, 0o664) == 0)
        if geteuid() == 0 { #expect(chown(path, 1234, 4321) == 0) }
        let old = status("f")
        let file = try files.replace(path)
        try file.write("new")
        let temporary = try #require(names.first { $0.hasPrefix(".part-") })
        #expect(status(temporary).st_mode & 0o777 == 0o600)
        try file.commit()
        let new = status("f")
        #expect(new.st_mode == old.st_mode)
        #expect(new.st_uid == old.st_uid)
        #expect(new.st_gid == old.st_gid)
    }

    @Test("A new file has the mode that the umask leaves, a resumed one too")
    func umaskOfNewFiles() throws {
        let mask = umask(0)
        umask(mask)
        let file = try files.replace("\(directory.path)/f")
        try file.commit()
        #expect(status("f").st_mode & 0o777 == 0o666 & ~mask)
        let part = try files.resume("\(directory.path)/g")
        try part.begin(note: "")
        try part.write("x")
        #expect(status("g.part").st_mode & 0o777 == 0o600)
        try part.commit()
        #expect(status("g").st_mode & 0o777 == 0o666 & ~mask)
    }

    @Test(
        "Whom a sticky directory keeps from replacing a file",
        arguments: [
            (1, 2, 3, 0o1777, true), (1, 1, 3, 0o1777, false), (1, 2, 1, 0o1777, false), (1, 2, 3, 0o777, false),
            (0, 2, 3, 0o1777, false),
        ] as [(uid_t, uid_t, uid_t, mode_t, Bool)])
    func sticky(_ user: uid_t, _ owner: uid_t, _ directoryOwner: uid_t, _ mode: mode_t, _ isProtected: Bool) {
        var directory = stat()
        directory.st_mode = S_IFDIR | mode
        directory.st_uid = directoryOwner
        let file = FilePlace.Replaced(owner: owner, group: 0, mode: 0o644)
        #expect(FilePlace.isProtected(file, in: directory, from: user) == isProtected)
    }

    @Test("What killed runs left is removed; what is locked, young, or not ours stays")
    func leftovers() throws {
        for name in [
            ".part-1y2p0ij32e8e7", ".part-locked0123", ".part-young01234", ".part-short", ".part-CAPITALS012", "part",
        ] {
            _ = try directory.write(name, "x".utf8)
        }
        let old = timeval(tv_sec: time(nil) - 3600, tv_usec: 0)
        for name in names where name != ".part-young01234" { utimes("\(directory.path)/\(name)", [old, old]) }
        let locked = open("\(directory.path)/.part-locked0123", O_WRONLY)
        defer { close(locked) }
        #expect(flock(locked, LOCK_EX | LOCK_NB) == 0)
        try files.replace("\(directory.path)/f").commit()
        #expect(names == [".part-CAPITALS012", ".part-locked0123", ".part-short", ".part-young01234", "f", "part"])
    }

    @Test("A pipe that nobody reads is waited for no longer than allowed")
    func pipe() throws {
        let path = "\(directory.path)/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        let time = ContinuousClock().measure {
            #expect(throws: FileError(.write, path, reason: "nobody reads the pipe", isTimeout: true)) {
                try files.limited(until: .now + .milliseconds(200)).replace(path)
            }
        }
        #expect(time >= .milliseconds(200))
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let file = try files.limited(until: .now + .milliseconds(200)).replace(path)
        try file.write("to the reader")
        var bytes = [UInt8](repeating: 0, count: 20)
        #expect(read(reader, &bytes, 20) == 13)
        try file.commit()
    }
}
