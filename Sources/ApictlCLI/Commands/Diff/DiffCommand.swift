import EndpointKit
import JSONText

/// `diff`: sends the same call to two servers and compares the responses.
struct DiffCommand: Command {
    /// The options of how requests are sent, and what is compared.
    static let table = OptionTable<CallOptions>(
        [
            OptionGroup(
                title: "Comparison",
                options: [
                    Option("values", "compare values too, not only which there are and of what type") {
                        $0.comparesValues = true
                    }
                ])
        ] + CallOptions.sending(\.self)
            + [
                OptionGroup(
                    title: "Help", options: [Option("help", short: "h", HelpCommand.optionHelp) { $0.help = true }])
            ])

    static func help(_ context: RunContext) -> CommandHelp {
        let codes = "Exit codes: 0 if the responses are alike, 1 if they differ, otherwise those of call."
        return CommandHelp(table, [codes])
    }

    /// Differences that are printed, at most.
    private static let maxLines = 1000

    let arguments: CallArguments

    /// Throws ``UsageError`` unless there are two servers.
    init(arguments: CallArguments) throws(UsageError) {
        self.arguments = arguments
        let count = arguments.options.servers.count
        if count != 2 { throw .twoServersExpected(count) }
    }

    /// One of the two responses.
    private struct Side: Sendable {
        /// The server, as it was given.
        let name: String
        let response: Response
        let redactor: Redactor
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        let (arguments, context) = try arguments.configured(context, runsCommands: true)
        context.environment.watchSignals(.milliseconds(200))
        context.environment.transport.prepare()
        var plans: [(server: String, plan: CallPlan)] = []
        for server in arguments.options.servers {
            var arguments = arguments
            if arguments.options.baseURL == nil {
                arguments.options.server = server
            } else {
                arguments.options.baseURL = server
            }
            let resolver = PlanResolver(arguments: arguments, purpose: .send, context: context)
            // Stdin can be read only once.
            plans.append((server, try plans.first.map { try resolver.plan(for: $0.plan.call) } ?? resolver.plan()))
        }
        async let first = side(plans[0].0, plans[0].1, context)
        async let second = side(plans[1].0, plans[1].1, context)
        let (one, other) = try await (first, second)
        let lines = try differences(one, other).map { one.redactor.redact(other.redactor.redact($0)).safeToShow }
        for line in lines.prefix(Self.maxLines) { try context.environment.stdout.write(line + "\n") }
        if lines.count > Self.maxLines {
            try context.environment.stdout.write("… and \(lines.count - Self.maxLines) more\n")
        }
        if let failure = failure(one, other) {
            let endpoint = arguments.declaration.name
            throw CallFailure(cause: failure, endpoint: endpoint, options: arguments.options)
        }
        return lines.isEmpty ? .success : .failure
    }

    /// What is reported if a response is not a success: that of both, or of the first of which that is true.
    private func failure(_ one: Side, _ other: Side) -> StatusFailure? {
        guard let failed = [one, other].first(where: { !$0.response.head.isSuccess }) else { return nil }
        let isBoth = one.response.head.status == other.response.head.status
        return StatusFailure(
            head: failed.response.head.redacted(by: failed.redactor), words: nil, hints: [],
            server: isBoth ? "both" : failed.name)
    }

    private func side(_ name: String, _ plan: CallPlan, _ context: RunContext) async throws -> Side {
        var client = plan.client(context.environment.transport)
        let redactor = Redactor(plan.request, others: context.environment.proxySecrets + plan.connection.secrets)
        let retries = RetryLog(subject: "", output: nil, redactor: redactor)
        client.retry = retries.policy(plan.options)
        let limit = plan.options.maxBytes ?? ResponseLimit.decoded
        do {
            let response = try await client.exchange(plan.request) { streamed in
                Response(head: streamed.head, body: try await streamed.body.collect(limit: limit))
            }
            return Side(name: name, response: response, redactor: redactor)
        } catch {
            throw CallFailure(
                cause: FailedExchange(
                    cause: error, server: plan.request.base, isRepeatable: plan.request.method.isRetrieval,
                    method: plan.request.method, losesDownload: false, attempts: retries.attempts,
                    refusal: retries.refusal, redactor: redactor),
                endpoint: arguments.declaration.name, options: plan.options)
        }
    }

    private func differences(_ one: Side, _ other: Side) throws -> [String] {
        var lines: [String] = []
        let statuses = (one.response.head.statusText, other.response.head.statusText)
        if one.response.head.status != other.response.head.status {
            lines.append("~ status: \(statuses.0) in \(one.name), \(statuses.1) in \(other.name)")
        }
        let bodies = (one.response.body, other.response.body)
        if bodies.0 == bodies.1 { return lines }
        guard let first = try? JSONDocument(bodies.0), let second = try? JSONDocument(bodies.1) else {
            return lines + [
                "~ body: \(bodies.0.count) bytes in \(one.name), \(bodies.1.count) other bytes in \(other.name)"
            ]
        }
        let names = (one.name, other.name)
        return lines
            + (arguments.options.comparesValues
                ? ValueDifference(names: names).lines(JSONValue(first), JSONValue(second))
                : ShapeDifference(names: names).lines(JSONValue(first), JSONValue(second)))
    }
}
