import EndpointKit
import EndpointTools
import Foundation
import Synchronization
import SystemCalls
import Testing

@testable import ApictlCLI

/// The output and the exit code of a run of the tool.
struct Outcome: Equatable, CustomTestStringConvertible {
    var out = ""
    var err = ""
    var code: Int32 = 0

    var testDescription: String { "exit \(code)\n--- stdout\n\(out)--- stderr\n\(err)---" }

    /// Compares the bytes of the texts. Swift would also accept texts that are only canonically equivalent.
    static func == (one: Outcome, other: Outcome) -> Bool {
        one.code == other.code && one.out.utf8.elementsEqual(other.out.utf8)
            && one.err.utf8.elementsEqual(other.err.utf8)
    }
}

/// A row of a table: a command line with its environment, and the whole outcome.
struct Row: Sendable, CustomTestStringConvertible {
    let id: String
    let words: [String]
    let variables: [String: String]
    let stdin: String?
    let files: [String: String]
    /// The responses of the server, one for each request.
    private(set) var responses: [StubResponse]
    /// The files that are expected after the run. With nil, any files may be there.
    private(set) var left: [String: String]?
    let terminal: Terminals
    let apis: [any API.Type]
    let expected: Outcome

    /// Creates a row. Without a response, the run must not send a request.
    init(
        _ id: String, _ words: some CommandWordList, variables: [String: String] = testVariables, stdin: String? = nil,
        files: [String: String] = [:], response: StubResponse? = nil, terminal: Terminals = [],
        apis: [any API.Type] = testAPIs, out: String = "", err: String = "", code: Int32 = 0
    ) {
        self.id = id
        self.words = words.words
        self.variables = variables
        self.stdin = stdin
        self.files = files
        responses = response.map { [$0] } ?? []
        self.terminal = terminal
        self.apis = apis
        expected = Outcome(out: out, err: err, code: code)
    }

    var testDescription: String { id }

    /// Returns a copy of the row in which the server gives these responses.
    func responding(_ responses: [StubResponse]) -> Row {
        var copy = self
        copy.responses = responses
        return copy
    }

    /// Returns a copy of the row that expects these files after the run.
    func leaving(_ files: [String: String]) -> Row {
        var copy = self
        copy.left = files
        return copy
    }

    /// Runs the command line and returns its outcome. A response that no request gets fails the test.
    func run() async -> Outcome {
        let files = MemoryFiles(files.mapValues { $0.exactBytes })
        let transport = StubTransport(responses)
        let outcome = await ApictlCLITests.run(
            words, variables: variables, stdin: stdin, files: files, transport: transport, terminal: terminal,
            apis: apis)
        #expect(transport.requests.count == responses.count, "requests sent")
        if let left { #expect(files.texts == left) }
        return outcome
    }

    /// Runs the command line and expects its outcome.
    func check() async {
        let outcome = await run()
        #expect(outcome == expected)
    }
}

/// The words of a command line: a text that is split at its spaces, or an array.
protocol CommandWordList: Sendable { var words: [String] { get } }
extension String: CommandWordList { var words: [String] { split(separator: " ").map(String.init) } }
extension [String]: CommandWordList { var words: [String] { self } }

/// A row for an invalid command line: `message` and a line about help on stderr, nothing on stdout, exit 2.
///
/// Without `help`, the line names the help of the endpoint that is called, or else that of the command.
func wrong(
    _ words: some CommandWordList, variables: [String: String] = testVariables, stdin: String? = nil,
    files: [String: String] = [:], apis: [any API.Type] = testAPIs, _ message: String, see help: String? = nil
) -> Row {
    let names = words.words.filter { !$0.hasPrefix("-") }
    let isCall = names.count > 1 && ["call", "curl"].contains(names[0]) && names[1].contains(".")
    let topic = isCall ? names[1] : names.first
    return Row(
        words.words.joined(separator: " "), words, variables: variables, stdin: stdin, files: files, apis: apis,
        err: "apictl: \(message)\nSee 'apictl \(help ?? topic.map { "help " + $0 } ?? "help")'.\n", code: 2)
}

/// The APIs of every test that names no others.
let testAPIs: [any API.Type] = [Movies.self, Echo.self]

/// The environment variables of every test that names no others: the key of `movies`.
let testVariables = ["MOVIES_KEY": "k3y"]

/// Returns a request as `--dry-run` shows it.
///
/// The text has the request line, `fields`, the two headers that every request of a model has, and a body of `type`.
func shown(_ line: String, _ fields: String..., type: String = "application/json", body: String? = nil) -> String {
    let content = body.map { (["Content-Type: \(type)"], ["", $0]) } ?? ([], [])
    return ([line] + fields + ["Accept: application/json"] + content.0 + ["User-Agent: apictl/0.1.0"] + content.1)
        .map { $0 + "\n" }.joined()
}

/// Which outputs are terminals.
struct Terminals: OptionSet, Sendable {
    let rawValue: Int

