import CurlTransport
import EndpointKit
import MockServer
import Synchronization
import Testing

@testable import ApictlCLI

/// The options of the transfer over a real socket: what `call` does, and what the printed curl command does.
struct OptionWireTests {
    /// A server that responds with 503 as often as told, and then 200.
    private static func busy(_ count: Int, fields: [(String, String)] = []) throws -> MockServer {
        let left = Mutex(count)
        return try MockServer { _ in
            let isBusy = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return isBusy ? .response(503, fields: fields) : .text("done")
        }
    }

    @Test("503 with Retry-After, then 200")
    func retryAfter() async throws {
        let server = try Self.busy(1, fields: [("Retry-After", "1")])
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = await run(
            [
                "call", "echo.path", "x", "--base-url", server.baseURL, "--retry", "3", "--retry-delay", "10ms",
                "-m", "0",
            ], transport: CurlTransport())
        #expect(
            outcome
                == Outcome(
                    out: "done", err: "apictl: echo.path: 503 Service Unavailable; trying again in 1 s (1 of 3)\n"))
        #expect(clock.now - start >= .seconds(1))
        #expect(server.received.count == 2)
    }

    /// Runs the curl command that is printed for `words`, and gives its output and status.
    private static func curl(
        _ words: [String], _ server: MockServer, base: String? = nil, environment: [String: String] = [:],
        in directory: TemporaryDirectory, stdin: String = ""
    ) async throws -> (output: String, status: Int32) {
        let printed = await run(
            ["curl"] + words + ["--base-url", base ?? server.baseURL], variables: environment)
        #expect(printed.code == 0)
        let script = (stdin.isEmpty ? "" : "printf '\(stdin)' | ") + printed.out.dropLast() + " --silent --show-error\n"
        let result = try Shell.run(
            script.exactBytes, environment: environment.mapValues(\.exactBytes), in: directory)
        return (String(decoding: result.output, as: UTF8.self), result.status)
    }

    @Test("curl retries", .runsCurl)
    func curlRetries() async throws {
        let server = try Self.busy(1)
        let words = ["echo.path", "x", "--retry", "3", "--retry-delay", "1"]
        let result = try await Self.curl(words, server, in: TemporaryDirectory())
        #expect(result.status == 0)
        #expect(result.output.hasSuffix("done"))
        #expect(server.received.count == 2)
    }

    @Test("call and curl send the same password from netrc", .runsCurl, arguments: ["NETRC", "HOME"])
    func netrc(_ variable: String) async throws {
        let server = try MockServer { _ in .response(200) }
        let directory = try TemporaryDirectory()
        let text = #"machine other login no password no machine 127.0.0.1 login "a d" password "l\"o\\v#e'$" # end"#
        let file = try directory.write(variable == "NETRC" ? "my netrc" : ".netrc", text.utf8)
        let environment = [variable: variable == "NETRC" ? file : directory.path]
        let outcome = await run(
            ["call", "echo.head", "-n", "--base-url", server.baseURL], variables: environment,
            files: MemoryFiles([file: text.exactBytes]), transport: CurlTransport())
        #expect(outcome == Outcome())
        let result = try await Self.curl(["echo.head", "-n", "-q"], server, environment: environment, in: directory)
        #expect(result.status == 0)
        let fields = server.received.map { $0["Authorization"] }
        // a d:l"o\v#e'$
        #expect(fields == Array(repeating: "Basic YSBkOmwib1x2I2UnJA==", count: 2))
    }

    @Test("curl takes the address it is given, and no proxy", .runsCurl)
    func curlResolves() async throws {
        let server = try MockServer { _ in .text("done") }
        let result = try await Self.curl(
            ["echo.path", "x", "--resolve", "api.test:\(server.port):127.0.0.1", "-x", "", "--http1.1", "-k"],
            server, base: "http://api.test:\(server.port)",
            environment: ["http_proxy": "http://127.0.0.1:1"], in: TemporaryDirectory())
        #expect(result.status == 0)
        #expect(result.output == "done")
        #expect(server.received.map { $0["Host"] } == ["api.test:\(server.port)"])
    }

    @Test(
        "curl sends another body", .runsCurl,
        arguments: [("@b.json", "from a file"), ("-", "from stdin"), ("it's", "it's")])
    func curlBody(_ body: String, _ content: String) async throws {
        let server = try MockServer { _ in .response(200) }
        let directory = try TemporaryDirectory()
        _ = try directory.write("b.json", "from a file".utf8)
        let result = try await Self.curl(
            ["echo.note", "--body", body], server, in: directory,
            stdin: body == "-" ? "from stdin" : "")
        #expect(result.status == 0)
        #expect(server.received.map { "\($0.method) \($0["Content-Type"] ?? "")" } == ["POST application/json"])
        #expect(server.received.map { String(decoding: $0.body, as: UTF8.self) } == [content])
    }

    @Test("curl resumes a file, and stops at a size", .runsCurl)
    func curlFiles() async throws {
        let server = try MockServer { request in
            request["Range"] == nil
                ? .text("abcdef") : .text("def", status: 206, fields: [("Content-Range", "bytes 3-5/6")])
        }
        let directory = try TemporaryDirectory()
        let file = try directory.write("f", "abc".utf8)
        let continued = try await Self.curl(["echo.path", "x", "-C", "-o", file], server, in: directory)
        #expect(continued.status == 0)
        #expect(try Shell.run("cat f".exactBytes, in: directory).output == "abcdef".exactBytes)
        #expect(server.received.map { $0["Range"] } == ["bytes=3-"])
        // CURLE_FILESIZE_EXCEEDED
        #expect(try await Self.curl(["echo.path", "x", "--max-bytes", "3"], server, in: directory).status == 63)
    }
}
