import EndpointKit

/// The check of one example of one endpoint, and its outcome.
public struct CheckResult: Sendable, CustomStringConvertible {
    /// The call that was checked.
    package let call: CheckedCall
    public package(set) var outcome: CheckOutcome

    package init(_ call: CheckedCall, _ outcome: CheckOutcome) {
        self.call = call
        self.outcome = outcome
    }

    /// The endpoint's name: `movies.popular`.
    public var name: String { call.name }
    /// The number of the endpoint's example that was checked, from 1.
    package var example: Int { call.example }
    /// The URL with `(redacted)` in place of secrets; nil if nothing was sent.
    package var url: String? { call.url }

    /// The call, the verdict, and each problem on a line of its own, for the output of a test:
    ///
    ///     movies.popular #1 failed (GET https://api.example.com/movies)
    ///       missing-key: $.results[*].title (1 of 20, line 3)
    public var description: String {
        var title = "\(name) #\(example) \(outcome.verdict.rawValue)"
        if let url { title += " (\(call.method) \(url))" }
        var lines = [title]
        if let reason = outcome.notRun {
            lines.append(reason)
        } else {
            lines += outcome.problems.map(\.description)
        }
        return lines.joined(separator: "\n  ")
    }
}

/// The outcome of one check: its verdict and everything that was found.
public struct CheckOutcome: Sendable {
    public var verdict: CheckVerdict
    /// The final status; nil without a response.
    package var status: Int?
    /// The time from the start of the last attempt until its body had arrived; nil if nothing was sent.
    package var duration: Duration?
    /// How many requests were sent, redirects not counted.
    package var attempts = 0
    /// The repetition of a case with `until`; nil for any other check.
    package var repetition: Repetition?
    public var problems: [CheckProblem]
    /// The reason why nothing was sent, if no problem says it.
    package var notRun: String?
    /// The beginning of a body that failed by its status or is not JSON, without secrets; nil if there is none.
    package var bodyStart: String?
    /// The number of keys that the model does not have, but that a baseline file accepts. They are not among
    /// ``problems``.
    package var known = 0
    /// The parts of the response's schema that its body was not compared with, such as the keyword `pattern`; empty
    /// without a body to compare, and for the models of Swift.
    package var notCompared: [UncomparedPart] = []
    /// The response and the comparison of its body with the model. It may be large, so outcomes that are kept lose it.
    package var evidence = Evidence()

    /// The repetition of a case until its requirements are met.
    package struct Repetition: Sendable, Hashable {
        /// How long the case may be repeated.
        package let limit: Duration
        /// How often the case was carried out.
        package let count: Int

        package init(limit: Duration, count: Int) {
            self.limit = limit
            self.count = count
        }
    }

    /// The comparison of a body with the model.
    package struct Comparison: Sendable {
        /// The places that the model asked for, and how often they were there.
        package let places: ComparisonPlaces
        /// Removes the secrets of the request from the names of places.
        package let redactor: Redactor
    }

    /// The response and its comparison, which are looked at only once, right after a check, because they may be large.
    package struct Evidence: Sendable {
        /// The comparison of the body with the model; nil if there was no body to compare.
        package var compared: Comparison?
        /// The response to a check that did not pass, without secrets; nil if it is not needed.
        package var response: Response?

        package init() {}
    }

    package init(verdict: CheckVerdict, problems: [CheckProblem] = []) {
        self.verdict = verdict
        self.problems = problems
    }

    /// Returns the outcome of a check that sent nothing, with a problem that says why.
    package static func skipped(_ problem: CheckProblem) -> CheckOutcome {
        CheckOutcome(verdict: .skipped, problems: [problem])
    }

    /// Returns the outcome of a check that sent nothing for a reason that is no problem.
    package static func skipped(_ reason: String) -> CheckOutcome {
        var outcome = CheckOutcome(verdict: .skipped)
        outcome.notRun = reason
        return outcome
    }

    /// The outcome of a check of an endpoint without an example.
    package static let withoutExample = skipped("no example covers it")

    /// Returns this outcome with `(redacted)` in place of the secrets that `redactor` knows.
    package func redacted(by redactor: Redactor) -> CheckOutcome {
        var outcome = self
        outcome.problems = problems.map { $0.redacted(by: redactor) }
        outcome.bodyStart = bodyStart.map(redactor.redact)
        outcome.evidence.response = evidence.response?.redacted(by: redactor)
        return outcome
    }

    /// Whether the request succeeded only after it was retried.
    ///
    /// A case that is repeated as `until` asks sends at least one request for each repetition. Only further ones are
    /// retries.
    package var isFlaky: Bool {
        let repetitions = repetition?.count ?? 1
        let retries = attempts - repetitions
        return retries > 0 && verdict.isSuccess
    }
}

/// One call of one endpoint, as reports name it.
package final class CheckedCall: Sendable {
    package let declaration: EndpointDeclaration
    /// The endpoint's name: `movies.popular`.
    package let name: String
    /// The number of the endpoint's example, or of the file's case, from 1.
    package let example: Int
    /// The name of a case of a file; nil for an example.
    package let caseName: String?
    /// The line of the case in its file; nil for an example.
    package let caseLine: CaseLine?
    package let method: HTTPMethod
    /// The line where the endpoint is declared.
    package let source: DeclarationLine
    /// The URL without secrets; nil if there is no request.
    package let url: String?
    /// The curl command that sends the same, without secrets.
    package let curl: String?

    /// Names a call of an endpoint for reports.
    ///
    /// - Parameters:
    ///   - declaration: The declaration of the endpoint.
    ///   - endpoint: The endpoint of this call, whose method and line in the source reports show.
    ///   - example: The number of the example, or of the case in a file of cases, from 1.
    ///   - name: The endpoint's name in reports; nil for the one that it is declared with.
    ///   - caseName: The name of the case in a file of cases; nil for an example.
    ///   - caseLine: The line of the case in its file; nil for an example.
    ///   - url: The URL without secrets; nil if there is no request.
    ///   - curl: The curl command that sends the same request, without secrets; nil if it is not shown.
    package init(
        _ declaration: EndpointDeclaration, _ endpoint: Endpoint, example: Int, name: String? = nil,
        caseName: String? = nil, caseLine: CaseLine? = nil, url: String? = nil, curl: String? = nil
    ) {
        self.declaration = declaration
        self.name = name ?? declaration.name
        self.example = example
        self.caseName = caseName
        self.caseLine = caseLine
        method = endpoint.method
        source = endpoint.source
        self.url = url
        self.curl = curl
    }

    /// Returns this call with the request that was made for it.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint of the request.
    ///   - url: The URL without secrets.
    ///   - curl: The curl command that sends the same request, without secrets; nil if it is not shown.
    package func with(_ endpoint: Endpoint, url: String?, curl: String?) -> CheckedCall {
        CheckedCall(
            declaration, endpoint, example: example, name: name, caseName: caseName, caseLine: caseLine, url: url,
            curl: curl)
    }
}
