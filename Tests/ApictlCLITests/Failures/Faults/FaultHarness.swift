import CurlTransport
import EndpointKit
import MockServer
import Testing

@testable import ApictlCLI

/// A row of the table of faults: what a server does, a command line, and the whole outcome.
struct Fault: Sendable, CustomTestStringConvertible {
    /// What listens at the port.
    enum Server: Sendable {
        case responding(@Sendable (ReceivedRequest) -> MockResponse)
        /// A server that accepts bodies up to that many bytes.
        case limited(body: Int)
        /// The port is taken, and refuses connections.
        case refusing
        /// No more connections are accepted.
        case full
    }

    let id: String
    let server: Server
    let words: [String]
    let code: Int32
    let out: String
    /// Nil: any text will do.
    let err: String?

    var testDescription: String { id }
}

/// A row for a call of `words`, in which as in `out` and `err` `{port}` stands for the server's; in the latter `…` for anything on a line.
///
/// The server is the base URL unless `words` have another.
func fault(
    _ id: String, _ server: Fault.Server, _ words: String, code: Int32, out: String = "", err: String? = ""
) -> Fault {
    let given = words.words
    let base = given.contains("--base-url") ? [] : ["--base-url", "http://127.0.0.1:{port}"]
    return Fault(id: id, server: server, words: ["call"] + given + base, code: code, out: out, err: err)
}

/// The same for a call that fails: stderr holds `body`, the response's as it is shown, and `message`; any text, if that is nil.
func fault(
    _ id: String, _ server: Fault.Server, _ words: String, code: Int32, body: String = "", _ message: String?
) -> Fault {
    let err = message.map { "\(body)apictl: \(words.prefix { $0 != " " }): \($0)\n" }
    return fault(id, server, words, code: code, err: err)
}

/// The same for one response to every request, and the endpoint that most rows call.
func fault(
    _ id: String, _ response: MockResponse, _ options: String = "", code: Int32, body: String = "", _ message: String?
) -> Fault {
    fault(id, .responding { _ in response }, "movies.popular " + options, code: code, body: body, message)
}

extension Fault {
    /// Secrets that must never be shown.
    static let secrets = ["k3y/s3cret", "k3y%2Fs3cret", "pa55 w0rd", "YWRhOnBhNTUgdzByZA", "t0k3n"]
    private static let variables = [
        "MOVIES_KEY": "k3y/s3cret", "ECHO_USER": "ada", "ECHO_PASSWORD": "pa55 w0rd", "ECHO_TOKEN": "t0k3n",
    ]
    /// Far more than any row takes, on a machine that has much else to do.
    private static let limit = Duration.seconds(60)

    func check() async throws {
        let (port, stop) = try start()
        defer { stop() }
        func filled(_ text: String) -> String { text.replacing("{port}", with: String(port)) }
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = await run(words.map(filled), variables: Self.variables, transport: CurlTransport())
        #expect(clock.now - start < Self.limit)
        #expect(outcome.code == code)
        #expect(Self.matches(outcome.out, filled(out)), "\(outcome.testDescription)")
        if let err { #expect(Self.matches(outcome.err, filled(err)), "\(outcome.testDescription)") }
        for secret in Self.secrets {
            #expect(!outcome.out.contains(secret) && !outcome.err.contains(secret), "\(outcome.testDescription)")
        }
        for output in [outcome.out, outcome.err] {
            #expect(
                !output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
        }
    }

    /// Starts the server and gives its port, and what stops it.
    private func start() throws -> (port: UInt16, stop: () -> Void) {
        switch server {
        case .responding(let respond):
            let server = try MockServer(recording: false, respond: respond)
            return (server.port, server.stop)
        case .limited(let body):
            let server = try MockServer(limits: .init(body: body)) { _ in .response(200) }
            return (server.port, server.stop)
        case .refusing: return try port(of: LoopbackPort(listening: false))
        case .full: return try port(of: LoopbackPort(listening: true, full: true))
        }
    }

    private func port(of socket: LoopbackPort) -> (port: UInt16, stop: () -> Void) {
        (socket.number, { withExtendedLifetime(socket) {} })
    }

    /// Whether a text is as expected, in which `…` stands for anything on one line.
    private static func matches(_ text: String, _ expected: String) -> Bool {
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        let patterns = expected.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        return lines.count == patterns.count && zip(lines, patterns).allSatisfy { matches($0, line: $1) }
    }

    private static func matches(_ text: Substring.UTF8View, line pattern: Substring.UTF8View) -> Bool {
        let (text, pattern) = (Array(text), Array(pattern))
        let wildcard = Array("…".utf8)
        guard let hole = pattern.firstRange(of: wildcard) else { return text == pattern }
        let (start, end) = (pattern[..<hole.lowerBound], pattern[hole.upperBound...])
        return text.count >= start.count + end.count && text.starts(with: start) && text.suffix(end.count) == end
    }
}
