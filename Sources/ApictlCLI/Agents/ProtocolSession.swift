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
                try answerLine(line)
            } catch {
                // An error of a whole line belongs to no single request.
                sendError(error, to: nil)
            }
            stream.endLine()
            // Loads libcurl while the client reads the first answer. After that, this does nothing.
            transport.prepare()
        }
        await endCalls()
        try stream.finish()
    }

    /// Waits until all calls have ended, at most for a second. Cancels the calls that are left.
    private func endCalls() async {
        // The wait has 20 parts of 50 ms, so that the run ends soon after the last call. The sleep only throws if the
        // task was cancelled, and then all calls are cancelled at once.
        for _ in 0..<20 where !calls.isEmpty { try? await Task.sleep(for: .milliseconds(50)) }
        calls.cancel { _ in true }
    }

    // MARK: Messages

    /// Answers a line, which holds a message or an array of messages (JSON-RPC 2.0).
    ///
    /// - Throws: ``ProtocolError`` if the line is too long, is not JSON, or is an empty array. An error of a single
    ///   message is not thrown, but sent as the response to it.
    private mutating func answerLine(_ line: MessageStream.Line) throws(ProtocolError) {
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
        for message in messages { answerMessage(message) }
    }

    /// Handles a message. An error of handling it is sent to the client as the response.
    private mutating func answerMessage(_ message: JSONValue) {
        let id = message["id"]?.identifier
        do {
            try handleMessage(message, id: id)
        } catch let error as ProtocolError {
            sendError(error, to: id)
        } catch {
            sendError(ProtocolError(code: .internalError, message: "\(error)"), to: id)
        }
    }

    /// Handles a message of JSON-RPC 2.0.
    ///
    /// | Message | Reaction |
    /// |---|---|
    /// | with `method` and `id`: a request | a response, sent now or when a call ends |
    /// | with `method` only: a notification | none, except that a call may be cancelled |
    /// | with `result` or `error`: a response | ignored, because this program sends no requests |
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - id: The id of a request; nil if the message has none, or one that is neither text nor an integer.
    /// - Throws: ``ProtocolError`` for any other message, and the errors of looking up tools.
    private mutating func handleMessage(_ message: JSONValue, id: JSONValue?) throws {
        try ProtocolError.require(message["jsonrpc"]?.string == "2.0", "\"jsonrpc\": \"2.0\"", or: .invalidRequest)
        let isResponse = message["method"] == nil && (message["result"] != nil || message["error"] != nil)
        if isResponse { return }
        let method = try ProtocolError.require(message["method"]?.string, "a \"method\"", or: .invalidRequest)
        let parameters = message["params"] ?? [:]
        let isNotification = message["id"] == nil
        if isNotification { return handleNotification(method, parameters) }
        let requestID = try ProtocolError.require(id, "an \"id\" that is text or an integer", or: .invalidRequest)
        let negotiation = try determineNegotiation(of: method, meta: parameters["_meta"])
        try handleRequest(Request(id: requestID, method: method, parameters: parameters, negotiation: negotiation))
    }

    /// Handles a notification, which is a message that needs no response.
    ///
    /// `notifications/cancelled` cancels the call that it names. All other notifications are ignored.
    private func handleNotification(_ method: String, _ parameters: JSONValue) {
        guard method == "notifications/cancelled", let cancelledID = parameters["requestId"] else { return }
        calls.cancel { $0 == cancelledID }
    }

    /// Returns the way in which the client of a request agrees with this program on a revision of the protocol.
    ///
    /// | Members of `_meta` | Method | Result |
    /// |---|---|---|
    /// | no revision | `initialize`, `ping`, or any method after a handshake | ``Negotiation/handshake`` |
    /// | a known revision and `clientCapabilities` | any | ``Negotiation/perRequest`` |
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - meta: The member `_meta` of the request's parameters; nil if there is none.
    /// - Throws: ``ProtocolError`` for any other request: the revision is missing or unknown, or `clientCapabilities`
    ///   are missing.
    private func determineNegotiation(of method: String, meta: JSONValue?) throws(ProtocolError) -> Negotiation {
        let belongsToHandshake = hadHandshake || method == "initialize" || method == "ping"
        let hasVersion = meta?[MetaKey.protocolVersion] != nil
        if belongsToHandshake, !hasVersion { return .handshake }

        let version = try ProtocolError.require(
            meta?[MetaKey.protocolVersion]?.string, "\"_meta\" with \"\(MetaKey.protocolVersion)\", or initialize",
            or: .invalidParameters)
        guard Self.versions.contains(version) else {
            let revisions = JSONValue(members: [
                "supported": Self.versions, "requested": version.cut(to: NearestWord.maxLength),
            ])
            throw ProtocolError(code: .unsupportedVersion, message: "unsupported protocol version", data: revisions)
        }
        let hasCapabilities = meta?[MetaKey.clientCapabilities]?.kind == .object
        try ProtocolError.require(
            hasCapabilities, "\"_meta\" with \"\(MetaKey.clientCapabilities)\"", or: .invalidParameters)
        return .perRequest
    }

    // MARK: Requests

    /// Answers a request, or starts the call that will answer it.
    ///
    /// `initialize` and `ping` exist only in the revisions of the protocol that begin with a handshake, and
    /// `server/discover` only in the one without, in which each request names its revision.
    ///
    /// - Throws: ``ProtocolError`` for an unknown method or wrong parameters, and the errors of looking up tools.
    private mutating func handleRequest(_ request: Request) throws {
        switch (request.method, request.negotiation) {
        case ("tools/list", _): try respondWithTools(request)
        case ("tools/call", _): try startCall(request)
        case ("server/discover", .perRequest): respondWithCapabilities(request)
        case ("initialize", .handshake): try beginHandshake(request)
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
    private func respondWithTools(_ request: Request) throws {
        let cursor = request.parameters["cursor"]
        try ProtocolError.require(cursor == nil || cursor?.isNull == true, "no cursor", or: .invalidParameters)
        let definitions = try tools.definitions()
        respond(to: request, with: [("tools", JSONValue(definitions))], isCacheable: true)
    }

    /// Responds with the known revisions and the capabilities, for clients that begin without a handshake.
    private func respondWithCapabilities(_ request: Request) {
        let versions = ("supportedVersions", Self.versions.json)
        respond(to: request, with: [versions] + capabilities, isCacheable: true)
    }

    /// Responds to `initialize` with the client's revision of the protocol, and notes that there was a handshake.
    ///
    /// If the revision is unknown, the response offers the newest one with a handshake. The client decides whether to
    /// go on with it.
    ///
    /// - Throws: ``ProtocolError`` if the request names no revision.
    private mutating func beginHandshake(_ request: Request) throws {
        let requested = try ProtocolError.require(
            request.parameters["protocolVersion"]?.string, "a \"protocolVersion\"", or: .invalidParameters)
        let isKnown = Self.handshakeVersions.contains(requested)
        let newestVersion = Self.handshakeVersions[0]
        let version = isKnown ? requested : newestVersion
        hadHandshake = true
        let members: JSONMembers = [("protocolVersion", JSONValue(version)), ("serverInfo", serverInfo)]
        respond(to: request, with: members + capabilities)
    }

    /// The members of a response that say what this program can do.
    private var capabilities: JSONMembers {
        [("capabilities", ["tools": [:]]), ("instructions", JSONValue(tools.instructions))]
    }

    /// Starts the call of a tool, and returns without waiting for it.
    ///
    /// The call itself sends the response when it ends. If the client has given a progress token, the call also tells
    /// how many pages it has read.
    ///
    /// - Throws: ``ProtocolError`` for wrong parameters, and the errors of looking up the tool and of
    ///   ``InFlightCalls/start(_:sendsRequests:_:)``.
    private func startCall(_ request: Request) throws {
        let parameters = request.parameters
        let name = try ProtocolError.require(parameters["name"]?.string, "a \"name\"", or: .invalidParameters)
        var arguments = parameters["arguments"] ?? [:]
        // Some clients send null for a tool without arguments.
        if arguments.isNull { arguments = [:] }
        let members = try ProtocolError.require(
            arguments.members, "\"arguments\" that are an object", or: .invalidParameters)
        let resolvedTool = try tools.resolveTool(named: name)
        let progressToken = parameters["_meta"]?["progressToken"]?.identifier

        try calls.start(request.id, sendsRequests: resolvedTool.tool.sendsRequests) { [self] in
            let result = await tools.run(resolvedTool, with: members) { pageCount in
                if let progressToken, !Task.isCancelled { sendProgress(progressToken, pageCount: pageCount) }
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
        sendMessage([("id", request.id), ("result", JSONValue(result))])
    }

    /// Sends an error as the response to a request.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - id: The id of the request that is wrong; nil if no id could be read. The response has no id then.
    private func sendError(_ error: ProtocolError, to id: JSONValue?) {
        let errorObject = JSONValue(members: [
            "code": error.code.rawValue, "message": error.message.safeForModels, "data": error.data,
        ])
        var members: JSONMembers = []
        if let id { members.append(("id", id)) }
        members.append(("error", errorObject))
        sendMessage(members)
    }

    /// Tells the client how many pages a call has read.
    ///
    /// - Parameters:
    ///   - token: The token that the client gave with the request to recognize the progress of this call.
    ///   - pageCount: The number of pages.
    private func sendProgress(_ token: JSONValue, pageCount: Int) {
        let progress = JSONValue(members: ["progressToken": token, "progress": pageCount, "message": "pages read"])
        sendMessage([("method", "notifications/progress"), ("params", progress)])
    }

    /// Sends a message with these members, after the member `jsonrpc` that every message has.
    private func sendMessage(_ members: JSONMembers) {
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
