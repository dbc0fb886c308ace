import Foundation
import TestSupport
import Testing

/// A process that is started without one of its streams, or with limits, says so.
struct ClosedDescriptorTests {
    @Test(arguments: [
        ("list >&-", 1, "can't write stdout: Bad file descriptor"),
        ("call movies.popular --sample >&-", 1, "can't write stdout: Bad file descriptor"),
        ("format /dev/null - <&-", 8, "can't read stdin: Bad file descriptor"),
        ("call httpbin.post --body - --base-url http://127.0.0.1:1 <&-", 1, "can't read stdin: Bad file descriptor"),
        ("list --json 2>&- >/dev/null", 0, ""), ("curl movies.popular 2>&- >/dev/null", 0, ""),
        ("check --sample --report-json - 2>&- >/dev/null", 0, ""), ("list nosuch 2>&-", 2, ""),
        ("call movies.popular --sample -q >&-", 0, ""),
        ("call movies.popular --sample -o big", 1, "can't write big: File too large"),
    ])
    func says(_ words: String, _ status: Int32, _ message: String) throws {
        let folder = try TemporaryDirectory()
        let script = "exec 2>err; ulimit -f 1; '\(builtTool)' \(words); echo $? >status; cat err"
        _ = try ChildProcess.run(
            "/bin/sh", ["-c", script], environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin"], in: folder.path)
        let read = { (name: String) in
            FileManager.default.contents(atPath: "\(folder.path)/\(name)").map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(read("status") == "\(status)\n")
        let told = try #require(read("err"))
        #expect(message.isEmpty ? told.isEmpty : told.contains(message))
        // Nothing is left of what could not be written.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.hasPrefix(".part-") })
    }
}
