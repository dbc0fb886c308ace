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

    /// Explains the marks of the output, what `--by` and `--ignore` need, and the exit codes.
    static func notes(_ context: CommandContext) -> CommandNotes {
        CommandNotes(paragraphs: [
            """
            The output names the first server after --- and the second after +++. Then - marks what only the first one \
            has, + what only the second one has, and ~ what differs.
            """,
            """
            --by must name a field that an item of some list in the responses has, unless no list has objects. If a \
            path of --ignore selects nothing, a note says so. If the model does not have the path either, it is an \
            error.
            """,
            "Exit codes: 0 if the responses are alike, 1 if they differ, otherwise those of call.",
        ])
    }

    /// The most differences that are printed as text, because nobody reads more. JSON has all of them.
    private static let maxLines = 1000

    private let request: CallRequest
    private let options: DiffOptions
    /// The paths of `--ignore`, whose values are not compared.
    private let ignoredPaths: IgnoredPaths
    var api: CatalogueAPI? { request.declaration.api }

    /// Reads the call, the two servers and the paths of `--ignore`.
    ///
    /// - Throws: ``UsageError`` unless there are exactly two servers.
    init(_ words: CommandWords<DiffOptions>) throws {
        options = words.options
        request = try words.request(of: Self.name, with: options.call)
        ignoredPaths = try IgnoredPaths(options.ignored)
        let count = options.servers.count
        if count != 2 {
            throw UsageError("diff needs two servers (each a URL, --base-url URL or --server NAME), got \(count)")
        }
    }

    /// One of the two servers, with its response.
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
        // After a signal, the requests have 200 ms to end.
        context.environment.signals.startHandling(.milliseconds(200))
        let servers = options.servers
        let plans = try await resolvePlans(context)
        async let first = callServer(named: servers[0].text, by: plans[0], context)
        async let second = callServer(named: servers[1].text, by: plans[1], context)
        let sides = try await [first, second]
        try checkIdentifyingField(in: sides)
        try checkIgnoredPaths(in: sides, context)
        let differences = try differences(between: sides)
        try printDifferences(differences, between: sides, context.environment)
        try checkStatuses(of: sides)
        // `callServer` has only checked bodies that may be JSON by their content type. The others are checked now, so
        // that their differences are printed first.
        for side in sides { try checkBody(of: side) }
        let code = differences.isEmpty ? ExitCode.success : .failure
        return try code.successOrThrow(differences.count.counted("difference"))
    }

    // MARK: Requests

    /// Resolves the call for each of the two servers, before anything is sent.
    ///
    /// - Returns: The two plans.
    /// - Throws: ``UsageError`` for a wrong server, and ``Failure`` for any other problem of a plan.
    private func resolvePlans(_ context: CommandContext) async throws -> [CallPlan] {
        let request = try context.completed(request)
        let deadline = request.options.transfer.deadline(from: .now)
        let resolver = try CallResolver(
            context, environmentFiles: request.options.request.environmentFiles, apis: [request.declaration.api],
            until: deadline)
        context.environment.transport.prepare()
        // A wrong server is reported before a missing credential of the other one.
        for server in options.servers { try validate(server, with: resolver) }
        var plans: [CallPlan] = []
        for server in options.servers {
            var requestToServer = request
            requestToServer.options.request.server = server
            // The second plan reuses the parsed parameters of the first one, because a value from stdin can be read
            // only once.
            requestToServer.call = plans.first?.call
            do {
                plans.append(try await resolver.resolve(requestToServer, until: deadline))
            } catch {
                throw requestToServer.reportedError(for: error, mayBeOffline: false)
            }
        }
        return plans
    }

    /// Checks that a server exists and has a base URL that can be used.
    ///
    /// - Throws: ``UsageError`` for an unknown name, and for a text that is no base URL.
    private func validate(_ server: CallServerName, with resolver: CallResolver) throws {
        let choice = CallServerChoice(request.declaration.api, server, resolver.settings, resolver.context)
        _ = try choice?.base()
    }

    /// Sends the request to one server, and receives the response.
    ///
    /// - Parameters:
    ///   - serverName: The server as the command line names it.
    ///   - plan: The plan of the request to that server.
    ///   - context: The context.
    /// - Returns: The server with its response.
    /// - Throws: ``Failure`` if there is no response, or if the body of a success is not the JSON that its content type
    ///   and the endpoint's declaration promise.
    private func callServer(
        named serverName: String, by plan: CallPlan, _ context: CommandContext
    ) async throws -> Side {
        let exchange = Exchange(plan, context)
        let response = try await exchange.readResponse(limit: exchange.client.maxBodySize)
        let side = Side(
            name: serverName, response: response, document: try? JSONDocument(response.body), exchange: exchange)
        // Without a media type, the body may be JSON.
        let mayBeJSON = response.head.isJSON ?? true
        if mayBeJSON { try checkBody(of: side) }
        return side
    }

    // MARK: Checks of the responses

    /// Checks that both responses have a status of success (2xx).
    ///
    /// - Throws: ``Failure`` about the first response with another status.
    private func checkStatuses(of sides: [Side]) throws {
        guard let failedSide = sides.first(where: { !$0.response.head.isSuccess }) else { return }
        let head = failedSide.response.head.redacted(by: failedSide.redactor)
        let haveSameStatus = sides.allSatisfy { $0.response.head.status == head.status }
        var error = FailedStatus(head)
        error.server = haveSameStatus ? "both" : failedSide.name
        error.body = failedSide.exchange.failurePrinter.reportedBody(failedSide.response.body)
        throw failedSide.exchange.reportedError(for: error)
    }

    /// Checks that a success is JSON if the endpoint declares JSON. A failure may have any body.
    ///
    /// - Throws: ``Failure`` with the name of the server.
    private func checkBody(of side: Side) throws {
        let exchange = side.exchange
        let response = side.response
        let model = exchange.plan.endpoint.response
        let mustBeJSON = response.head.isSuccess && model.kind == .json
        let isJSON = side.document != nil
        guard mustBeJSON, !isJSON else { return }
        do {
            // The body could not be read as JSON. Reading it again throws the error that says why.
            _ = try model.document(response.body, response.head)
        } catch {
            let body = exchange.failurePrinter.reportedBody(response.body)
            throw exchange.reportedError(
                for: AnnotatedError(error, body: body), callName: "\(exchange.plan.name): \(side.name)")
        }
    }

    /// Checks that an item of a list in the responses has the field of `--by`, which may be misspelled.
    ///
    /// The field is looked for in the responses and not in the model, because a server may send more fields than the
    /// model has. If no list has an object, nothing is checked.
    ///
    /// - Throws: ``UsageError`` if there are objects in lists and none of them has the field.
    private func checkIdentifyingField(in sides: [Side]) throws(UsageError) {
        guard let field = options.identifyingField else { return }
        // If one of the bodies is not JSON, they are compared by their bytes, without the field.
        guard let documents = Self.documents(of: sides) else { return }
        var fieldNames: Set<String> = []
        for document in documents { fieldNames.formUnion(JSONValue(document).fieldNamesOfListItems) }
        if fieldNames.isEmpty || fieldNames.contains(field.text) { return }
        let question = NearestWord.question(field.text, in: fieldNames.sorted())
        throw .unusableValue(
            option: "--by", problem: "no item of a list in the responses has a field '\(field.text)'\(question)",
            source: field.source)
    }

    /// Checks that the responses or the endpoint's model have the values that the paths of `--ignore` select.
    ///
    /// Does nothing unless both responses are JSON. Other bodies are compared by their bytes, where no path selects
    /// anything.
    ///
    /// If the model has a path that selects nothing, a note on stderr says so. It is no error, because a response may
    /// lack an optional field. If the command reports in JSON, it writes no notes.
    ///
    /// - Parameters:
    ///   - sides: The two servers with their responses.
    ///   - context: The context, which has stderr.
    /// - Throws: ``UsageError`` for a path that neither the responses nor the model have.
    private func checkIgnoredPaths(in sides: [Side], _ context: CommandContext) throws {
        guard let documents = Self.documents(of: sides) else { return }
        // Both sides call the same endpoint, so they have the same model.
        let calledEndpoint = sides[0].exchange.plan.endpoint
        let model = SelectableModel(request.declaration, calledEndpoint)
        let noteOutput = options.common.reportsJSON ? nil : context.environment.stderr
        try ignoredPaths.noteUnused(in: documents, of: model, on: noteOutput)
    }

    // MARK: Differences

    /// Returns the differences between the two statuses, and between the two bodies.
    private func differences(between sides: [Side]) throws -> [ResponseDifference] {
        let heads = sides.map(\.response.head)
        var differences: [ResponseDifference] = []
        let haveSameStatus = heads[0].status == heads[1].status
        if !haveSameStatus {
            differences.append(ResponseDifference(kind: .status, values: heads.map(\.statusText)))
        }
        return try differences + bodyDifferences(between: sides)
    }

    /// Returns the differences between the bodies, without the values of `--ignore`. If one of the bodies is not JSON,
    /// there is a single difference with their lengths.
    private func bodyDifferences(between sides: [Side]) throws -> [ResponseDifference] {
        let bodies = sides.map(\.response.body)
        if bodies[0] == bodies[1] { return [] }
        guard let documents = Self.documents(of: sides) else {
            let lengths = ["\(bodies[0].count) bytes", "\(bodies[1].count) other bytes"]
            return [ResponseDifference(kind: .body, values: lengths)]
        }
        let first = try ignoredPaths.removed(from: documents[0])
        let second = try ignoredPaths.removed(from: documents[1])
        return ResponseDifferences(from: first, to: second, options).all
    }

    /// Returns the documents of both responses; nil if one of the bodies is not JSON.
    private static func documents(of sides: [Side]) -> [JSONDocument]? {
        let documents = sides.compactMap(\.document)
        return documents.count == sides.count ? documents : nil
    }

    // MARK: Output

    /// Prints the differences on stdout, as JSON or as lines, without the secrets of both calls.
    private func printDifferences(
        _ differences: [ResponseDifference], between sides: [Side], _ environment: ProcessEnvironment
    ) throws {
        if options.printsJSON {
            let json = json(of: differences, between: sides)
            return try BodyPrinter(options.call, environment, environment.stdout).print(json)
        }
        for line in lines(for: differences, between: sides) {
            let safeLine = Self.redact(line, for: sides).safeToShow
            try environment.stdout.write(environment.marked(safeLine) + "\n")
        }
    }

    /// Returns the differences as `--json` prints them:
    ///
    ///     {"version": 1, "servers": ["staging", "production"], "statuses": [200, 200], "differences": [
    ///       {"kind": "changed", "path": "$.title", "values": ["string", "number"]}
    ///     ]}
    private func json(of differences: [ResponseDifference], between sides: [Side]) -> JSONValue {
        let differenceValues = differences.map { difference in
            difference.json(hasJSONValues: options.comparesValues) { Self.redact($0, for: sides) }
        }
        return [
            "version": 1, "servers": sides.map(\.name).json,
            "statuses": JSONValue(sides.map { JSONValue($0.response.head.status) }),
            "differences": JSONValue(differenceValues),
        ]
    }

    /// Returns the differences as lines below the names of the servers, as the program diff prints them. There are no
    /// lines without differences.
    private func lines(for differences: [ResponseDifference], between sides: [Side]) -> [String] {
        if differences.isEmpty { return [] }
        var lines = ["--- \(sides[0].name)", "+++ \(sides[1].name)"]
        lines += differences.prefix(Self.maxLines).map(\.line)
        let omittedCount = differences.count - Self.maxLines
        if omittedCount > 0 { lines.append("… and \(omittedCount) more") }
        return lines
    }

    /// Returns a text without the secrets of both calls.
    private static func redact(_ text: String, for sides: [Side]) -> String {
        sides.reduce(text) { $1.redactor.redact($0) }
    }
}

