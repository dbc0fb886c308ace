import EndpointKit
import EndpointTools
import OpenAPI

/// The command `check --document FILE`: compares an OpenAPI document with the endpoints of APIs. Nothing is sent.
///
/// The reports and the baseline are those of checks that send requests: each endpoint has a result, whose problems are
/// the differences between the endpoint and the document.
struct DocumentCheck {
    let context: CommandContext
    let options: CheckOptions

    /// Compares a document with endpoints and writes the reports.
    ///
    /// - Parameters:
    ///   - source: The document.
    ///   - patterns: Names of endpoints, which may have wildcards. If there are none, all endpoints are compared.
    /// - Returns: ``ExitCode/success``. Any other exit code is that of a failure that is thrown.
    /// - Throws: ``Failure`` if a comparison failed or a URL can't be read, ``UsageError`` and ``FileError``.
    func run(_ source: DocumentSource, _ patterns: [SourcedText]) async throws -> ExitCode {
        let catalogue = try context.registry.description(matching: patterns)
        let loadedDocument = try await DocumentLoader(context).loadDocument(from: source)
        let document = try loadedDocument.makeAPI(with: DocumentCatalogue.Options())
        let comparison = DeclarationComparison(
            document: try Self.endpoints(of: document),
            api: try catalogue.apis.flatMap { try Self.endpoints($0.declarations(), of: $0.api) },
            isStrict: options.judging.strict)
        let results = DocumentResults(
            comparison: comparison, document: document, catalogue: catalogue,
            hasBaseline: options.judging.baseline != nil
        ).checkResults()
        return try await CheckReport.writeReports(about: results.map(\.call), options, context) { report, terminal, _ in
            for result in results { try terminal.show(report.add(result)) }
            report.finish(CheckReport.Ending(countInAllShards: results.count))
        }
    }

    // MARK: Endpoints

    /// Returns all endpoints of an API with their requests and responses.
    static func endpoints(of api: CatalogueAPI) throws -> [ComparedEndpoint] {
        try endpoints(api.declarations(), of: api)
    }

    /// Returns endpoints of an API with their requests and responses.
    ///
    /// An API that comes from a document describes its requests and responses. An API in Swift does not: its requests
    /// are learned by building them with different values, and its responses by decoding.
    private static func endpoints(
        _ declarations: [EndpointDeclaration], of api: CatalogueAPI
    ) throws -> [ComparedEndpoint] {
        var describedEndpoints: [ComparedEndpoint] = []
        for declaration in declarations {
            guard let request = declaration.declaredRequest else { continue }
            describedEndpoints.append(
                ComparedEndpoint(declaration, request: request, response: declaration.declaredResponse))
        }
        let areAllDescribed = describedEndpoints.count == declarations.count
        if areAllDescribed { return describedEndpoints }
        // The responses are learned together, because they share models.
        let responses = api.responseShapes(of: declarations).responses
        return try zip(declarations, responses).map { declaration, response in
            ComparedEndpoint(declaration, request: try ProbedRequest(declaration).request, response: response)
        }
    }
}
