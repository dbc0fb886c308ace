import EndpointKit
import JSONText

/// Speaks the Model Context Protocol (modelcontextprotocol.io) with one client.
///
/// Both ways to agree on a revision work: the handshake `initialize`, and the newer one without it, in which every
/// request names its revision.
struct ProtocolSession {
    /// The known revisions, the newest first. Only the first one is without a handshake.
    static let versions = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    /// The revisions with a handshake, the newest first.
    private static let handshakeVersions = Array(versions.dropFirst())

    /// The names of members of `_meta`.
    private enum MetaKey {
        static let protocolVersion = "io.modelcontextprotocol/protocolVersion"
        static let clientCapabilities = "io.modelcontextprotocol/clientCapabilities"
        static let serverInfo = "io.modelcontextprotocol/serverInfo"
    }

    /// The way in which a client and this program agree on a revision.
    private enum Negotiation {
        /// The client begins with `initialize`, and both keep to that revision.
        case handshake
        /// Every request names its revision in `_meta`.
        case perRequest
    }

    /// A request that needs a response.
    private struct Request {
        let id: JSONValue
        let method: String
        let parameters: JSONValue
        let negotiation: Negotiation
    }

    private let stream: MessageStream
    private let calls = InFlightCalls()
    private let tools: Toolbox
    private let transport: any Transport
    /// The name and version of this program.
    private let serverInfo: JSONValue
    /// Whether the client began with a handshake. Its requests need not name the revision then.
    private var hadHandshake = false

    /// Prepares a session with the client at the other end of the stream.
    init(_ stream: MessageStream, _ tools: Toolbox, _ context: CommandContext) {
        self.stream = stream
        self.tools = tools
        transport = context.environment.transport
        serverInfo = ["name": JSONValue(context.tool), "version": JSONValue(context.version)]
    }

    /// Answers messages until the client sends no more. Calls that do not end within a second after that are cancelled.
    ///
    /// - Throws: ``OutputClosed`` if the client has gone.
    mutating func run() async throws {
        for await line in stream.lines {
            do {
                try answer(line)
            } catch {
                send(error, to: nil)
            }
            stream.endLine()
            // Loads libcurl while the client reads the first answer. After that, this does nothing.
            transport.prepare()
        }
        // Waits for one second, in 20 parts of 50 ms, so that the run ends soon after the last call. The sleep only
        // throws if the task was cancelled, and then all calls are cancelled at once.
        for _ in 0..<20 where !calls.isEmpty { try? await Task.sleep(for: .milliseconds(50)) }
        calls.cancel { _ in true }
        try stream.finish()
    }

    // MARK: Messages

    /// Answers a line, which holds a message or an array of messages.
    ///
    /// - Throws: ``ProtocolError`` if the line is too long, is not JSON, or is an empty array. An error of a single
    ///   message is sent as the response to it.
    private mutating func answer(_ line: MessageStream.Line) throws(ProtocolError) {
        guard case .text(let text) = line else {
            let expected = "a message of at most \(MessageStream.maxLength) bytes"
            throw ProtocolError(code: .invalidRequest, message: "expected \(expected)")
        }
        let value: JSONValue
        do {
            value = try JSONValue(text: text)
        } catch {
            throw ProtocolError(code: .notJSON, message: "not a JSON document: \(error)")
        }
        let messages = value.elements ?? [value]
        try ProtocolError.require(!messages.isEmpty, "at least one message", or: .invalidRequest)
        for message in messages { answer(message) }
    }

    /// Answers a message. An error becomes the response.
    private mutating func answer(_ message: JSONValue) {
        let id = message["id"]?.identifier
        do {
            try handle(message, id)
        } catch let error as ProtocolError {
            send(error, to: id)
        } catch {
            send(ProtocolError(code: .internalError, message: "\(error)"), to: id)
        }
    }

