import EndpointKit
import JSONText
import Synchronization

/// A request that is wrong in itself, as the protocol reports it.
struct ProtocolError: Error {
    enum Code: Int {
        case notJSON = -32700
        case invalidRequest = -32600
        case unknownMethod = -32601
        case invalidParameters = -32602
        case internalError = -32603
        case unsupportedVersion = -32022
    }

    let code: Code
    let message: String
    var data: JSONValue?
}

/// Speaks the Model Context Protocol (modelcontextprotocol.io) with one client: the revision in which every request says which one it is of,
/// and those with a handshake.
struct ProtocolSession {
    /// The revisions, the newest first; only the first one is without a handshake.
    static let versions = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    private static let prefix = "io.modelcontextprotocol/"

    private let stream: MessageStream
    private let calls = CallsUnderWay()
    private let tools: Toolbox
    /// The name and version of this program.
    private let info: JSONValue
    /// Whether the client began with a handshake.
    private var hasHandshake = false

    init(_ stream: MessageStream, _ tools: Toolbox, _ context: CommandContext) {
        (self.stream, self.tools) = (stream, tools)
        info = ["name": JSONValue(context.tool), "version": JSONValue(context.version)]
    }

    /// Answers messages until there are no more, then cancels what does not end soon. Throws ``OutputClosed`` if the client has gone.
    mutating func run() async throws {
        for await line in stream.lines {
            do { try handle(line) } catch { send(error, to: nil) }
            stream.endLine()
        }
        for _ in 0..<20 where !calls.isEmpty { try? await Task.sleep(for: .milliseconds(50)) }
        calls.cancel { _ in true }
        try stream.finish()
    }

    private mutating func handle(_ line: [UInt8]?) throws(ProtocolError) {
        let line = try required(line, .invalidRequest, "a message of at most \(MessageStream.maxLength) bytes")
        let value: JSONValue
        do { value = try JSONValue(text: line) } catch {
            throw ProtocolError(code: .notJSON, message: "not a JSON document: \(error)")
        }
        let messages = value.elements ?? [value]
        for message in try required(messages.isEmpty ? nil : messages, .invalidRequest, "at least one message") {
            // A literal nil would be JSON's null.
            let id: JSONValue? = message["id"].flatMap { $0.isIdentifier ? .some($0) : .none }
            do {
                try handle(message, id)
            } catch {
                send(error as? ProtocolError ?? ProtocolError(code: .internalError, message: "\(error)"), to: id)
            }
        }
    }

    private func required<Value>(
        _ value: Value?, _ code: ProtocolError.Code, _ expected: String
    ) throws(ProtocolError) -> Value {
        guard let value else { throw ProtocolError(code: code, message: "expected \(expected)") }
        return value
    }

    /// Throws ``ProtocolError``, and what finding the tools does.
    private mutating func handle(_ message: JSONValue, _ id: JSONValue?) throws {
        _ = try required(message["jsonrpc"]?.string == "2.0" ? true : nil, .invalidRequest, "\"jsonrpc\": \"2.0\"")
        // No request is sent to clients, so that a response is to none.
        if message["method"] == nil, message["result"] != nil || message["error"] != nil { return }
        let method = try required(message["method"]?.string, .invalidRequest, "a \"method\"")
        let parameters = message["params"] ?? [:]
        if message["id"] == nil {
            if method == "notifications/cancelled", let id = parameters["requestId"] { calls.cancel { $0 == id } }
            return
        }
        let id = try required(id, .invalidRequest, "an \"id\" that is text or an integer")
        let isModern = try isModern(method, parameters["_meta"])
        switch method {
        case "tools/list":
            _ = try required(parameters["cursor"]?.isNull ?? true ? true : nil, .invalidParameters, "no cursor")
            send([("tools", JSONValue(try tools.definitions()))], to: id, isModern, mayKeep: true)
        case "tools/call": try call(id, parameters, isModern)
        case "server/discover" where isModern:
            let versions = Self.versions.json
            send([("supportedVersions", versions)] + greeting, to: id, isModern, mayKeep: true)
        case "initialize" where !isModern:
            let wanted = try required(
                parameters["protocolVersion"]?.string, .invalidParameters, "a \"protocolVersion\"")
            let version = Self.versions.dropFirst().first { $0 == wanted } ?? Self.versions[1]
            hasHandshake = true
            send([("protocolVersion", JSONValue(version)), ("serverInfo", info)] + greeting, to: id, isModern)
        case "ping" where !isModern: send([], to: id, isModern)
        default:
            throw ProtocolError(code: .unknownMethod, message: "unknown method '\(method.cut(to: Nearest.maxLength))'")
        }
    }

    private var greeting: JSONMembers {
        [("capabilities", ["tools": [:]]), ("instructions", JSONValue(tools.instructions))]
    }

