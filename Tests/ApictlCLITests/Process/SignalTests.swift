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

    @Test(arguments: Phase.allCases, [SIGINT, SIGTERM, SIGHUP])
    func ends(_ phase: Phase, _ signal: Int32) async throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("f", "old".utf8)
        let server = try MockServer { _ in
            phase == .waiting
                ? MockResponse(steps: [.hang])
                : .response(200, fields: [("Content-Length", "9")]).then(.bytes(Array("abc".utf8)), .hang)
        }
        let silent = phase == .connecting ? try FullListener() : nil
        let process = try Self.start(directory, silent?.baseURL ?? server.baseURL, [])
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

    @Test("A partial download is kept", arguments: [SIGINT, SIGTERM])
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

    /// A listener that nobody accepts from, with no room for another connection.
    private final class FullListener: Sendable {
        let port: UInt16
        private let descriptors: [Int32]

        var baseURL: String { "http://127.0.0.1:\(port)" }

        init() throws {
            #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
            #else
            let stream = SOCK_STREAM
            #endif
            let listener = socket(AF_INET, stream, 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let all = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    guard bind(listener, pointer, size) == 0, listen(listener, 0) == 0,
                        getsockname(listener, pointer, &size) == 0
                    else { return [listener] }
                    // Connections that fill the queue.
                    return [listener]
                        + (0..<4).map { _ in
                            let client = socket(AF_INET, stream, 0)
                            _ = fcntl(client, F_SETFL, O_NONBLOCK)
                            _ = connect(client, pointer, size)
                            return client
                        }
                }
            }
            descriptors = all
            port = UInt16(bigEndian: address.sin_port)
        }

        deinit { for descriptor in descriptors { close(descriptor) } }
    }

    private static func start(_ directory: TemporaryDirectory, _ server: String, _ words: [String]) throws
        -> RunningProcess
    {
        let tools = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path
        // With its usual limits it would be over before a test looks that a busy machine keeps waiting.
        let limits = ["--connect-timeout", "300", "--max-time", "300"]
        return try RunningProcess(
            tools + "/apictl",
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
