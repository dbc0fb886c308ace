import Foundation
import MockServer
import TestSupport
import Testing

/// Ctrl-C, `kill` and a closed terminal end a run at once and leave no temporary files.
struct SignalTests {
    enum Phase: String, CaseIterable {
        /// The server has the request and says nothing.
        case waiting
        /// The response has begun.
        case body
        /// The server takes no connection.
        case connecting
    }

    @Test(arguments: Phase.allCases, [SIGINT, SIGQUIT, SIGTERM, SIGHUP])
    func ends(_ phase: Phase, _ signal: Int32) async throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("f", "old".utf8)
        let server = try MockServer { _ in
            phase == .waiting
                ? MockResponse(steps: [.hang])
                : .response(200, fields: [("Content-Length", "9")]).then(.bytes(Array("abc".utf8)), .hang)
        }
        let full = phase == .connecting ? try LoopbackPort(listening: true, full: true) : nil
        defer { withExtendedLifetime(full) {} }
        let process = try Self.start(directory, full.map { "http://127.0.0.1:\($0.number)" } ?? server.baseURL, [])
        try await Self.until {
            switch phase {
            case .waiting: !server.received.isEmpty
            case .body:
                Self.sizes(directory).contains(3) && Self.names(directory).count == 2 && !server.received.isEmpty
            case .connecting: Self.names(directory).count == 2
            }
        }
        process.signal(signal)
        #expect(try await process.wait(for: .seconds(120)) == 128 + signal)
        #expect(Self.names(directory) == ["f"])
        #expect(FileManager.default.contents(atPath: directory.path + "/f") == Data("old".utf8))
    }

    @Test("A partial download is kept", arguments: [SIGINT, SIGQUIT])
    func keeps(_ signal: Int32) async throws {
        let directory = try TemporaryDirectory()
        let server = try MockServer { _ in
            .response(200, fields: [("Content-Length", "9"), ("ETag", "\"a\"")]).then(.bytes(Array("abc".utf8)), .hang)
        }
        let process = try Self.start(directory, server.baseURL, ["-C"])
        try await Self.until { FileManager.default.contents(atPath: directory.path + "/f.part") == Data("abc".utf8) }
        process.signal(signal)
        #expect(try await process.wait(for: .seconds(120)) == 128 + signal)
        #expect(Self.names(directory) == ["f.part", "f.part.entity"])
    }

    @Test("A run that waits for a pipe ends too")
    func waitsForAPipe() async throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let process = try RunningProcess(
            builtTool, ["call", "httpbin.post", "--body", "@\(pipe)", "--base-url", "http://127.0.0.1:1"],
            environment: [:])
        try await Task.sleep(for: .seconds(1))
        process.signal(SIGINT)
        #expect(try await process.wait(for: .seconds(120)) == 128 + SIGINT)
    }

    private static func start(_ directory: TemporaryDirectory, _ server: String, _ words: [String]) throws
        -> RunningProcess
    {
        // With its usual limits it would be over before a test looks that a busy machine keeps waiting.
        let limits = ["--connect-timeout", "300", "--max-time", "300"]
        return try RunningProcess(
            builtTool,
            ["call", "httpbin.bytes", "--count", "9", "--base-url", server, "-o", directory.path + "/f"] + limits
                + words,
            environment: [:])
    }

    private static func names(_ directory: TemporaryDirectory) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
    }

    private static func sizes(_ directory: TemporaryDirectory) -> [Int] {
        names(directory).compactMap { name in
            name == "f" ? nil : FileManager.default.contents(atPath: "\(directory.path)/\(name)")?.count
        }
    }

    /// Waits until `isTrue`, two minutes at most.
    private static func until(_ isTrue: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while !isTrue() {
            try #require(ContinuousClock.now < end)
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