    /// Whether a request is of the revision without a handshake. Throws for one of no revision that is known.
    private func isModern(_ method: String, _ meta: JSONValue?) throws(ProtocolError) -> Bool {
        let (key, capabilities) = (Self.prefix + "protocolVersion", Self.prefix + "clientCapabilities")
        if meta?[key] == nil, hasHandshake || ["initialize", "ping"].contains(method) { return false }
        let version = try required(meta?[key]?.string, .invalidParameters, "\"_meta\" with \"\(key)\", or initialize")
        guard Self.versions.contains(version) else {
            throw ProtocolError(
                code: .unsupportedVersion, message: "unsupported protocol version",
                data: JSONValue(members: [
                    "supported": Self.versions, "requested": version.cut(to: NearestWord.maxLength),
                ]))
        }
        let kind = meta?[capabilities]?.kind
        _ = try required(kind == .object ? true : nil, .invalidParameters, "\"_meta\" with \"\(capabilities)\"")
        return true
    }

    /// Starts the call of a tool, which sends its result itself.
    private func call(_ id: JSONValue, _ parameters: JSONValue, _ isModern: Bool) throws {
        let name = try required(parameters["name"]?.string, .invalidParameters, "a \"name\"")
        let given = parameters["arguments"].flatMap { $0.isNull ? .none : $0 } ?? [:]
        let arguments = try required(given.members, .invalidParameters, "\"arguments\" that are an object")
        let (endpoint, sends) = try tools.tool(name)
        let token = parameters["_meta"]?["progressToken"].flatMap { $0.isIdentifier ? $0 : nil }
        try calls.start(id, sends: sends) { [self] in
            let result = await tools.call(name, of: endpoint, arguments) { pages in
                guard let token, !Task.isCancelled else { return }
                let progress = JSONValue(members: ["progressToken": token, "progress": pages, "message": "pages read"])
                send([("method", "notifications/progress"), ("params", progress)])
            }
            calls.end(id) {
                // Nothing is sent for a request that was cancelled.
                if let result, !Task.isCancelled { send(result.members, to: id, isModern) }
            }
        }
    }

    // MARK: Sending

    private func send(_ members: JSONMembers) { stream.send(JSONValue([("jsonrpc", "2.0")] + members).written) }

    private func send(_ result: JSONMembers, to id: JSONValue, _ isModern: Bool, mayKeep: Bool = false) {
        let own: JSONMembers = [("resultType", "complete"), ("_meta", JSONValue([(Self.prefix + "serverInfo", info)]))]
        let keeping: JSONMembers = [("ttlMs", 3_600_000), ("cacheScope", "private")]
        let result = result + (isModern ? own + (mayKeep ? keeping : []) : [])
        send([("id", id), ("result", JSONValue(result))])
    }

    private func send(_ error: ProtocolError, to id: JSONValue?) {
        let error = JSONValue(members: [
            "code": error.code.rawValue, "message": error.message.safeForModels, "data": error.data,
        ])
        send((id.map { [("id", $0)] } ?? []) + [("error", error)])
    }
}

extension JSONValue {
    /// Whether it may be the id of a request, or a token.
    fileprivate var isIdentifier: Bool { string != nil || kind == .number && integer() != nil }
}

/// The calls of tools that have not ended: those that send nothing, and the first others, run at the same time.
private final class CallsUnderWay: Sendable {
    private typealias Call = (id: JSONValue, sends: Bool, body: @Sendable () async -> Void, task: Task<Void, Never>?)

    /// How many that send run at the same time: each may have the body of a response in memory.
    private static let maxRunning = 8
    private static let maxCount = 1000

    private let calls = Mutex<[Call]>([])

    /// Runs `body`, or has it wait. Throws ``ProtocolError`` if there is a call with the same id, or there are too many.
    func start(_ id: JSONValue, sends: Bool, _ body: @escaping @Sendable () async -> Void) throws {
        try change { calls in
            guard !calls.contains(where: { $0.id == id }), calls.count < Self.maxCount else {
                let problem = "a request with this id is under way, or \(Self.maxCount) are"
                throw ProtocolError(code: .invalidRequest, message: problem)
            }
            calls.append((id, sends, body, nil))
        }
    }

    var isEmpty: Bool { calls.withLock(\.isEmpty) }

    /// Ends a call with what `send` sends, after which its id may come again.
    func end(_ id: JSONValue, send: () -> Void) {
        change { calls in
            send()
            calls.removeAll { $0.id == id }
        }
    }

    func cancel(_ isMeant: (JSONValue) -> Bool) {
        change { calls in
            for call in calls where isMeant(call.id) { call.task?.cancel() }
            calls.removeAll { $0.task == nil && isMeant($0.id) }
        }
    }

    private func change(_ body: (inout [Call]) throws -> Void) rethrows {
        try calls.withLock { calls in
            try body(&calls)
            let sending = calls.indices.filter { calls[$0].sends }.prefix(Self.maxRunning)
            for place in calls.indices.filter({ !calls[$0].sends }) + sending where calls[place].task == nil {
                let call = calls[place].body
                // On all processors: the run itself has a single thread.
                calls[place].task = Task(executorPreference: globalConcurrentExecutor) { await call() }
            }
        }
    }
}
