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

    /// Returns a result for each endpoint in the order of the catalogue. The last result is about the operations of the
    /// document that no endpoint has, if there are any.
    func checkResults() throws -> [CheckResult] {
        let lines = DifferenceLines(comparison, document)
        let results = endpointResults(lines)
        guard let missingEndpoints = comparison.results.first(where: { $0.endpoint == nil }) else { return results }
        // Without differences, only a baseline needs the last result, to see that operations which its file lists are
        // no longer missing.
        if missingEndpoints.differences.isEmpty, !hasBaseline { return results }
        guard let owner = try ownerOfMissingEndpoints(among: results.map(\.call.declaration)) else { return results }
        let call = CheckedCall(
            owner, owner.endpoint, example: 1, name: owner.api.name, caseName: "the rest of the document")
        return results + [CheckResult(call, Self.outcome(of: missingEndpoints, lines))]
    }

    /// Returns the result of each endpoint that was compared, in the order of the catalogue.
    private func endpointResults(_ lines: DifferenceLines) -> [CheckResult] {
        var comparisons: [String: DeclarationComparison.Result] = [:]
        for result in comparison.results {
            guard let name = result.endpoint?.declaration.name else { continue }
            // If several results have the same name, the first one counts.
            if comparisons[name] == nil { comparisons[name] = result }
        }
        return catalogue.endpoints.compactMap { summary in
            guard let result = comparisons[summary.name], let declaration = result.endpoint?.declaration else {
                return nil
            }
            let call = CheckedCall(declaration, declaration.endpoint, example: 1)
            return CheckResult(call, Self.outcome(of: result, lines))
        }
    }

    /// Returns the outcome of a comparison. An endpoint that is too large to be compared does not pass, but is skipped.
    private static func outcome(
        of result: DeclarationComparison.Result, _ lines: DifferenceLines
    ) -> CheckOutcome {
        if result.differences.isEmpty, result.isIncomplete { return .skipped("the schemas are too large to compare") }
        let problems = result.differences.map { lines.problem(of: $0) }
        return CheckOutcome(verdict: problems.verdict, problems: problems)
    }

    /// Returns an endpoint of the API that should have the operations of the document which no endpoint has. They are
    /// reported under that API.
    ///
    /// The API must be compared as a whole, because only then does it lack the operations. An API on a server of the
    /// document is preferred.
    ///
    /// - Parameter comparedEndpoints: The endpoints that were compared.
    /// - Returns: The endpoint; nil if no API was compared as a whole.
    private func ownerOfMissingEndpoints(
        among comparedEndpoints: [EndpointDeclaration]
    ) throws -> EndpointDeclaration? {
        let completeAPIs = try catalogue.apis.filter { try $0.api.summaries().count == $0.endpoints.count }
        let completeNames = Set(completeAPIs.map(\.api.name))
        let candidates = comparedEndpoints.filter { completeNames.contains($0.api.name) }
        for host in document.servers.compactMap(\.host) {
            let ownerOnHost = candidates.first { $0.api.servers.contains { $0.host == host } }
            if let ownerOnHost { return ownerOnHost }
        }
        return candidates.first
    }
}

extension Server {
    /// The host of the URL; nil if the URL has none.
    fileprivate var host: String? { try? base().host }
}
