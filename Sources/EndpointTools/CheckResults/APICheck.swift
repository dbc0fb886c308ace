import EndpointKit

extension API {
    /// Sends every example, in order, and compares each response with the model of its endpoint.
    ///
    ///     let results = try await Movies.check(with: client)
    ///     for result in results where result.outcome.verdict == .failed { Issue.record("\(result)") }
    ///
    /// An example is skipped if a credential that it needs is not set, or if its method changes data on the server. An
    /// endpoint without an example is skipped too.
    ///
    /// - Parameters:
    ///   - client: Sends the requests. An example that it retries is still one check.
    ///   - includingUnsafe: Whether to send POST, PUT, PATCH and DELETE too (RFC 9110, section 9.2.1).
    ///   - maxLatency: The longest time that a response may take.
    /// - Returns: One result for each example, and one for each endpoint without an example.
    /// - Throws: `CancellationError`, an error for a handwritten `Codable` conformance, and any error of building a
    ///   request except `MissingCredential`.
    public static func check(
        with client: Client, includingUnsafe: Bool = false, maxLatency: Duration? = nil
    ) async throws -> [CheckResult] {
        let checker = ExampleChecker(client: client, includesUnsafe: includingUnsafe, maxLatency: maxLatency)
        var results: [CheckResult] = []
        for declaration in try CatalogueAPI(Self.self).declarations() {
            results += try await checker.checkExamples(of: declaration)
        }
        return results
    }
}

/// Checks the examples of endpoints, all with one client and the same options.
private struct ExampleChecker {
    let client: Client
    /// Whether requests are sent whose methods change data on the server.
    let includesUnsafe: Bool
    /// The longest time that a response may take; nil is no limit.
    let maxLatency: Duration?

    /// Checks the examples of one endpoint in order.
    ///
    /// A key that may be absent is no problem in a single response. If no response to any of the examples has it, the
    /// last result gets a note, because the model may have a wrong name for the key.
    ///
    /// - Returns: One result for each example. Without an example, one result that says so.
    /// - Throws: `CancellationError`, and any error of building a request except `MissingCredential`.
    func checkExamples(of declaration: EndpointDeclaration) async throws -> [CheckResult] {
        if declaration.examples.isEmpty {
            let call = CheckedCall(declaration, declaration.endpoint, example: 1)
            return [CheckResult(call, .withoutExample)]
        }
        var results: [CheckResult] = []
        var absentParts = AbsentParts()
        for (index, example) in declaration.examples.enumerated() {
            var result = try await checkExample(example, number: index + 1, of: declaration)
            if let comparison = result.outcome.evidence.compared {
                absentParts.add(comparison.places, comparison.redactor, resultIndex: index)
            }
            // The evidence may be large, and the results of all endpoints are kept.
            result.outcome.evidence = CheckOutcome.Evidence()
            results.append(result)
        }
        absentParts.addNotes(to: &results)
        return results
    }

    /// Sends the request of one example and judges the response, or skips the example.
    ///
    /// - Parameters:
    ///   - example: The example, which is a call of the endpoint.
    ///   - number: The number of the example, from 1.
    ///   - declaration: The endpoint of the example.
    /// - Returns: The result, whose URL is nil if the example was skipped.
    /// - Throws: `CancellationError`, and any error of building the request except `MissingCredential`, which is a
    ///   reason to skip the example.
    private func checkExample(
        _ example: EndpointCall, number: Int, of declaration: EndpointDeclaration
    ) async throws -> CheckResult {
        let endpoint = example.endpoint
        let callWithoutRequest = CheckedCall(declaration, endpoint, example: number)
        let mayBeSent = includesUnsafe || endpoint.method.isSafe
        guard mayBeSent else { return CheckResult(callWithoutRequest, .skipped(.unsafe(endpoint.method))) }
        let request: Request
        do {
            request = try declaration.api.requestBuilder.request(endpoint, client.options)
        } catch let error as MissingCredential {
            return CheckResult(callWithoutRequest, .skipped(.missing(error)))
        }
        let check = EndpointCheck(
            declaration, call: example, endpoint: endpoint, request: request, redactor: Redactor(request),
            maxLatency: maxLatency)
        let outcome = try await check.run(client)
        return CheckResult(callWithoutRequest.with(endpoint, url: request.redactedURL, curl: nil), outcome)
    }
}
