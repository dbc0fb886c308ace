import EndpointKit

/// The check of one example of one endpoint, and its outcome.
public struct CheckResult: Sendable, CustomStringConvertible {
    /// What was called.
    package let call: CheckedCall
    public package(set) var outcome: CheckOutcome

    package init(_ call: CheckedCall, _ outcome: CheckOutcome) {
        self.call = call
        self.outcome = outcome
    }

    /// The endpoint's name: `movies.popular`.
    public var name: String { call.name }
    /// Which of the endpoint's examples it is, from 1.
    package var example: Int { call.example }
    /// The URL with `(redacted)` in place of secrets; nil if nothing was sent.
    package var url: String? { call.url }

    /// The verdict and everything that was found, for the output of a test.
    public var description: String {
        let request = url.map { " (\(call.method) \($0))" } ?? ""
        let reasons = outcome.notRun.map { [$0] } ?? outcome.problems.map(\.description)
        return "\(name) #\(example) \(outcome.verdict.rawValue)\(request)" + reasons.map { "\n  \($0)" }.joined()
    }
}

/// The outcome of one check: its verdict and everything that was found.
public struct CheckOutcome: Sendable {
    public var verdict: CheckVerdict
    /// The final status; nil without a response.
    package var status: Int?
    /// From the start of the last attempt until its body had arrived; nil if nothing was sent.
    package var duration: Duration?
    /// How many requests were sent, redirects not counted.
    package var attempts = 0
    public var problems: [CheckProblem]
    /// Why nothing was sent, if no problem says it.
    package var notRun: String?
    /// The beginning of a body that failed by its status or is not JSON, without secrets; nil if there is none.
    package var bodyStart: String?
    /// How many more keys the model does not have and a baseline accepts.
    package var known = 0
    /// Empty in outcomes that are kept, because it may be large.
    package var evidence = Evidence()

    /// The parts of a response that are looked at once. They have no secrets.
    package struct Evidence: Sendable {
        /// What the model asked for, and the redactor of the request; nil if there was no body to compare.
        package var compared: (places: FoldedPlaces, redactor: Redactor)?
        /// The response to a check that did not pass, if it is needed.
        package var response: Response?

        package init() {}
    }

    package init(verdict: CheckVerdict, problems: [CheckProblem] = []) {
        (self.verdict, self.problems) = (verdict, problems)
    }

    /// The outcome of a check that sent nothing.
    package static func skipped(_ problem: CheckProblem) -> CheckOutcome {
        CheckOutcome(verdict: .skipped, problems: [problem])
    }

    /// The same, if no problem says why.
    package static func skipped(_ reason: String) -> CheckOutcome {
        var outcome = CheckOutcome(verdict: .skipped)
        outcome.notRun = reason
        return outcome
    }

    /// The outcome of a check of an endpoint without an example.
    package static let withoutExample = skipped("the API's examples do not show it")

    /// This outcome without the secrets that `redactor` knows.
    package func redacted(by redactor: Redactor) -> CheckOutcome {
        var outcome = self
        outcome.problems = problems.map { $0.redacted(by: redactor) }
        outcome.bodyStart = bodyStart.map(redactor.redact)
        outcome.evidence.response = evidence.response?.redacted(by: redactor)
        return outcome
    }

    /// Whether the first attempt failed and a later one did not.
    package var isFlaky: Bool { attempts > 1 && (verdict == .passed || verdict == .drifted) }
}

/// One call of one endpoint, as reports name it.
package final class CheckedCall: Sendable {
    package let declaration: EndpointDeclaration
    /// The endpoint's name: `movies.popular`.
    package let name: String
    /// Which of the endpoint's examples, or of the file's cases, it is, from 1.
    package let example: Int
    /// What a case of a file is called; nil for an example.
    package let caseName: String?
    package let method: HTTPMethod
    /// Where the endpoint is declared.
    package let source: SourceLine
    /// Without secrets; nil if there is no request.
    package let url: String?
    /// The curl command that sends the same, without secrets.
    package let curl: String?

    package init(
        _ declaration: EndpointDeclaration, _ endpoint: Endpoint, example: Int, name: String? = nil,
        caseName: String? = nil, url: String? = nil, curl: String? = nil
    ) {
        (self.declaration, self.name) = (declaration, name ?? declaration.name)
        (self.example, self.caseName) = (example, caseName)
        (method, source) = (endpoint.method, endpoint.source)
        (self.url, self.curl) = (url, curl)
    }
}

extension API {
    /// Sends every example, in order, and compares each response with the model of its endpoint.
    ///
    ///     let results = try await Movies.check(with: client)
    ///     for result in results where result.outcome.verdict == .failed { Issue.record("\(result)") }
    ///
    /// An example is skipped if a credential that it needs is not set, or if its method changes data on the server; so is a case without one.
    ///
    /// - Parameters:
    ///   - client: Sends the requests; what it retries is one check.
    ///   - includingUnsafe: Whether to send POST, PUT, PATCH and DELETE too (RFC 9110, section 9.2.1).
    ///   - maxLatency: The longest time that a response may take.
    ///
    /// Throws `CancellationError`, an error for a handwritten `Codable` conformance, and what building a request throws but ``MissingCredential``.
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
                var (outcome, url): (CheckOutcome, String?) = (.skipped(.unsafe(endpoint.method)), nil)
                if includingUnsafe || endpoint.method.isSafe {
                    do {
                        let request = try Self.request(endpoint, client.request)
                        url = request.redactedURL
                        outcome = try await EndpointCheck(
                            call: call, endpoint: endpoint, request: request, redactor: Redactor(request),
                            maxLatency: maxLatency
                        ).run(client)
                    } catch let error as MissingCredential {
                        outcome = .skipped(.missing(error))
                    }
                }
                if let (places, redactor) = outcome.evidence.compared {
                    absent.add(places, redactor, place: results.count)
                }
                outcome.evidence = CheckOutcome.Evidence()
                let call = CheckedCall(declaration, endpoint, example: index + 1, url: url)
                results.append(CheckResult(call, outcome))
            }
            absent.note(in: &results)
        }
        return results
    }
}
