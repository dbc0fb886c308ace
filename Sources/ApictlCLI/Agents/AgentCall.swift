import EndpointKit
import EndpointTools
import JSONText

/// The call of an endpoint that an agent makes with a tool.
///
/// It is sent in the same way as the command `call` sends it. The result is what that command would print.
struct AgentCall: Sendable {
    /// The longest body of a response that is read, in bytes. It is parsed in memory, and up to eight calls run at
    /// once.
    private static let maxBody = 20_000_000

    let declaration: EndpointDeclaration
    /// The values of the endpoint's parameters, by the names that tools have for them.
    let parameters: [(key: String, value: JSONValue)]
    /// The arguments that choose a part of the result.
    let arguments: ToolArguments
    /// The options of `mcp`, which apply to every call.
    let options: AgentOptions
    let resolver: CallResolver

    /// Sends the call and waits for the response.
    ///
    /// - Parameter onPage: Gets the number of pages that were read so far.
    /// - Returns: The response. A call that failed has a result too, which says why.
    /// - Throws: `CancellationError` if the client has cancelled the call, and ``UsageError`` for parameters that do
    ///   not fit.
    func run(onPage: @escaping @Sendable (Int) -> Void) async throws -> ToolResult {
        let stdout = BufferOutput()
        let stderr = BufferOutput()
        var context = resolver.context
        context.environment.stdout = stdout
        context.environment.stderr = stderr
        let request = try context.completed(makeRequest())
        // A person may have logged in since the last call.
        resolver.settings.logins(of: declaration.api).reload()
        var lastExchange: Exchange?
        do {
            let plan = try await resolver.plan(request, until: request.options.transfer.deadline(from: .now))
            try refuseFileUpload(in: plan)
            return try await plan.sendRefreshingLogin(limit: .call) { plan, reportsRejectedLogin in
                var exchange = Exchange(plan, context, limit: .call, isNoted: true)
                exchange.reportsRejectedLogin = reportsRejectedLogin
                lastExchange = exchange
                _ = try await CallRun(exchange, agent: onPage).run()
                try Task.checkCancellation()
                return ToolResult(
                    exchange, printed: stdout.bytes, notes: stderr.bytes, arguments, maxBytes: options.maxBytes)
            }
        } catch {
            // A cancelled call fails with the error of whatever it was doing. The client expects no result then.
            try Task.checkCancellation()
            return ToolResult(
                failure: error, of: declaration.name, lastExchange, printed: stdout.bytes + stderr.bytes,
                maxBytes: options.maxBytes)
        }
    }

    /// Checks that the body of a call is not a file of this machine. A model could name any file, also one with
    /// secrets.
    ///
    /// - Throws: ``UsageError`` if it is one.
    private func refuseFileUpload(in plan: CallPlan) throws(UsageError) {
        // A body without bytes is a file that is read while it is sent.
        guard let body = plan.request.body, body.bytes == nil else { return }
        throw UsageError("\(declaration.name) sends a file of this machine, which no tool does")
    }

    /// Makes the request from the parameters and the options of `mcp`, with the selection that the agent asks for.
    ///
    /// | Arguments | Result |
    /// |---|---|
    /// | `select` | the values at that path, each on a line |
    /// | `all_pages` without `select` | the items of all pages as one array |
    /// | neither | the whole response on one line |
    ///
    /// - Throws: ``UsageError`` for parameters that do not fit.
    private func makeRequest() throws(UsageError) -> CallRequest {
        var request = CallRequest(declaration)
        for (name, value) in parameters { try request.addValue(value, ofParameter: name, from: .agent) }
        request.options = options.call
        // ``ToolResult`` expects each value on one line.
        request.options.output.compact = true
        request.options.transfer.maxBytes = Self.maxBody
        request.options.pages.all = arguments.allPages == true
        if let path = arguments.select {
            request.options.selection.selects = [SourcedText(path, .agent)]
            request.options.selection.array = false
        } else if arguments.allPages == true {
            request.options.selection.selects = [SourcedText("$[*]", .agent)]
            request.options.selection.array = true
        } else {
            request.options.selection.selects = []
            request.options.selection.array = false
        }
        return request
    }
}
