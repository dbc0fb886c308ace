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
