import CurlTransport
import EndpointKit
import Foundation
import JSONText
import MockServer
import Synchronization
import TestSupport
import Testing

@testable import ApictlCLI

/// `check` over sockets, and as a process.
struct CheckWireTests {
    private static func json(_ path: String) throws -> JSONValue {
        try JSONValue(text: Array(#require(FileManager.default.contents(atPath: path))))
    }

    /// Every third response drifts, every fifth does not fit, and all of them come in any order.
    @Test func manyAtOnce() async throws {
        let count = Mutex(0)
        let server = try MockServer { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .json(
                #"{"id": \#(number % 5 == 0 ? "null" : "1"), "name": "n", "note": "x"\#(number % 3 == 0 ? #", "more": 1"# : "")}"#
            )
        }
        let words = ["check", "*.item", "--repeat", "75", "--jobs", "8", "--base-url", server.baseURL]
        let outcome = await run(words, transport: CurlTransport(), apis: [Shop.self])
        #expect(outcome.code == 1)
        #expect(outcome.out.contains("\n150 checks: 80 passed, 40 drifted, 30 failed, 0 skipped\n"))
        #expect(server.connectionCount <= 8)
    }

    /// Ctrl-C: what ran is reported, the rest is marked, and no temporary file stays.
    @Test(arguments: [SIGINT, SIGTERM]) func interrupted(_ signal: Int32) async throws {
        let server = try MockServer { request in
            request.path == "/ip" ? .json(#"{"origin": "127.0.0.1"}"#) : MockResponse(steps: [.hang])
        }
        let directory = try TemporaryDirectory()
        let kinds = ["json", "junit", "tap", "md", "html"]
        let process = try RunningProcess(
            builtTool,
            ["check", "httpbin.ip", "httpbin.uuid", "--base-url", server.baseURL, "--jobs", "1", "--max-time", "300"]
                + kinds.flatMap { ["--report-" + $0, "\(directory.path)/\($0)"] }, environment: [:])
        let end = ContinuousClock.now + .seconds(120)
        while server.received.count < 2 {
            try #require(ContinuousClock.now < end)
            try await Task.sleep(for: .milliseconds(5))
        }
        process.signal(signal)
        #expect(try await process.wait(for: .seconds(120)) == 128 + signal)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == kinds.sorted())
        let report = try Self.json(directory.path + "/json")
        #expect(report["summary"]?["interrupted"]?.bool == true)
        let checks = try #require(report["checks"]?.elements.map { Array($0) })
        #expect(checks.map { $0["verdict"]?.string } == ["passed", "skipped"])
        #expect(checks.last?["reason"]?.string == "not run: interrupted")
        let tap = String(
            decoding: try #require(FileManager.default.contents(atPath: directory.path + "/tap")), as: UTF8.self)
        #expect(tap.hasSuffix("Bail out! interrupted\n"))
    }
}
