import EndpointKit
import EndpointTools
import OpenAPI

/// The command `check --document FILE`: compares an OpenAPI document with the endpoints of APIs. Nothing is sent.
///
/// It has the reports and the baseline of `check`.
struct DocumentCheck {
    let context: CommandContext
    let options: CheckOptions

    /// Compares a document with endpoints and writes the reports.
    ///
    /// - Parameters:
    ///   - source: The document.
    ///   - patterns: Names of endpoints, which may have wildcards. If there are none, all endpoints are compared.
    /// - Returns: The exit code, which is 0 if nothing failed.
    /// - Throws: ``Failure`` if a comparison failed or a URL can't be read, ``UsageError`` and ``FileError``.
    func run(_ source: DocumentSource, _ patterns: [SourcedText]) async throws -> ExitCode {
        let catalogue = try context.registry.description(matching: patterns)
        let document = try await DocumentLoader(context).document(source).api(DocumentCatalogue.Options())
        let comparison = DeclarationComparison(
            document: try Self.endpoints(of: document), api: try catalogue.apis.flatMap(Self.chosenEndpoints),
            isStrict: options.judging.strict)
        let results = try results(of: comparison, document, catalogue)
        return try await CheckReport.write(options, context, of: results.map(\.call)) { report, terminal, _ in
            for result in results { try terminal.show(report.add(result)) }
            report.finish(CheckReport.Ending(total: results.count))
        }
    }

    // MARK: Endpoints

    /// Returns the endpoints of an API that the patterns chose, with their requests and responses.
    private static func chosenEndpoints(_ description: APIDescription) throws -> [ComparedEndpoint] {
        let names = Set(description.endpoints.map(\.name))
        let declarations = try description.api.declarations().filter { names.contains($0.name) }
        return try endpoints(declarations, of: description.api)
    }

    /// Returns all endpoints of an API with their requests and responses.
    static func endpoints(of api: CatalogueAPI) throws -> [ComparedEndpoint] {
        try endpoints(api.declarations(), of: api)
    }

    /// Returns endpoints of an API with their requests and responses.
    ///
    /// A document describes both. For an enum, both are learned. The responses are learned together, because they share
    /// models.
    private static func endpoints(
        _ declarations: [EndpointDeclaration], of api: CatalogueAPI
    ) throws -> [ComparedEndpoint] {
        let described = declarations.compactMap { declaration in
            declaration.declaredRequest.map {
                ComparedEndpoint(declaration, request: $0, response: declaration.declaredResponse)
            }
        }
        // An API that comes from a document describes its requests. For an API in Swift, requests and responses must
        // be learned.
        guard described.count < declarations.count else { return described }
        return try zip(declarations, api.responseShapes(of: declarations).responses).map { declaration, response in
            ComparedEndpoint(declaration, request: try ProbedRequest(declaration).request, response: response)
        }
    }

    // MARK: Results

    /// Returns the results in the order of the catalogue. The last one is about the operations that no endpoint has.
    private func results(
        of comparison: DeclarationComparison, _ document: CatalogueAPI, _ catalogue: CatalogueDescription
    ) throws -> [CheckResult] {
        let lines = DifferenceLines(comparison, document)
        // By the names of endpoints. The result without an endpoint is about the operations that no endpoint has.
        var comparisons: [String?: DeclarationComparison.Result] = [:]
        for result in comparison.results {
            let name = result.endpoint?.declaration.name
            // If several results have the same name, the first one counts.
            if comparisons[name] == nil { comparisons[name] = result }
        }
        var results: [CheckResult] = []
        for name in catalogue.endpoints.map(\.name) {
            guard let comparison = comparisons[name], let declaration = comparison.endpoint?.declaration else {
                continue
            }
            let call = CheckedCall(declaration, declaration.endpoint, example: 1)
            results.append(CheckResult(call, Self.outcome(of: comparison, lines)))
        }
        guard let missing = comparisons[nil] else { return results }
        let compared = results.map(\.call.declaration)
        guard let call = try callOfMissingEndpoints(missing, document, catalogue, compared) else { return results }
        return results + [CheckResult(call, Self.outcome(of: missing, lines))]
    }

