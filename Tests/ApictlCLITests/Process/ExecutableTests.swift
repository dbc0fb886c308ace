import EndpointKit
import Foundation
import JSONText
import MockServer
import TestSupport
import Testing

/// What only the real executable shows: redirections of the shell, closed streams, limits, signals, libcurl's own log.
struct ExecutableTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// What a script prints in which `call` calls `httpbin.bytes`.
    private func shell(_ script: String, _ response: MockResponse) throws -> (text: String, status: Int32) {
        let server = try MockServer { _ in response }
        let call = "'\(builtTool)' call \(server.baseURL)/x --max-time 300"
        let loop = "echo $$ >pid; for i in 1 2 3; do \(call); echo again >again; done"
        // In a session of its own, so that the signal for the group reaches only the shell and the tool.
        let line =
            "cd '\(directory.path)' && exec /usr/bin/setsid -w /bin/bash -c '\(loop.replacing("'", with: "'\\''"))'"
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
        // With its usual limits it would be over before a test looks that a busy machine keeps waiting.
        let words = ["call", "httpbin.bytes", "--count", "9", "--base-url", server.baseURL, "--max-time", "300"]
        try await interrupt(
            words + ["-o", directory.path + "/f"] + (phase == .inADownload ? ["-C"] : []), by: signal
        ) {
            try phase == .beforeTheHead ? !server.received.isEmpty : directory.contents().values.contains("abc")
        }
        let kept = phase == .inADownload ? ["f.part": "abc", "f.part.entity": "\"a\"\n9\n"] : [:]
        #expect(try directory.contents() == ["f": "old"].merging(kept) { $1 })
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
        "A signal while stdin is read is told as JSON",
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

    /// Ctrl-C: what ran is reported, the rest is marked, and no temporary file stays.
    @Test(arguments: [SIGINT, SIGTERM])
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
