import EndpointKit
import EndpointTools
import JSONText

/// `diff`: sends the same call to two servers and compares the responses.
struct DiffCommand: Command {
    static let name = "diff"
    static let usage = "diff API.ENDPOINT [parameters] SERVER SERVER [options]"
    static let summary = "compare the responses of two servers to the same call"
    static let usageNote = "SERVER is a URL, --base-url URL or --server NAME."
    static let operands = CommandOperands.call
    static let table = DiffOptions.table

    static func notes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(paragraphs: [
            """
            The output names the first server after --- and the second after +++. Then - and + mark what only one of \
            them has, and ~ what the two have in different ways.
            """,
            """
            --by must name a field that an item of some list in the responses has, unless no list has objects. A path \
            of --ignore that selects nothing is noted, or an error if the model does not have it either.
            """,
            "Exit codes: 0 if the responses are alike, 1 if they differ, otherwise those of call.",
        ])
    }

    /// The most differences that are printed as text. JSON has all of them.
    private static let maxLines = 1000

    private let request: CallRequest
    private let options: DiffOptions
    /// The paths of `--ignore`.
    private let ignored: IgnoredPaths
    var api: CatalogueAPI? { request.declaration.api }

    /// Reads the call, the two servers and the paths of `--ignore`.
    ///
    /// - Throws: ``UsageError`` unless there are exactly two servers.
    init(_ words: CommandWords<DiffOptions>) throws {
        options = words.options
        request = try words.request(of: Self.name, with: options.call)
        ignored = try IgnoredPaths(options.ignored)
        let count = options.servers.count
        if count != 2 {
            throw UsageError("diff needs two servers (each a URL, --base-url URL or --server NAME), got \(count)")
        }
    }

    /// One of the two responses.
    private struct Side: Sendable {
        /// The server as the command line names it.
        let name: String
        let response: Response
        /// The body; nil if it is not one document of JSON.
        let document: JSONDocument?
        let exchange: Exchange

        var redactor: Redactor { exchange.redactor }
    }

    /// Sends both requests at the same time, and prints the differences between the responses.
    ///
    /// - Returns: The exit code: 0 if there are no differences, else 1.
    /// - Throws: ``Failure`` if a response is a failure, after the differences are printed, and if there is no
    ///   response.
    func run(_ context: CommandContext) async throws -> ExitCode {
        context.environment.signals.watch(.milliseconds(200))
        let servers = options.servers
        let plans = try await plans(context)
        async let first = side(servers[0].text, plans[0], context)
        async let second = side(servers[1].text, plans[1], context)
        let sides = try await [first, second]
        try checkKey(sides)
        try checkIgnoredPaths(sides, context)
        let differences = try differences(sides)
        try write(differences, sides, context.environment)
        if let failed = sides.first(where: { !$0.response.head.isSuccess }) {
            let head = failed.response.head.redacted(by: failed.redactor)
            var error = FailedStatus(head)
            error.server = sides.allSatisfy { $0.response.head.status == head.status } ? "both" : failed.name
            error.body = failed.exchange.failurePrinter.reportedBody(failed.response.body)
            throw failed.exchange.failure(error)
        }
        // For a response with another media type, this check comes only now, so that the differences are printed
        // before.
        try sides.forEach(check)
        let code = differences.isEmpty ? ExitCode.success : .failure
        return try code.reported(differences.count.counted("difference"))
    }

    /// Resolves the call for each of the two servers, before anything is sent.
    ///
    /// - Returns: The two plans.
    /// - Throws: ``UsageError`` for a wrong server, and ``Failure`` for any other problem of a plan.
    private func plans(_ context: CommandContext) async throws -> [CallPlan] {
        let request = try context.completed(request)
        let deadline = request.options.transfer.deadline(from: .now)
        let resolver = try CallResolver(
            context, environmentFiles: request.options.request.environmentFiles, apis: [request.declaration.api],
            until: deadline)
        context.environment.transport.prepare()
        for server in options.servers {
            // Only the error matters: a wrong server is reported before a missing credential of the other one.
            _ = try CallServerChoice(request.declaration.api, server, resolver.settings, resolver.context)?.base()
        }
        var plans: [CallPlan] = []
        for server in options.servers {
            var request = request
            request.options.request.server = server
            // The second plan reuses the parsed parameters of the first one, because a value from stdin can be read
            // only once.
            request.call = plans.first?.call
            do {
                plans.append(try await resolver.plan(request, until: deadline))
            } catch {
                throw request.failure(error, mayBeOffline: false)
            }
        }
        return plans
    }

    /// Sends the request to one server.
    ///
    /// - Parameters:
    ///   - name: The server as the command line names it.
    ///   - plan: The plan of the request.
    ///   - context: The context.
    /// - Throws: ``Failure`` for a success that is not the JSON that the endpoint declares, and if there is no
    ///   response.
    private func side(_ name: String, _ plan: CallPlan, _ context: CommandContext) async throws -> Side {
        let exchange = Exchange(plan, context)
        let response = try await exchange.readResponse(limit: exchange.client.maxBodySize)
        let side = Side(
            name: name, response: response, document: try? JSONDocument(response.body), exchange: exchange)
        if response.head.isJSON ?? true { try check(side) }
        return side
    }

    /// Checks that a success is JSON if the endpoint declares JSON. A failure may have any body.
    ///
    /// - Throws: ``Failure`` with the name of the server.
    private func check(_ side: Side) throws {
        let exchange = side.exchange
        let response = side.response
        let model = exchange.plan.endpoint.response
        guard side.document == nil, response.head.isSuccess, model.kind == .json else { return }
        do {
            _ = try model.document(response.body, response.head)
        } catch {
            let body = exchange.failurePrinter.reportedBody(response.body)
            throw exchange.failure(AnnotatedError(error, body: body), of: "\(exchange.plan.name): \(side.name)")
        }
    }

    /// Returns the differences between the two statuses, and between the two bodies.
    private func differences(_ sides: [Side]) throws -> [ResponseDifference] {
        let heads = sides.map(\.response.head)
        var differences: [ResponseDifference] = []
        if heads[0].status != heads[1].status {
            differences.append(ResponseDifference(kind: .status, values: heads.map(\.statusText)))
        }
        return try differences + bodyDifferences(sides)
    }

    /// Returns the differences between the bodies. If one of them is not JSON, there is one difference with their
    /// lengths.
    private func bodyDifferences(_ sides: [Side]) throws -> [ResponseDifference] {
        let bodies = sides.map(\.response.body)
        if bodies[0] == bodies[1] { return [] }
        let documents = sides.compactMap(\.document)
        guard documents.count == 2 else {
            let lengths = ["\(bodies[0].count) bytes", "\(bodies[1].count) other bytes"]
            return [ResponseDifference(kind: .body, values: lengths)]
        }
        return ResponseDifferences(
            try ignored.removed(from: documents[0]), try ignored.removed(from: documents[1]), options
        ).all
    }

    /// Checks that an item of a list in the responses has the field of `--by`, which may be misspelled.
    ///
    /// The responses decide and not the model, because a server may send more than the model has. Without any object in
    /// a list, no field can be told from a misspelled one.
    ///
    /// - Throws: ``UsageError`` if there are objects in lists and none of them has the field.
    private func checkKey(_ sides: [Side]) throws(UsageError) {
        guard let key = options.key else { return }
        let documents = sides.compactMap(\.document)
        if documents.count < 2 { return }
        var names: Set<String> = []
        for document in documents { names.formUnion(JSONValue(document).namesOfItems) }
        if names.isEmpty || names.contains(key.text) { return }
        let question = NearestWord.question(key.text, in: names.sorted())
        throw .unusableValue(
            option: "--by", problem: "no item of a list in the responses has a field '\(key.text)'\(question)",
            source: key.source)
    }

    /// Checks that the paths of `--ignore` select something in the responses, or could by the model. A note names those
    /// that select nothing.
    ///
    /// Such a path alone is no error, because a response may lack an optional field.
    ///
    /// - Throws: ``UsageError`` for a path that neither the responses nor the model have.
    private func checkIgnoredPaths(_ sides: [Side], _ context: CommandContext) throws {
        let documents = sides.compactMap(\.document)
        if documents.count < 2 { return }
        let model = SelectableModel(request.declaration, sides[0].exchange.plan.endpoint)
        let notes = options.common.reportsJSON ? nil : context.environment.stderr
        try ignored.noteUnused(in: documents, of: model, on: notes)
    }

    /// Prints the differences as JSON or as lines, without the secrets of both calls.
    private func write(_ differences: [ResponseDifference], _ sides: [Side], _ environment: ProcessEnvironment) throws {
        func redact(_ text: String) -> String { sides.reduce(text) { $1.redactor.redact($0) } }
        let names = sides.map(\.name)
        if options.printsJSON {
            let json: JSONValue = [
                "version": 1, "servers": names.json,
                "statuses": JSONValue(sides.map { JSONValue($0.response.head.status) }),
                "differences": JSONValue(differences.map { $0.json(isJSON: options.comparesValues, redact) }),
            ]
            return try BodyPrinter(options.call, environment, environment.stdout).print(json)
        }
        if differences.isEmpty { return }
        let shown = differences.prefix(Self.maxLines)
        // The names of the servers, as in the output of the program diff.
        var lines = ["--- \(names[0])", "+++ \(names[1])"] + shown.map(\.line)
        if differences.count > shown.count { lines.append("… and \(differences.count - shown.count) more") }
        for line in lines { try environment.stdout.write(environment.marked(redact(line).safeToShow) + "\n") }
    }
}