    static let stdout = Terminals(rawValue: 1)
    static let stderr = Terminals(rawValue: 2)
}

/// Runs a command line with the test APIs. Files, stdin and transport that are not given must not be used.
func run(
    _ words: some CommandWordList, variables: [String: String] = testVariables, stdin: String? = nil,
    files: any FileSystem = MemoryFiles(), transport: any Transport = UntouchedTransport(), terminal: Terminals = [],
    apis: [any API.Type] = testAPIs, commands: [any Command.Type] = Apictl.commands,
    tool: String = "apictl", program: (@Sendable ([String], Duration) throws -> String)? = nil
) async -> Outcome {
    let out = BufferOutput(isTerminal: terminal.contains(.stdout))
    let err = BufferOutput(isTerminal: terminal.contains(.stderr))
    let input: any ByteInput = stdin.map { MemoryInput($0.exactBytes) } ?? UntouchedInput()
    var environment = ProcessEnvironment.test(
        out: out, err: err, stdin: input, variables: variables, files: files, transport: transport)
    environment.commandOutput = { words, limit in
        if program == nil { Issue.record("a program was run") }
        return try program?(words, limit).exactBytes ?? []
    }
    let code = await Apictl.run(
        words.words, apis: apis, commands: commands, environment: environment, tool: tool, version: Version.number)
    return Outcome(out: String(exactBytes: out.bytes), err: String(exactBytes: err.bytes), code: code)
}

extension Apictl {
    /// Runs a command line with the APIs of enums.
    static func run(
        _ arguments: [String], apis: [any API.Type], commands: [any Command.Type] = commands,
        environment: ProcessEnvironment, tool: String = "apictl", version: String = Version.number
    ) async -> Int32 {
        await run(
            arguments, apis: apis.map { CatalogueAPI($0) }, commands: commands, environment: environment, tool: tool,
            version: version)
    }
}

extension APIRegistry {
    init(apis: [any API.Type]) { self.init(apis: apis.map { CatalogueAPI($0) }) }
}

extension ProcessEnvironment {
    /// An environment in which what is not given must not be used.
    static func test(
        out: any ByteOutput = BufferOutput(), err: any ByteOutput = BufferOutput(),
        stdin: any ByteInput = UntouchedInput(), variables: [String: String] = [:],
        files: any FileSystem = MemoryFiles(), transport: any Transport = UntouchedTransport()
    ) -> ProcessEnvironment {
        ProcessEnvironment(
            stdout: out, stderr: err, stdin: stdin, variable: { variables[$0] }, files: files, transport: transport)
    }
}

/// Runs `work` on a thread of its own, as the tool does, so that no test with a time limit waits for it.
///
/// `work` must not use `#expect`, which would not know the test on another thread.
func onItsOwnThread<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { waiter in
        do {
            try SystemThread.start { waiter.resume(returning: WaitingThread.run(work)) }
        } catch {
            waiter.resume(throwing: error)
        }
    }
}

/// A transport that must not be used.
struct UntouchedTransport: Transport {
    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        Issue.record("the network was touched")
        throw TransportError(.other, detail: "the network was touched")
    }
}

/// A stdin that must not be read.
struct UntouchedInput: ByteInput {
    var isTerminal: Bool { false }

    func read(until deadline: ContinuousClock.Instant?) throws -> [UInt8] {
        Issue.record("stdin was read")
        return []
    }
}

/// Bytes that are returned once, in chunks of three.
final class MemoryInput: ByteInput {
    let isTerminal = false
    private let rest: Mutex<ArraySlice<UInt8>>

    init(_ bytes: [UInt8]) { rest = Mutex(bytes[...]) }

    func read(until deadline: ContinuousClock.Instant?) throws -> [UInt8] {
        rest.withLock { rest in
            let piece = rest.prefix(3)
            rest = rest.dropFirst(3)
            return Array(piece)
        }
    }
}

/// The executable that was built with the tests.
let builtTool =
    URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path + "/apictl"