    /// Returns the call that stands for the operations that no endpoint has.
    ///
    /// - Parameters:
    ///   - missing: The operations.
    ///   - compared: The endpoints that are compared.
    /// - Returns: The call; nil if there is nothing to report.
    private func callOfMissingEndpoints(
        _ missing: DeclarationComparison.Result, _ document: CatalogueAPI, _ catalogue: CatalogueDescription,
        _ compared: [EndpointDeclaration]
    ) throws -> CheckedCall? {
        // Without problems, only a baseline needs the result: it shows which operations are no longer missing.
        if missing.differences.isEmpty, options.judging.baseline == nil { return nil }
        guard let declaration = try owner(of: document, catalogue, compared) else { return nil }
        return CheckedCall(
            declaration, declaration.endpoint, example: 1, name: declaration.api.name,
            caseName: "the rest of the document")
    }

    /// Returns the outcome of a comparison. An endpoint that is too large to be compared does not pass.
    private static func outcome(
        of result: DeclarationComparison.Result, _ lines: DifferenceLines
    ) -> CheckOutcome {
        if result.differences.isEmpty, result.isIncomplete { return .skipped("the schemas are too large to compare") }
        let problems = result.differences.map { lines.problem($0) }
        return CheckOutcome(verdict: problems.verdict, problems: problems)
    }

    /// Returns an endpoint of the API that should have the operations which no endpoint has.
    ///
    /// The operations are reported under that API. It must be compared as a whole, because only then does it lack
    /// them. An API on the document's server is preferred.
    ///
    /// - Returns: The endpoint; nil if no API is compared as a whole.
    private func owner(
        of document: CatalogueAPI, _ catalogue: CatalogueDescription, _ compared: [EndpointDeclaration]
    ) throws -> EndpointDeclaration? {
        let completeAPIs = try catalogue.apis.filter { try $0.api.summaries().count == $0.endpoints.count }
        let names = Set(completeAPIs.map(\.api.name))
        let candidates = compared.filter { names.contains($0.api.name) }
        for host in document.servers.compactMap(\.host) {
            if let owner = candidates.first(where: { $0.api.servers.contains { $0.host == host } }) { return owner }
        }
        return candidates.first
    }
}

extension Server {
    /// The host of the URL; nil if the URL has none.
    fileprivate var host: String? { try? base().host }
}

/// The lines of the document where its differences from the endpoints are.
private struct DifferenceLines {
    /// A part of an operation.
    private struct Part: Hashable {
        let operation: String
        let path: DeclarationPath
    }

    /// The line of each part of an operation that differs.
    private var lines: [Part: Int] = [:]

    /// Finds the lines of all differences, for which the text of the document is read once.
    init(_ comparison: DeclarationComparison, _ document: CatalogueAPI) {
        var offsets: [Part: Int] = [:]
        let located = comparison.results.flatMap(\.differences)
        // The operation finds the offsets of all its paths at once.
        for (name, differences) in located.grouped(by: { $0.operation?.declaration.name }) {
            guard let name, let operation = differences.first?.operation?.declaration else { continue }
            let paths = differences.map(\.difference.path)
            for (path, offset) in zip(paths, operation.offsets(of: paths)) {
                offsets[Part(operation: name, path: path)] = offset
            }
        }
        let linesOfOffsets = document.lines(of: Set(offsets.values))
        lines = offsets.compactMapValues { linesOfOffsets[$0] }
    }

    /// Returns the problem of a difference with its line.
    func problem(_ located: DeclarationComparison.LocatedDifference) -> CheckProblem {
        let problem = located.difference.problem
        let line = located.operation.flatMap { operation in
            lines[Part(operation: operation.declaration.name, path: located.difference.path)]
        }
        return CheckProblem(
            problem.kind, path: problem.path, expected: problem.expected, found: problem.found, line: line)
    }
}