extension JSONValue {
    /// The names of the fields of all objects that are items of lists, anywhere in the value.
    fileprivate var namesOfItems: Set<String> {
        var names: Set<String> = []
        // Iterative, because a hostile server chooses the depth.
        var open = [self]
        while let value = open.popLast() {
            if let elements = value.elements {
                for element in elements { names.formUnion((element.members ?? []).map(\.key)) }
                open += elements
            } else {
                open += (value.members ?? []).map(\.value)
            }
        }
        return names
    }
}

extension ResponseDifference {
    /// The difference as a line, which begins with `-`, `+` or `~`:
    ///
    ///     ~ $.title: string -> number
    fileprivate var line: String {
        let texts = values.map { $0?.startOfValue ?? "" }
        let place = path ?? kind.rawValue
        return switch kind {
        case .missing: "- \(place): \(texts[0])"
        case .added: "+ \(place): \(texts[1])"
        case .status, .body, .changed: "~ \(place): \(texts[0]) -> \(texts[1])"
        }
    }

    /// Returns the difference as JSON.
    ///
    /// - Parameters:
    ///   - isJSON: Whether values in the body are JSON texts, and not the names of types.
    ///   - redact: Removes secrets.
    fileprivate func json(isJSON: Bool, _ redact: (String) -> String) -> JSONValue {
        func json(_ text: String) -> JSONValue {
            let text = redact(text)
            guard isJSON, path != nil, let value = try? JSONValue(text: text.exactBytes) else { return JSONValue(text) }
            return value
        }
        return [
            "kind": JSONValue(kind.rawValue), "path": path.map { JSONValue(redact($0)) } ?? nil,
            "values": JSONValue(values.map { $0.map(json) ?? nil }),
        ]
    }
}

