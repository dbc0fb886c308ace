import EndpointKit
import JSONText
import Synchronization
import SystemCalls
import Testing

@testable import ApictlCLI

/// A client of `mcp` in memory: it sends lines, and ends its input once it has as many lines as it waits for.
final class Conversation: ByteInput, ByteOutput {
    private struct State {
        var unsent: [UInt8]
        var received: [UInt8] = []
    }

    let isTerminal = false
    private let state: Mutex<State>
    private let answers: Int
    private let limit = ContinuousClock.now + .seconds(60)

    private init(_ lines: [String], answers: Int) {
        state = Mutex(State(unsent: lines.map { $0 + "\n" }.joined().exactBytes))
        self.answers = answers
    }

    private var lines: [String] {
        state.withLock { String(exactBytes: $0.received) }.split(separator: "\n").map(String.init)
    }

    func read(until deadline: ContinuousClock.Instant?) throws -> [UInt8] {
        let unsent = state.withLock { state in
            defer { state.unsent = [] }
            return state.unsent
        }
        while unsent.isEmpty, lines.count < answers, .now < limit { usleep(500) }
        return unsent
    }

    func write(_ bytes: [UInt8]) throws { state.withLock { $0.received += bytes } }

    /// The lines that `mcp` with these words sends; one for each line that is sent, unless told otherwise.
    static func lines(
        words: String = "--tools endpoints", _ lines: [String], answers: Int? = nil,
        variables: [String: String] = ["MOVIES_KEY": "k"],
        transport: any Transport = UntouchedTransport(), apis: [any API.Type] = [Movies.self, Echo.self]
    ) async throws -> [String] {
        try await onItsOwnThread {
            let conversation = Conversation(lines, answers: answers ?? lines.count)
            let environment = ProcessEnvironment.test(
                out: conversation, stdin: conversation, variables: variables, transport: transport)
            let code = await Apictl.run(
                ["mcp"] + words.words, apis: apis, environment: environment)
            return conversation.lines + (code == 0 ? [] : ["exit \(code)"])
        }
    }

    /// A request of the revision without a handshake; `parameters` are the members of an object.
    static func request(_ method: String, _ parameters: String = "", id: String = "1", meta: String = "") -> String {
        let capabilities = #""io.modelcontextprotocol/clientCapabilities":{}"#
        return
            #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(parameters)\#(parameters.isEmpty ? "" : ",")"#
            + #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\#(capabilities)\#(meta)}}}"#
    }

    static func call(_ tool: String, _ arguments: String, id: String = "1", meta: String = "") -> String {
        request("tools/call", #""name":"\#(tool)","arguments":\#(arguments)"#, id: id, meta: meta)
    }
}

extension JSONValue {
    /// The texts of the result of a tool in a line.
    init(line: String) throws { try self.init(text: line.exactBytes) }

    var resultTexts: [String] { self["result"]?["content"]?.elements?.compactMap { $0["text"]?.string } ?? [] }
    var isErrorResult: Bool { self["result"]?["isError"]?.bool ?? false }
}