    /// Handles a message: a request, a notification, or a response, which is ignored.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - id: The id of a request; nil if the message has none, or one that is neither text nor an integer.
    /// - Throws: ``ProtocolError``, and the errors of looking up tools.
    private mutating func handle(_ message: JSONValue, _ id: JSONValue?) throws {
        try ProtocolError.require(message["jsonrpc"]?.string == "2.0", "\"jsonrpc\": \"2.0\"", or: .invalidRequest)
        // A response answers a request, and this program sends none.
        let isResponse = message["method"] == nil && (message["result"] != nil || message["error"] != nil)
        if isResponse { return }
        let method = try ProtocolError.require(message["method"]?.string, "a \"method\"", or: .invalidRequest)
        let parameters = message["params"] ?? [:]
        let isNotification = message["id"] == nil
        if isNotification { return handleNotification(method, parameters) }
        let requestID = try ProtocolError.require(id, "an \"id\" that is text or an integer", or: .invalidRequest)
        let negotiation = try negotiation(of: method, meta: parameters["_meta"])
        try handle(Request(id: requestID, method: method, parameters: parameters, negotiation: negotiation))
    }

    /// Handles a message that needs no response. All notifications except `notifications/cancelled` are ignored.
    private func handleNotification(_ method: String, _ parameters: JSONValue) {
        guard method == "notifications/cancelled", let cancelled = parameters["requestId"] else { return }
        calls.cancel { $0 == cancelled }
    }

    /// Returns the way in which the client of a request agrees on the revision.
    ///
    /// | Request | Result |
    /// |---|---|
    /// | `initialize`, `ping`, or any method after a handshake, without a revision in `_meta` |
    /// ``Negotiation/handshake`` |
    /// | any method with a known revision and `clientCapabilities` in `_meta` | ``Negotiation/perRequest`` |
    ///
    /// - Throws: ``ProtocolError`` for any other request: the revision is missing or unknown, or `clientCapabilities`
    ///   are missing.
    private func negotiation(of method: String, meta: JSONValue?) throws(ProtocolError) -> Negotiation {
        let mayLackVersion = hadHandshake || ["initialize", "ping"].contains(method)
        if meta?[MetaKey.protocolVersion] == nil, mayLackVersion { return .handshake }

        let version = try ProtocolError.require(
            meta?[MetaKey.protocolVersion]?.string, "\"_meta\" with \"\(MetaKey.protocolVersion)\", or initialize",
            or: .invalidParameters)
        guard Self.versions.contains(version) else {
            let facts = JSONValue(members: [
                "supported": Self.versions, "requested": version.cut(to: NearestWord.maxLength),
            ])
            throw ProtocolError(code: .unsupportedVersion, message: "unsupported protocol version", data: facts)
        }
        let hasCapabilities = meta?[MetaKey.clientCapabilities]?.kind == .object
        try ProtocolError.require(
            hasCapabilities, "\"_meta\" with \"\(MetaKey.clientCapabilities)\"", or: .invalidParameters)
        return .perRequest
    }

    // MARK: Requests

    /// Answers a request. `initialize` and `ping` belong to the handshake, `server/discover` to the way without it.
    ///
    /// - Throws: ``ProtocolError`` for an unknown method or wrong parameters, and the errors of looking up tools.
    private mutating func handle(_ request: Request) throws {
        switch (request.method, request.negotiation) {
        case ("tools/list", _): try listTools(request)
        case ("tools/call", _): try callTool(request)
        case ("server/discover", .perRequest): discover(request)
        case ("initialize", .handshake): try initialize(request)
        case ("ping", .handshake): respond(to: request, with: [])
        default:
            let method = request.method.cut(to: NearestWord.maxLength)
            throw ProtocolError(code: .unknownMethod, message: "unknown method '\(method)'")
        }
    }

    /// Responds with all tools at once.
    ///
    /// - Throws: ``ProtocolError`` if the client asks for a further page of the list with a cursor, because no response
    ///   has offered one.
    private func listTools(_ request: Request) throws {
        let cursor = request.parameters["cursor"]
        try ProtocolError.require(cursor == nil || cursor?.isNull == true, "no cursor", or: .invalidParameters)
        let definitions = try tools.definitions()
        respond(to: request, with: [("tools", JSONValue(definitions))], isCacheable: true)
    }

    /// Responds with the known revisions and the capabilities, for clients that begin without a handshake.
    private func discover(_ request: Request) {
        let versions = ("supportedVersions", Self.versions.json)
        respond(to: request, with: [versions] + capabilities, isCacheable: true)
    }

