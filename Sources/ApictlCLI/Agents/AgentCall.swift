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
    let resultArguments: ToolArguments
    /// The options of `mcp`, which apply to every call.
    let options: AgentOptions
    let resolver: CallResolver

    /// A context whose outputs are captured, because the result of the tool is made of them.
    private struct CapturingContext {
        let stdout = BufferOutput()
        let stderr = BufferOutput()
        let context: CommandContext

        /// Makes a copy of a context that writes to buffers.
        init(_ original: CommandContext) {
            var context = original
            context.environment.stdout = stdout
            context.environment.stderr = stderr
            self.context = context
        }
    }

    /// Sends the call and waits for the response.
    ///
    /// - Parameter onPage: Gets the number of pages that were read so far, after each page.
    /// - Returns: The response. A call that failed has a result too, which says why.
    /// - Throws: `CancellationError` if the client has cancelled the call, and ``UsageError`` for parameters that do
    ///   not fit.
    func run(onPage: @escaping @Sendable (Int) -> Void) async throws -> ToolResult {
        let capturing = CapturingContext(resolver.context)
        let request = try capturing.context.completed(makeRequest())
        // A person may have logged in since the last call.
        resolver.settings.logins(of: declaration.api).reload()
        let plan: CallPlan
        do {
            plan = try await resolver.resolve(request, until: request.options.transfer.deadline(from: .now))
            try refuseFileUpload(in: plan)
        } catch {
            return try makeFailureResult(error, output: capturing, redactor: nil)
        }
        do {
            return try await plan.sendRefreshingLogin(limit: .call) { planToSend, reportsRejectedLogin in
                try await send(
                    planToSend, capturing: capturing, reportsRejectedLogin: reportsRejectedLogin, onPage: onPage)
            }
        } catch {
            // The login of the plan could not be refreshed.
            let redactor = Exchange(plan, capturing.context).redactor
            return try makeFailureResult(error, output: capturing, redactor: redactor)
        }
    }

    /// Sends the requests of a plan, and makes a result of the output.
    ///
    /// - Parameters:
    ///   - reportsRejectedLogin: Whether a response with the status 401 is no result, but the error ``RejectedLogin``.
    ///   - onPage: Gets the number of pages that were read so far, after each page.
    /// - Throws: `CancellationError` if the client has cancelled the call, and ``RejectedLogin``.
    private func send(
        _ plan: CallPlan, capturing: CapturingContext, reportsRejectedLogin: Bool,
        onPage: @escaping @Sendable (Int) -> Void
    ) async throws -> ToolResult {
        var exchange = Exchange(plan, capturing.context, limit: .call, writesNotes: true)
        exchange.reportsRejectedLogin = reportsRejectedLogin
        do {
            _ = try await CallRun(exchange, onPage: onPage).run()
            try Task.checkCancellation()
        } catch let error as RejectedLogin {
            throw error
        } catch {
            return try makeFailureResult(error, output: capturing, redactor: exchange.redactor)
        }
        return ToolResult(
            of: exchange, printed: capturing.stdout.bytes, notes: capturing.stderr.bytes, arguments: resultArguments,
            maxBytes: options.maxBytes)
    }

    /// Makes the result of a call that has failed.
    ///
    /// - Parameters:
    ///   - output: The output of the call before it failed.
    ///   - redactor: Removes the secrets of the call from the result; nil if nothing was sent.
    /// - Throws: `CancellationError` if the client has cancelled the call. The error is then that of whatever the call
    ///   was doing, and the client expects no result.
    private func makeFailureResult(
        _ error: any Error, output: CapturingContext, redactor: Redactor?
    ) throws(CancellationError) -> ToolResult {
        if Task.isCancelled { throw CancellationError() }
        return ToolResult(
            failure: error, of: declaration.name, redactor: redactor,
            printed: output.stdout.bytes + output.stderr.bytes, maxBytes: options.maxBytes)
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
        request.options.pages.all = resultArguments.allPages == true
        request.options.selection.array = false
        request.options.selection.selects = []
        if let path = resultArguments.select {
            request.options.selection.selects = [SourcedText(path, .agent)]
        } else if resultArguments.allPages == true {
            // The items of each page, collected in one array.
            request.options.selection.selects = [SourcedText("$[*]", .agent)]
            request.options.selection.array = true
        }
        return request
    }
}
