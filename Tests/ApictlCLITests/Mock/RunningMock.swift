import EndpointKit
import TestSupport
import Testing

@testable import ApictlCLI

/// A `mock` command that runs beside the test.
final class RunningMock: Sendable {
    let address: String
    private let out: BufferOutput
    private let err: BufferOutput
    private let task: Task<Int32, Never>

    /// Starts the command with the test APIs and a free port, and waits for its summary.
    init(
        _ words: String, apis: [any API.Type] = [Movies.self, Echo.self], files: any FileSystem = MemoryFiles(),
        variables: [String: String] = [:], transport: any Transport = UntouchedTransport()
    ) async throws {
        let (out, err) = (BufferOutput(), BufferOutput())
        var environment = ProcessEnvironment.test(
            out: out, err: err, variables: variables, files: files, transport: transport)
        environment.secondsSince1970 = { 784_111_777 }
        let arguments = ["mock", "--port", "0"] + words.words
        let task = Task { [environment] in await Apictl.run(arguments, apis: apis, environment: environment) }
        self.out = out
        self.err = err
        self.task = task
        let end = ContinuousClock.now + .seconds(120)
        while !err.text.hasSuffix("\n\n") {
            try #require(ContinuousClock.now < end, "\(err.text)")
            try await Task.sleep(for: .milliseconds(2))
        }
        address = String(out.text.dropLast())
    }

    deinit { task.cancel() }

    /// The text that the command has written to stderr.
    var log: String { err.text }

    /// The lines about requests that the command has written to stderr, without the times.
    var lines: [Substring] {
        let text = err.text
        let end = text.range(of: "\n\n", options: .backwards)?.upperBound
        return end.map { text[$0...].replacing(/\ \d+ ms\n/, with: "\n").split(separator: "\n") } ?? []
    }

    /// The lines about samples that can't be used, which the command has written to stderr before the routes.
    var notes: [Substring] { err.text.split(separator: "\n").filter { $0.hasPrefix("apictl: ") } }

    /// The variables that the `export` lines set.
    var variables: [String: String] {
        let lines = log.split(separator: "\n").filter { $0.hasPrefix("export ") }
        let pairs = lines.map { line in
            let nameAndValue = line.dropFirst("export ".count).split(separator: "=", maxSplits: 1)
            return (String(nameAndValue[0]), String(nameAndValue[1]))
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The variables with addresses that the `export` lines set.
    var addresses: [String: String] { variables.filter { $0.key.hasPrefix("APICTL_") } }

    /// Ends the command as a signal does, and returns its whole output and its exit code.
    func stop() async -> Outcome {
        task.cancel()
        return Outcome(out: out.text, err: err.text, code: await task.value)
    }

    /// Sends a request and returns the whole response.
    ///
    /// The response lacks the header `Date`. It has LF in place of CRLF, and PORT in place of the port.
    ///
    /// - Parameters:
    ///   - options: Options as curl has them: `--head`, `-X`, `-H` and `--json`.
    ///   - target: The path and query.
    func request(_ options: [String], _ target: String) throws -> String {
        let host = address.dropFirst("http://".count)
        var (method, fields, body) = ("GET", ["Accept: */*"], "")
        var words = options[...]
        while let option = words.popFirst() {
            switch option {
            case "--head": method = "HEAD"
            case "-X", "--request": method = words.popFirst() ?? ""
            case "-H": fields.append(words.popFirst() ?? "")
            case "--json":
                method = "POST"
                body = words.popFirst() ?? ""
                fields += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
            default: Issue.record("no option '\(option)'")
            }
        }
        if !fields.contains(where: { $0.hasPrefix("Host:") }) { fields.append("Host: \(host)") }
        let (name, port) = try #require(host.lastIndex(of: ":").map { (host[..<$0], host[$0...].dropFirst()) })
        let client = try RawClient(
            host: name.filter { !"[]".contains($0) }, port: #require(UInt16(port)), patience: 120)
        client.send((["\(method) \(target) HTTP/1.1"] + fields + ["", body]).joined(separator: "\r\n"))
        let head = client.readHead()
        let length = head.firstMatch(of: /\r\nContent-Length: ([0-9]+)\r\n/).flatMap { Int($0.1) } ?? 0
        let text = (head + (method == "HEAD" ? "" : client.read(length))).replacing("\r\n", with: "\n")
        #expect(text.contains("\nDate: Sun, 06 Nov 1994 08:49:37 GMT\n"))
        return text.replacing("\nDate: Sun, 06 Nov 1994 08:49:37 GMT\n", with: "\n").replacing(port, with: "PORT")
    }

    /// Sends a GET request, or another one with `-X`, and returns the status and the body of the response: `200 []`.
    func get(_ target: String, _ options: [String] = []) throws -> String {
        let response = try request(options, target)
        let status = response.dropFirst("HTTP/1.1 ".count).prefix(3)
        let headAndBody = response.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        return "\(status) \(headAndBody.dropFirst().first ?? "")"
    }
}
