import CurlTransport
import EndpointKit
import MockServer
import Testing

@testable import ApictlCLI

/// The options of the transfer over a real socket, in the printed curl command.
struct OptionWireTests {
    /// Runs the curl command that is printed for `words`, and gives its output and status.
    private static func curl(
        _ words: [String], _ server: MockServer, environment: [String: String] = [:], in directory: TemporaryDirectory
    ) async throws -> (output: String, status: Int32) {
        let printed = await run(
            ["curl"] + words + ["--base-url", server.baseURL], variables: environment)
        #expect(printed.code == 0)
        let script = "\(printed.out.dropLast()) --silent --show-error\n"
        let result = try Shell.run(
            script.exactBytes, environment: environment.mapValues(\.exactBytes), in: directory)
        return (String(decoding: result.output, as: UTF8.self), result.status)
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