    /// Begins a session with the client's revision. If that is unknown, the response offers the newest revision with a
    /// handshake, and the client decides whether to go on.
    private mutating func initialize(_ request: Request) throws {
        let requested = try ProtocolError.require(
            request.parameters["protocolVersion"]?.string, "a \"protocolVersion\"", or: .invalidParameters)
        let isKnown = Self.handshakeVersions.contains(requested)
        let version = isKnown ? requested : Self.handshakeVersions[0]
        hadHandshake = true
        let members: JSONMembers = [("protocolVersion", JSONValue(version)), ("serverInfo", serverInfo)]
        respond(to: request, with: members + capabilities)
    }

    /// The members of a response that say what this program can do.
    private var capabilities: JSONMembers {
        [("capabilities", ["tools": [:]]), ("instructions", JSONValue(tools.instructions))]
    }

    /// Starts the call of a tool, and returns without waiting for it. The call sends the response itself when it ends.
    ///
    /// - Throws: ``ProtocolError`` for wrong parameters, and the errors of looking up the tool and of
    ///   ``InFlightCalls/start(_:sendsRequests:_:)``.
    private func callTool(_ request: Request) throws {
        let parameters = request.parameters
        let name = try ProtocolError.require(parameters["name"]?.string, "a \"name\"", or: .invalidParameters)
        var arguments = parameters["arguments"] ?? [:]
        // Some clients send null for a tool without arguments.
        if arguments.isNull { arguments = [:] }
        let members = try ProtocolError.require(
            arguments.members, "\"arguments\" that are an object", or: .invalidParameters)
        let resolved = try tools.tool(named: name)
        let progressToken = parameters["_meta"]?["progressToken"]?.identifier

        try calls.start(request.id, sendsRequests: resolved.tool.sendsRequests) { [self] in
            let result = await tools.run(resolved, with: members) { pages in
                if let progressToken, !Task.isCancelled { sendProgress(progressToken, pages: pages) }
            }
            calls.end(request.id) {
                // A client expects no response to a request that it has cancelled.
                if let result, !Task.isCancelled { respond(to: request, with: result.members) }
            }
        }
    }

    // MARK: Sending

    /// Sends the result of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - members: The members of the result.
    ///   - isCacheable: Whether the client may keep the result for an hour, because it does not change. Only the
    ///     revision without a handshake has members for this.
    private func respond(to request: Request, with members: JSONMembers, isCacheable: Bool = false) {
        var result = members
        if request.negotiation == .perRequest {
            let meta = JSONValue([(MetaKey.serverInfo, serverInfo)])
            result += [("resultType", "complete"), ("_meta", meta)]
            if isCacheable { result += [("ttlMs", 3_600_000), ("cacheScope", "private")] }
        }
        send([("id", request.id), ("result", JSONValue(result))])
    }

    /// Sends an error.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - id: The id of the request that is wrong; nil if no id could be read.
    private func send(_ error: ProtocolError, to id: JSONValue?) {
        let value = JSONValue(members: [
            "code": error.code.rawValue, "message": error.message.safeForModels, "data": error.data,
        ])
        var members: JSONMembers = [("error", value)]
        if let id { members.insert(("id", id), at: 0) }
        send(members)
    }

    /// Tells the client how many pages a call has read.
    ///
    /// - Parameters:
    ///   - token: The token that the client gave with the request to recognize the progress of this call.
    ///   - pages: The number of pages.
    private func sendProgress(_ token: JSONValue, pages: Int) {
        let progress = JSONValue(members: ["progressToken": token, "progress": pages, "message": "pages read"])
        send([("method", "notifications/progress"), ("params", progress)])
    }

    /// Sends a message with these members.
    private func send(_ members: JSONMembers) {
        let message = JSONValue([("jsonrpc", "2.0")] + members)
        stream.send(message.written)
    }
}

extension JSONValue {
    /// The value, if it may be the id of a request or a progress token, which are texts or integers; nil for any other
    /// value.
    fileprivate var identifier: JSONValue? {
        let isInteger = kind == .number && integer() != nil
        // `.none`, because `nil` would be the literal of JSON's null.
        guard string != nil || isInteger else { return .none }
        return self
    }
}
