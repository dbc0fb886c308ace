extension API {
    /// Sends every example, in order, and compares each response with the model of its endpoint.
    ///
    ///     let results = try await Movies.check(with: client)
    ///     for result in results where result.outcome.verdict == .failed { Issue.record("\(result)") }
    ///
    /// An example is skipped if a credential that it needs is not set, or if its method changes data on the server.
    ///
    /// - Parameters:
    ///   - client: Sends the requests; what it retries is one check.
    ///   - includingUnsafe: Whether to send POST, PUT, PATCH and DELETE too (RFC 9110, section 9.2.1).
    ///   - maxLatency: The longest time that a response may take.
    ///
    /// Throws `CancellationError`, ``Signature/NotACase``, and what building a request throws, except for ``MissingCredential``.
    public static func check(
        with client: Client, includingUnsafe: Bool = false, maxLatency: Duration? = nil
    ) async throws -> [CheckResult] {
        var results: [CheckResult] = []
        for declaration in try EndpointDeclaration.all(of: Self.self) {
            var absent = AbsentKeys()
            var last: (place: Int, redactor: Redactor)?
            for (index, call) in declaration.examples.enumerated() {
                let endpoint = call.resolvedEndpoint
                func result(_ url: String?, _ outcome: CheckOutcome) -> CheckResult {
                    CheckResult(
                        name: declaration.name, example: index + 1, method: endpoint.method, url: url, outcome: outcome)
                }
                guard includingUnsafe || endpoint.method.isSafe else {
                    results.append(result(nil, .skipped(.unsafe(endpoint.method))))
                    continue
                }
                do {
                    let request = try Self.request(endpoint, client.request)
                    let check = EndpointCheck(
                        call: call, endpoint: endpoint, request: request, redactor: Redactor(request),
                        maxLatency: maxLatency)
                    let observation = try await check.run(client)
                    results.append(result(request.redactedURL, observation.outcome))
                    if let survey = observation.survey {
                        absent.add(survey)
                        last = (results.count - 1, check.redactor)
                    }
                } catch let error as MissingCredential {
                    results.append(result(nil, .skipped(.missing(error))))
                }
            }
            if let last { results[last.place].outcome.problems += absent.problems(last.redactor) }
        }
        return results
    }
}

extension CheckProblem {
    /// The reason to skip a call with that method.
    package static func unsafe(_ method: HTTPMethod) -> CheckProblem {
        CheckProblem(.method, expected: "a method that changes nothing", found: method.rawValue)
    }

    /// The reason to skip a call without that credential.
    package static func missing(_ error: MissingCredential) -> CheckProblem {
        let choices = error.alternatives.map { $0.joined(separator: " and ") }.joined(separator: " or ")
        return CheckProblem(.credential, expected: choices, found: "not set")
    }
}