extension JSONValue {
    /// The names of the fields of all objects that are items of lists, anywhere in the value.
    fileprivate var fieldNamesOfListItems: Set<String> {
        var names: Set<String> = []
        // Iterative, because a hostile server chooses the depth.
        var unvisitedValues = [self]
        while let value = unvisitedValues.popLast() {
            if let items = value.elements {
                for item in items { names.formUnion((item.members ?? []).map(\.key)) }
                unvisitedValues += items
            } else {
                unvisitedValues += (value.members ?? []).map(\.value)
            }
        }
        return names
    }
}

extension ResponseDifference {
    /// The difference as a line. It begins with `-` for a value that only the first response has, `+` for one that only
    /// the second has, and `~` for any other difference:
    ///
    ///     ~ $.title: string -> number
    fileprivate var line: String {
        let first = values[0]?.startOfValue ?? ""
        let second = values[1]?.startOfValue ?? ""
        // A difference of the status or of the whole body has no path.
        let subject = path ?? kind.rawValue
        return switch kind {
        case .missing: "- \(subject): \(first)"
        case .added: "+ \(subject): \(second)"
        case .status, .body, .changed: "~ \(subject): \(first) -> \(second)"
        }
    }

    /// Returns the difference as JSON: `{"kind": "changed", "path": "$.title", "values": ["string", "number"]}`.
    ///
    /// - Parameters:
    ///   - hasJSONValues: Whether values at a path are JSON texts, and not the names of types.
    ///   - redact: Returns a text without secrets.
    fileprivate func json(hasJSONValues: Bool, redact: (String) -> String) -> JSONValue {
        let isJSONText = hasJSONValues && path != nil
        let jsonValues = values.map { value -> JSONValue in
            guard let value else { return .null }
            let redactedText = redact(value)
            let parsedValue = isJSONText ? try? JSONValue(text: redactedText.exactBytes) : nil
            // Redaction may have left a text that is no JSON.
            return parsedValue ?? JSONValue(redactedText)
        }
        return [
            "kind": JSONValue(kind.rawValue), "path": path.map { JSONValue(redact($0)) } ?? .null,
            "values": JSONValue(jsonValues),
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
    /// The field by which the items of lists are paired (`--by`); nil is `id`.
    var identifyingField: SourcedText?
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
            "by", .word("FIELD"), \.identifyingField,
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
