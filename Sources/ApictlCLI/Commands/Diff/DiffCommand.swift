import EndpointKit
import JSONText

/// `diff`: sends the same call to two servers and compares the responses.
struct DiffCommand: Command {
    static let name = "diff"
    static let usage = "diff API.ENDPOINT [parameters] --env NAME --env NAME [options]"
    static let summary = "compare the responses of two servers to the same call"
    static let operands = Operands.call
    /// The options of how requests are sent, and what is compared.
    static let table = OptionTable<CallOptions>(
        command: [
            OptionGroup(
                title: "Comparison",
                options: [
                    Option("values", "compare values too, not only which there are and of what type") {
                        $0.comparesValues = true
                    }
                ])
        ] + CallOptions.sending(\.self))

    static func notes(_ context: RunContext) -> CommandNotes {
        CommandNotes(paragraphs: [
            "Exit codes: 0 if the responses are alike, 1 if they differ, otherwise those of call."
        ])
    }

    /// Differences that are printed, at most.
    private static let maxLines = 1000

    private let words: CallWords

    init(_ words: CommandWords<CallOptions>) throws {
        var words = try words.call(of: Self.name)
        words.table = Self.table
        self.words = words
        let count = words.options.servers.count
        if count != 2 {
            throw UsageError(
                "diff compares two servers (--env NAME --env NAME, or --base-url URL --base-url URL), not \(count)")
        }
    }

    /// One of the two responses.
    private struct Side: Sendable {
        /// The server, as it was given.
        let name: String
        let response: Response
        let redactor: Redactor
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        let resolver = try Resolver(
            context, environmentFiles: words.options.environmentFiles, apis: [words.declaration.api])
        let context = resolver.context
        context.environment.watchSignals(.milliseconds(200))
        context.environment.transport.prepare()
        var plans: [(server: String, plan: CallPlan)] = []
        for server in words.options.servers {
            var words = words
            if words.options.baseURL == nil { words.options.server = server } else { words.options.baseURL = server }
            // Stdin can be read only once.
            words.call = plans.first?.plan.call
            plans.append((server, try resolver.plan(words)))
        }
        async let first = side(plans[0].0, plans[0].1, context)
        async let second = side(plans[1].0, plans[1].1, context)
        let (one, other) = try await (first, second)
        let lines = try differences(one, other).map { one.redactor.redact(other.redactor.redact($0)).safeToShow }
        for line in lines.prefix(Self.maxLines) { try context.environment.stdout.write(line + "\n") }
        if lines.count > Self.maxLines {
            try context.environment.stdout.write("… and \(lines.count - Self.maxLines) more\n")
        }
        if let failure = failure(one, other) { throw failure }
        return lines.isEmpty ? .success : .failure
    }

    /// What is reported if a response is not a success: that of both, or of the first of which that is true.
    private func failure(_ one: Side, _ other: Side) -> Failure? {
        guard let failed = [one, other].first(where: { !$0.response.head.isSuccess }) else { return nil }
        let head = failed.response.head.redacted(by: failed.redactor)
        let server = one.response.head.status == other.response.head.status ? "both" : failed.name
        return Failure(
            "\(words.declaration.name): \(server) answered \(head.statusText)", ExitCode(status: head.status))
    }

    private func side(_ name: String, _ plan: CallPlan, _ context: RunContext) async throws -> Side {
        let exchange = Exchange(plan, context)
        let response = try await exchange.run { streamed in
            Response(head: streamed.head, body: try await streamed.body.collect(limit: exchange.client.maxBodySize))
        }
        return Side(name: name, response: response, redactor: exchange.redactor)
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
            + (words.options.comparesValues
                ? ValueDifference(names: names).lines(JSONValue(first), JSONValue(second))
                : ShapeDifference(names: names).lines(JSONValue(first), JSONValue(second)))
    }
}
