import EndpointKit
import EndpointTools

/// Makes the results that reports show of a comparison of a document with endpoints.
struct DocumentResults {
    let comparison: DeclarationComparison
    /// The document, as an API.
    let document: CatalogueAPI
    /// The APIs whose endpoints are compared with the document.
    let catalogue: CatalogueDescription
    /// Whether there is a baseline, which may list operations that no endpoint has.
    let hasBaseline: Bool

    /// Returns the results that a report shows. Each compared endpoint has a result, in the order of the catalogue. The
    /// last result is about all operations of the document that no endpoint has.
    ///
    /// The last result is left out if no API was compared as a whole. Endpoints that were not compared may have the
    /// operations then.
    func checkResults() -> [CheckResult] {
        let lines = DifferenceLines(of: comparison, in: document)
        let resultsOfEndpoints = endpointResults(lines: lines)
        guard let missingOperations = missingOperationsToReport else { return resultsOfEndpoints }
        let comparedEndpoints = resultsOfEndpoints.map(\.call.declaration)
        guard let standIn = standInForMissingOperations(among: comparedEndpoints) else { return resultsOfEndpoints }
        // A result is about a call of an endpoint. Missing operations have no endpoint, so an endpoint of the same API
        // stands in for them. The report shows the name of the API in place of the endpoint's name.
        let call = CheckedCall(
            standIn, standIn.endpoint, example: 1, name: standIn.api.name, caseName: "the rest of the document")
        let lastResult = CheckResult(call, Self.outcome(of: missingOperations, lines: lines))
        return resultsOfEndpoints + [lastResult]
    }

    /// The comparison's result about the operations of the document that no endpoint has; nil if it is not reported.
    private var missingOperationsToReport: DeclarationComparison.Result? {
        // Only the result about these operations has no endpoint.
        let missingOperations = comparison.results.first { $0.endpoint == nil }
        guard let missingOperations else { return nil }
        // If no operation is missing, only a report with a baseline (a file of accepted differences) needs the result.
        // It shows that operations which the baseline lists as missing have endpoints now.
        let isReported = !missingOperations.differences.isEmpty || hasBaseline
        return isReported ? missingOperations : nil
    }

    /// Returns the result of each endpoint that was compared, in the order of the catalogue.
    ///
    /// - Parameter lines: The lines of the differences in the document, which the problems of the results name.
    private func endpointResults(lines: DifferenceLines) -> [CheckResult] {
        var checkResults: [String: CheckResult] = [:]
        for comparedResult in comparison.results {
            guard let declaration = comparedResult.endpoint?.declaration else { continue }
            // If several results have the same name, the first one counts.
            guard checkResults[declaration.name] == nil else { continue }
            let call = CheckedCall(declaration, declaration.endpoint, example: 1)
            checkResults[declaration.name] = CheckResult(call, Self.outcome(of: comparedResult, lines: lines))
        }
        return catalogue.endpoints.compactMap { checkResults[$0.name] }
    }

    /// Returns the outcome of a comparison. An endpoint that is too large to be compared does not pass, but is skipped.
    private static func outcome(
        of result: DeclarationComparison.Result, lines: DifferenceLines
    ) -> CheckOutcome {
        if result.differences.isEmpty, result.isIncomplete { return .skipped("the schemas are too large to compare") }
        let problems = result.differences.map { lines.problem(of: $0) }
        return CheckOutcome(verdict: problems.verdict, problems: problems)
    }

    /// Returns the endpoint that stands in a report for the operations of the document that no endpoint has.
    ///
    /// The endpoint belongs to an API that was compared as a whole, because other APIs may have the operations in
    /// endpoints that were not compared. An API on a server of the document is preferred.
    ///
    /// - Parameter comparedEndpoints: The endpoints that were compared.
    /// - Returns: The endpoint; nil if no API was compared as a whole.
    private func standInForMissingOperations(
        among comparedEndpoints: [EndpointDeclaration]
    ) -> EndpointDeclaration? {
        let wholeAPIs = Set(catalogue.apis.filter(\.hasAllEndpoints).map(\.api.name))
        let candidates = comparedEndpoints.filter { wholeAPIs.contains($0.api.name) }
        for host in document.servers.compactMap(\.host) {
            let candidateOnHost = candidates.first { $0.api.servers.contains { $0.host == host } }
            if let candidateOnHost { return candidateOnHost }
        }
        return candidates.first
    }
}

extension Server {
    /// The host of the URL; nil if the URL has none.
    fileprivate var host: String? { try? base().host }
}
