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
    ///   - client: Sends the requests. What it retries is one check.
    ///   - includingUnsafe: Whether to send POST, PUT, PATCH and DELETE too (RFC 9110, section 9.2.1).
    ///   - maxLatency: The longest time that a response may take.
    /// - Returns: One result for each example, and one for each endpoint without an example.
    /// - Throws: `CancellationError`, an error for a handwritten `Codable` conformance, and what building a request
    ///   throws except ``MissingCredential``.
    public static func check(
        with client: Client, includingUnsafe: Bool = false, maxLatency: Duration? = nil
    ) async throws -> [CheckResult] {
        var results: [CheckResult] = []
        for declaration in try EndpointDeclaration.all(of: Self.self) {
            if declaration.examples.isEmpty {
                results.append(CheckResult(CheckedCall(declaration, declaration.endpoint, example: 1), .withoutExample))
            }
            var absent = AbsentParts()
            for (index, call) in declaration.examples.enumerated() {
                let endpoint = call.resolvedEndpoint
                var (outcome, url) = try await outcome(
                    of: call, endpoint, client, includingUnsafe: includingUnsafe, maxLatency: maxLatency)
                if let (places, redactor) = outcome.evidence.compared {
                    absent.add(places, redactor, place: results.count)
                }
                outcome.evidence = CheckOutcome.Evidence()
                let checked = CheckedCall(declaration, endpoint, example: index + 1, url: url)
                results.append(CheckResult(checked, outcome))
            }
            absent.note(in: &results)
        }
        return results
    }

    /// Checks one example, or skips it.
    ///
    /// - Returns: The outcome, and the URL without secrets if a request was made.
    private static func outcome(
        of call: any API, _ endpoint: Endpoint, _ client: Client, includingUnsafe: Bool, maxLatency: Duration?
    ) async throws -> (CheckOutcome, url: String?) {
        guard includingUnsafe || endpoint.method.isSafe else {
            return (.skipped(.unsafe(endpoint.method)), nil)
        }
        let request: Request
        do {
            request = try Self.request(endpoint, client.request)
        } catch let error as MissingCredential {
            return (.skipped(.missing(error)), nil)
        }
        let check = EndpointCheck(
            call: call, endpoint: endpoint, request: request, redactor: Redactor(request), maxLatency: maxLatency)
        return (try await check.run(client), request.redactedURL)
    }
}