/// The options of `diff`.
struct DiffOptions: CommandOptions {
    /// The options for sending the requests.
    var call = CallOptions()
    /// The servers in the order in which they are named.
    var servers: [CallServerName] = []
    /// Whether values are compared, and not only fields and types (`--values`).
    var comparesValues = false
    /// The member by which the items of lists are paired (`--by`); nil is `id`.
    var key: SourcedText?
    /// The values of `--ignore`: paths of values that are not compared.
    var ignored: [SourcedText] = []
    /// Whether the differences are printed as JSON (`--json`).
    var printsJSON = false

    var common: CommonOptions {
        get { call.common }
        set { call.common = newValue }
    }

    static let table = OptionTable<DiffOptions>(
        command: [OptionGroup(title: "Comparison", options: comparison)]
            + CallOptions.sending(\.call, servers: serverOptions))

    private static let comparison: [Option<DiffOptions>] = [
        Option("values", \.comparesValues, "compare values too; without it, fields and types"),
        Option(
            "by", .word("FIELD"), \.key,
            "with --values: compare the items of lists that have the same FIELD; default id"
        ).needing("values"),
        IgnoredPaths.option { $0.ignored.append($1) },
        Option("json", \.printsJSON, "print the differences as JSON"),
    ]

    private static let serverOptions: [Option<DiffOptions>] = [
        .server("a server of the API, by its name") { $0.servers.append(CallServerName(word: $1)) },
        Option("base-url", .word("URL"), "send to this base URL instead") {
            $0.servers.append(CallServerName(word: $1, isURL: true))
        },
    ]
}
