import CurlTransport
import EndpointKit
import Foundation
import JSONText
import MockServer
import TestSupport
import Testing

@testable import ApictlCLI

/// `check` over sockets, and as a process.
struct CheckWireTests {
    private static func json(_ path: String) throws -> JSONValue {
        try JSONValue(text: Array(#require(FileManager.default.contents(atPath: path))))
    }

    private enum Many: API {
        case item(_ id: Int)

        static let name = "many"
        static let servers = [Server("production", "https://many.test")]
        static let examples = (1...200).map { Many.item($0) }

        var endpoint: Endpoint {
            switch self {
            case .item(let id): .get("/items/\(id)", returns: Shop.Item.self, summary: "One item")
            }
        }
    }

    /// Every third response drifts, every fifth does not fit, and all of them come in any order.
    @Test func manyAtOnce() async throws {
        let server = try MockServer { request in
            guard let number = Int(request.path.dropFirst("/items/".count)) else { return .json("{}", status: 404) }
            let id = number % 5 == 0 ? "null" : "\(number)"
            let more = number % 3 == 0 ? ", \"more\": 1" : ""
            return .json(#"{"id": \#(id), "name": "n", "note": "x"\#(more)}"#)
        }
        let directory = try TemporaryDirectory()
        let report = directory.path + "/report.json"
        let environment = ProcessEnvironment(
            stdout: BufferOutput(), stderr: BufferOutput(), stdin: UntouchedInput(), variable: { _ in nil },
            files: DiskFileSystem(), transport: CurlTransport())
        let code = await Apictl.run(
            ["check", "--jobs", "8", "--base-url", server.baseURL, "--report-json", report],
            apis: [Many.self], environment: environment)
        #expect(code == 1)
        let checks = try #require(Self.json(report)["checks"]?.elements)
        for (number, check) in zip(1..., checks) {
            #expect(check["url"]?.string == "\(server.baseURL)/items/\(number)")
            let verdict = number % 5 == 0 ? "failed" : number % 3 == 0 ? "drifted" : "passed"
            #expect(check["verdict"]?.string == verdict)
        }
        #expect(checks.count == 200)
        #expect(server.connectionCount <= 8)
    }

    /// Ctrl-C: what ran is reported, the rest is marked, and no temporary file stays.
    @Test(arguments: [SIGINT, SIGTERM]) func interrupted(_ signal: Int32) async throws {
        let server = try MockServer { request in
            request.path == "/ip" ? .json(#"{"origin": "127.0.0.1"}"#) : MockResponse(steps: [.hang])
        }
        let directory = try TemporaryDirectory()
        let tools = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path
        let kinds = ["json", "junit", "tap", "md", "html"]
        let process = try RunningProcess(
            tools + "/apictl",
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
