import Foundation
import MockServer
import TestSupport
import Testing

/// `-o FILE` of the real executable, with redirections of the shell.
struct OutputFileWireTests {
    private func run(_ script: String, _ server: MockServer, in directory: TemporaryDirectory) throws
        -> ChildProcess.Result
    {
        let call = "'\(builtTool)' call httpbin.bytes --count 9 --base-url '\(server.baseURL)'"
        return try Shell.run(Array("call() { \(call) \"$@\"; }\n\(script)\n".utf8), in: directory)
    }

    @Test(
        "The file behind stdout or stderr is written where it stands",
        arguments: [
            ("{ call -o /dev/stdout; echo done; } > log", "new\ndone\n"),
            ("{ call -o /dev/stdout; echo done; } >> log", "old\nnew\ndone\n"),
            ("{ call -o /dev/fd/1; echo done; } >> log", "old\nnew\ndone\n"),
            ("{ call -i -o /dev/stdout; echo done; } > log", "HTTP/1.1 200 OK\nContent-Length: 4\n\nnew\ndone\n"),
            ("{ call -o /dev/stderr; echo done >&2; } 2>> log", "old\nnew\ndone\n"),
            ("{ call -o /dev/fd/5; echo done >&5; } 5>> log", "old\nnew\ndone\n"),
        ])
    func descriptors(_ script: String, _ log: String) throws {
        let server = try MockServer { _ in .response(200, body: Array("new\n".utf8)) }
        let directory = try TemporaryDirectory()
        let file = try directory.write("log", "old\n".utf8)
        let result = try run(script, server, in: directory)
        #expect(String(decoding: result.output, as: UTF8.self) == "")
        #expect(FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } == log)
    }

    @Test("A compressed response that breaks off leaves no file, whatever its length says")
    func cutPacking() throws {
        // A stored block (RFC 1951, section 3.2.4) without the checksum behind it.
        let compressed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 1, 3, 0, 0xFC, 0xFF, 0x61, 0x62, 0x63]
        let server = try MockServer { _ in .response(200, fields: [("Content-Encoding", "gzip")], body: compressed) }
        let result = try run("call -o f; code=$?; ls -a | grep f; exit $code", server, in: TemporaryDirectory())
        #expect(result.status == 6)
        #expect(
            String(decoding: result.output, as: UTF8.self) == """
                apictl: httpbin.bytes: the response of 127.0.0.1 can't be decompressed (gzip: it ends too early)
                To try again: --retry 3

                """)
    }

    @Test("On a full disk, the bytes that were written are kept")
    func full() throws {
        let bytes = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try MockServer { _ in .response(200, fields: [("ETag", "\"a\"")], body: bytes) }
        let directory = try TemporaryDirectory()
        let result = try run("trap '' XFSZ; ulimit -f 1; call -C -o f; exit $?", server, in: directory)
        let kept = FileManager.default.contents(atPath: directory.path + "/f.part").map { Array($0) } ?? []
        // The unit of the limit is 512 bytes to one shell and 1024 to the other.
        #expect([512, 1024].contains(kept.count))
        #expect(kept == Array(bytes.prefix(kept.count)))
        #expect(result.status == 1)
        #expect(
            String(decoding: result.output, as: UTF8.self) == """
                apictl: can't write f.part: File too large
                \(kept.count == 512 ? "512 B" : "1.0 kB") kept in f.part; run the same command to resume.

                """)
    }
}
