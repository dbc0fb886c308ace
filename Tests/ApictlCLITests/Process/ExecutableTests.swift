import EndpointKit
import Foundation
import JSONText
import MockServer
import Synchronization
import TestSupport
import Testing

/// The real executable, in cases that only it can show: redirections of the shell, closed streams, limits, signals and
/// libcurl's own log.
struct ExecutableTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Runs a script in which `call` calls `httpbin.bytes`, and returns its output and its status.
    private func shell(_ script: String, _ response: MockResponse) throws -> (text: String, status: Int32) {
        let server = try MockServer { _ in response }
        let call = "'\(builtTool)' call httpbin.bytes --count 9 --base-url '\(server.baseURL)'"
        let result = try Shell.run(Array("call() { \(call) \"$@\"; }\n\(script)\n".utf8), in: directory)
        return (String(decoding: result.output, as: UTF8.self), result.status)
    }

    @Test(
        "The file behind stdout or stderr is written where it stands",
        arguments: [
            ("{ call -o /dev/stdout; echo done; } > log", "new\ndone\n"),
            ("{ call -o /dev/stdout; echo done; } >> log", "old\nnew\ndone\n"),
            ("{ call -o /dev/stderr; echo done >&2; } 2>> log", "old\nnew\ndone\n"),
            ("{ call -o /dev/fd/5; echo done >&5; } 5>> log", "old\nnew\ndone\n"),
        ])
    func descriptors(_ script: String, _ log: String) throws {
        _ = try directory.write("log", "old\n".utf8)
        #expect(try shell(script, .response(200, body: Array("new\n".utf8))).text == "")
        #expect(try directory.contents()["log"] == log)
    }

    @Test("Arguments keep their exact bytes")
    func bytesOfArguments() throws {
        let server = try MockServer { _ in .response(200) }
        let call = "'\(builtTool)' call httpbin.bytes --count 9 --base-url '\(server.baseURL)'"
        _ = try Shell.run(Array("\(call) -H \"$(printf 'X-Test: a\\377b')\"\n".utf8), in: directory)
        #expect(server.received.first?["X-Test"]?.exactBytes == [0x61, 0xFF, 0x62])
    }

    @Test("A response whose compression is damaged leaves no file")
    func damagedCompression() throws {
        // A stored block (RFC 1951, section 3.2.4) with a wrong checksum behind it.
        let block: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 1, 3, 0, 0xFC, 0xFF, 0x61, 0x62, 0x63]
        let compressed = block + [0, 0, 0, 0, 3, 0, 0, 0]
        let response = MockResponse.response(200, fields: [("Content-Encoding", "gzip")], body: compressed)
        let result = try shell("call -o f; code=$?; ls -a | grep f; exit $code", response)
        #expect(result.status == 6)
        #expect(result.text.hasPrefix("apictl: httpbin.bytes: the response of 127.0.0.1 can't be decompressed ("))
        #expect(result.text.hasSuffix(")\nTo receive the body as it is sent: -H 'Accept-Encoding: identity'\n"))
    }

    @Test("On a full disk, the bytes that were written are kept")
    func full() throws {
        let bytes = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let result = try shell(
            "trap '' XFSZ; ulimit -f 1; call -C -o f; exit $?",
            .response(200, fields: [("ETag", "\"a\"")], body: bytes))
        let kept = FileManager.default.contents(atPath: directory.path + "/f.part").map { Array($0) } ?? []
        // The unit of `ulimit -f` is 512 bytes in some shells and 1024 in others.
        #expect([512, 1024].contains(kept.count))
        #expect(kept == Array(bytes.prefix(kept.count)))
        #expect(result.status == 1)
        #expect(
            result.text == """
                apictl: can't write f.part: file too large
                \(kept.count == 512 ? "512 B" : "1.0 kB") kept in f.part; run the same command to resume.

                """)
    }

    @Test(
        "Without one of the standard streams, or with a limit for files: the words, the exit code and the message",
        arguments: [
            ("list >&-", 1, "can't write stdout: bad file descriptor"),
            ("format /dev/null - <&-", 8, "can't read stdin: bad file descriptor"),
            (
                "call httpbin.post --body - --base-url http://127.0.0.1:1 <&-", 1,
                "can't read stdin: bad file descriptor"
            ),
            ("list --json 2>&- >/dev/null", 0, ""), ("check --sample --report-json - 2>&- >/dev/null", 0, ""),
            ("list nosuch 2>&-", 2, ""), ("call movies.popular --sample -q >&-", 0, ""),
            ("call movies.popular --sample -o big", 1, "can't write big: file too large"),
        ])
    func closed(_ words: String, _ status: Int32, _ message: String) throws {
        let script = "exec 2>err; ulimit -f 1; '\(builtTool)' \(words); echo $? >status; cat err"
        _ = try ChildProcess.run(
            "/bin/sh", ["-c", script], environment: ["HOME": directory.path, "PATH": "/usr/bin:/bin"],
            in: directory.path)
        let files = try directory.contents()
        #expect(files["status"] == "\(status)\n")
        #expect(message.isEmpty ? files["err"] == "" : files["err"]?.contains(message) == true)
        // Nothing is left of what could not be written.
        #expect(!files.keys.contains { $0.hasPrefix(".part-") })
    }

    @Test(
        "A proxy's password in a variable, which libcurl repeats in its log, is not shown with -vv",
        arguments: [
            "joe:s3cretpw@127.0.0.1:1", "http://joe:s3cretpw@127.0.0.1:1", "joe:s3c'retpw@127.0.0.1:1",
            "joe:s3c@retpw@127.0.0.1:1", "joe:s3cretpw@127.0.0.1:99999",
        ])
    func proxyPassword(_ proxy: String) throws {
        let result = try ChildProcess.run(
            builtTool, ["call", "httpbin.get", "--base-url", "http://api.test", "-vv"],
            environment: ["http_proxy": proxy])
        let output = String(decoding: result.output, as: UTF8.self)
        #expect(output.contains("* ") && output.contains("apictl: httpbin.get: "))
        for part in ["joe", "s3c", "retpw"] { #expect(!output.contains(part)) }
        #expect(result.status == 6)
    }

    /// Runs the tool until `isReady` returns true, sends it a signal, and expects that the signal ends it.
    private func interrupt(_ words: [String], by signal: Int32, when isReady: () throws -> Bool) async throws {
        let process = try RunningProcess(builtTool, words, environment: [:])
        let end = ContinuousClock.now + .seconds(120)
        while try !isReady() {
            try #require(ContinuousClock.now < end)
            try await Task.sleep(for: .milliseconds(5))
        }
        process.signal(signal)
        #expect(try await process.wait(for: .seconds(120)) == 128 + signal)
    }

    @Test("Ctrl-C ends the loop of a shell around the tool")
    func loop() async throws {
        let server = try MockServer { _ in MockResponse(steps: [.hang]) }
        let call = "\"\(builtTool)\" call \(server.baseURL)/x --max-time 300"
        let loop = "echo $$ >pid; for i in 1 2 3; do \(call); echo again >again; done"
        // In a session of its own, so that the signal for the group reaches only the shell and the tool.
        // A test may have been started with the signal ignored, which programs inherit.
        let shell = "/usr/bin/env --default-signal /usr/bin/setsid -w /bin/bash"
        let line = "cd '\(directory.path)' && exec \(shell) -c '\(loop)'"
        let process = try RunningProcess("/bin/sh", ["-c", line], environment: [:])
        while server.received.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        let leader = try #require(Int32(directory.contents()["pid"]?.split(separator: "\n").first ?? ""))
        kill(-leader, SIGINT)
        #expect(try await process.wait(for: .seconds(60)) != nil)
        #expect(try directory.contents().keys.sorted() == ["pid"])
        #expect(server.received.count == 1)
    }

    enum Phase: CaseIterable {
        case beforeTheHead, inTheBody, inADownload
    }

    @Test(
        "A signal ends a run at once; no temporary file stays, a partial download does", arguments: Phase.allCases,
        [SIGINT, SIGQUIT, SIGTERM, SIGHUP])
    func signal(_ phase: Phase, _ signal: Int32) async throws {
        _ = try directory.write("f", "old".utf8)
        let head = MockResponse.response(200, fields: [("Content-Length", "9"), ("ETag", "\"a\"")])
        let server = try MockServer { _ in
            phase == .beforeTheHead ? MockResponse(steps: [.hang]) : head.then(.bytes(Array("abc".utf8)), .hang)
        }
        // With the usual time limit, the call could be over before a busy machine lets this test look at it.
        let words = ["call", "httpbin.bytes", "--count", "9", "--base-url", server.baseURL, "--max-time", "300"]
        try await interrupt(
            words + ["-o", directory.path + "/f"] + (phase == .inADownload ? ["-C"] : []), by: signal
        ) {
            try phase == .beforeTheHead ? !server.received.isEmpty : directory.contents().values.contains("abc")
        }
        let kept = phase == .inADownload ? ["f.part": "abc", "f.part.entity": "\"a\"\n9\n"] : [:]
        #expect(try directory.contents() == ["f": "old"].merging(kept) { $1 })
    }

    /// Limits of a shell, and the message about the one that is too low; nil if all is well.
    @Test(
        "A limit of the system that is too low is named",
        arguments: [
            ("-n 4", "too few files may be open: 4; set 'ulimit -n' to 16 or more"), ("-n 15", "too few files"),
            ("-s 64", "the stack is too small: 64 kB; set 'ulimit -s' to 512 or more"), ("-n 16", nil), ("-s 512", nil),
        ] as [(String, String?)])
    func limits(_ limit: String, _ message: String?) async throws {
        let errors = directory.path + "/errors"
        // The shell redirects first, for which it needs descriptors itself.
        let line = "exec >/dev/null 2>\(errors); ulimit \(limit); exec \(builtTool) docs"
        let process = try RunningProcess("/bin/sh", ["-c", line], environment: [:])
        #expect(try await process.wait(for: .seconds(120)) == (message == nil ? 0 : 1))
        let text = try #require(directory.contents()["errors"])
        #expect(message.map { text.hasPrefix("apictl: \($0)") } ?? text.isEmpty, "\(text)")
    }

    @Test("A signal ends --watch, between two calls and within one", arguments: [SIGINT, SIGTERM], [false, true])
    func signalWhileWatching(_ signal: Int32, _ isWithinCall: Bool) async throws {
        let isWaiting = Mutex(false)
        let server = try MockServer { _ in
            let isFirst = isWaiting.withLock { isWaiting in
                defer { isWaiting = true }
                return !isWaiting
            }
            return isWithinCall && !isFirst ? MockResponse(steps: [.hang]) : .json("1")
        }
        let interval = isWithinCall ? "100ms" : "300"
        try await interrupt(["call", "\(server.baseURL)/x", "--watch", interval], by: signal) {
            server.received.count == (isWithinCall ? 2 : 1)
        }
    }

    @Test("A run that waits for a pipe ends by a signal too")
    func signalAtAPipe() async throws {
        let pipe = directory.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let start = ContinuousClock.now
        try await interrupt(
            ["call", "httpbin.post", "--body", "@\(pipe)", "--base-url", "http://127.0.0.1:1"], by: SIGINT
        ) { .now - start > .seconds(1) }
    }

    @Test(
        "A signal while stdin is read is reported as JSON with --json-errors",
        arguments: ["format", "import json -", "mcp", "check --cases -", "curl httpbin.get --env-file -"])
    func signalAtStdin(_ words: String) async throws {
        let (pipe, errors) = (directory.path + "/pipe", directory.path + "/errors")
        try #require(mkfifo(pipe, 0o600) == 0)
        let line = "exec \(builtTool) --json-errors \(words) <>\(pipe) 2>\(errors)"
        let process = try RunningProcess("/bin/sh", ["-c", line], environment: [:])
        try await Task.sleep(for: .seconds(1))
        process.signal(SIGINT)
        #expect(try await process.wait(for: .seconds(120)) == 130)
        let text = try #require(directory.contents()["errors"])
        #expect(text.hasPrefix(#"{"error":{"kind":"interrupted","message":"interrupted","#) && text.contains("130"))
    }

    @Test("Within its directory, an API is added to the project too")
    func importWithinEndpoints() throws {
        _ = try directory.write("Package.swift", "".utf8)
        _ = try directory.write("list", "let apis: [any API.Type] = [\n    ]\n".utf8)
        let line = """
            cd '\(directory.path)' && mkdir Endpoints && mv list Endpoints/Catalogue.swift && cd Endpoints &&
            '\(builtTool)' import --no-send --into ./Zoo curl http://a.test/x 2>/dev/null && cat Catalogue.swift
            """
        let result = try ChildProcess.run("/bin/sh", ["-c", line], environment: ["PATH": "/usr/bin:/bin"])
        let catalogue = "let apis: [any API.Type] = [\n        A.self,\n    ]\n"
        #expect(String(decoding: result.output, as: UTF8.self) == catalogue)
    }

    @Test(
        "An interrupted check reports what has run and marks the rest, and no temporary file stays",
        arguments: [SIGINT, SIGTERM])
    func interruptedCheck(_ signal: Int32) async throws {
        let server = try MockServer { request in
            request.path == "/ip" ? .json(#"{"origin": "127.0.0.1"}"#) : MockResponse(steps: [.hang])
        }
        let kinds = ["json", "junit", "md", "html", "har"]
        let words = [
            "check", "httpbin.ip", "httpbin.uuid", "--base-url", server.baseURL, "--jobs", "1", "--max-time", "300",
        ]
        try await interrupt(words + kinds.flatMap { ["--report-" + $0, "\(directory.path)/\($0)"] }, by: signal) {
            server.received.count == 2
        }
        let reports = try directory.contents()
        #expect(reports.keys.sorted() == kinds.sorted())
        let report = try JSONValue(text: try #require(reports["json"]).exactBytes)
        #expect(report["summary"]?["interrupted"]?.bool == true)
        let checks = try #require(report["checks"]?.elements.map { Array($0) })
        #expect(checks.map { $0["verdict"]?.string } == ["passed", "skipped"])
        #expect(checks.last?["reason"]?.string == "not run: interrupted")
        let archive = try JSONValue(text: try #require(reports["har"]).exactBytes)
        let exchanges = archive["log"]?["entries"]?.elements.map { Array($0) }
        #expect(exchanges?.map { $0["response"]?["status"]?.integer() } == [200, 0])
    }
}
