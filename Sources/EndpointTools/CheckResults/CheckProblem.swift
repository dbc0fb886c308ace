import EndpointKit
import JSONText

/// A problem that a check found: a response that does not fit its model, or no response at all.
public struct CheckProblem: Sendable, Hashable, CustomStringConvertible {
    /// The kind of problem. The raw values are those of `apictl check`'s reports.
    public enum Kind: String, Sendable, CaseIterable {
        /// A key was sent that the model does not have.
        case unexpectedKey = "unexpected-key"
        /// A value was sent that an enum of the model does not list; see `OpenEnum`.
        case unexpectedValue = "unexpected-value"
        /// A key that the model requires was not sent.
        case missingKey = "missing-key"
        /// A key that may be absent was in no response of the endpoint: a note, not a failure.
        case absentKey = "absent-key"
        /// A list was empty in every response of the endpoint, so nothing in it was compared: a note, not a failure.
        case emptyList = "empty-list"
        /// A value of another kind than the model reads.
        case wrongType = "wrong-type"
        /// A value of the right kind that is refused.
        case wrongValue = "wrong-value"
        /// There are more different problems, or problems at more different places, than are kept.
        case incomplete
        /// The body is not one JSON document.
        case notJSON = "not-json"
        /// The status is not the expected one.
        case status
        /// There is no complete HTTP response.
        case network
        case timeout
        /// The API reports a failure in a response with a successful status; see `Validated`.
        case reportedFailure = "reported-failure"
        /// The response took too long.
        case latency
        /// A credential is not set, so nothing was sent.
        case credential
        /// The method changes data on the server, so nothing was sent.
        case method
        /// A document has an operation whose method and path no endpoint has.
        case missingEndpoint = "missing-endpoint"
        /// An endpoint has a method and path that no operation of the document has.
        case extraEndpoint = "extra-endpoint"
        /// The document has a parameter, or a key of a body, that the endpoint does not have.
        case missingParameter = "missing-parameter"
        /// The endpoint has a parameter, or a key of a body, that the document does not have.
        case extraParameter = "extra-parameter"
        /// A parameter, or a part of a body, is of another type in the document.
        case parameterType = "parameter-type"
        /// A parameter, or a key of a body, is required in one of the document and the endpoint, and optional in the
        /// other.
        case parameterRequired = "parameter-required"

        /// The verdict on a check that has a problem of this kind and no worse one.
        package var verdict: CheckVerdict {
            switch self {
            case .absentKey, .emptyList: .passed
            case .unexpectedKey, .unexpectedValue, .missingEndpoint, .missingParameter: .drifted
            case .credential, .method: .skipped
            case .missingKey, .wrongType, .wrongValue, .incomplete, .notJSON, .status, .network, .timeout,
                .reportedFailure, .latency, .extraEndpoint, .extraParameter, .parameterType, .parameterRequired:
                .failed
            }
        }
    }

    public let kind: Kind
    /// The path in the response with `[*]` for all positions in a list: `$.results[*].adult`. Nil if the problem is not
    /// about a place in the body.
    public let path: String?
    /// The path of the first place: `$.results[3].adult`.
    package let first: String?
    /// The expected value; nil if nothing in particular was expected.
    package let expected: String?
    /// The value that was found instead; nil if there was none. It comes from a server: escape it before printing it
    /// to a terminal.
    package let found: String?
    /// The line of the first place, from 1.
    package let line: Int?
    /// The column of the first place, from 1, in Unicode scalars.
    package let column: Int?
    /// The number of places where the problem was found.
    package let count: Int?
    /// The number of places with that path.
    package let total: Int?
    /// The probable reason, as a sentence.
    package var hint: String?
    /// The line of the requirement in a file of cases; nil for an example.
    package var caseLine: CaseLine?
    /// The part of the response that shows the reason, without secrets and cut if it is long. Nil if ``found`` shows
    /// enough.
    package var excerpt: String?

    /// Creates a problem. A parameter that is left out does not apply to the problem.
    ///
    /// - Parameters:
    ///   - kind: The kind of problem.
    ///   - path: The path in the body with `[*]` for all positions in a list: `$.results[*].adult`.
    ///   - first: The path of the first place that has the problem: `$.results[3].adult`.
    ///   - expected: The expected value: `boolean`.
    ///   - found: The value that was found instead: `string "no"`.
    ///   - line: The line of the first place, from 1.
    ///   - column: The column of the first place, from 1, in Unicode scalars.
    ///   - count: How many places have the problem.
    ///   - total: How many places have that path, with or without the problem.
    ///   - hint: The probable reason, as a sentence.
    package init(
        _ kind: Kind, path: String? = nil, first: String? = nil, expected: String? = nil, found: String? = nil,
        line: Int? = nil, column: Int? = nil, count: Int? = nil, total: Int? = nil, hint: String? = nil
    ) {
        self.kind = kind
        self.path = path
        self.first = first
        self.expected = expected
        self.found = found
        self.line = line
        self.column = column
        self.count = count
        self.total = total
        self.hint = hint
    }
}

extension CheckProblem {
    /// The problem in one line, safe to print: `wrong-type: $.id: expected integer, found string "1" (line 1)`.
    public var description: String { TerminalText.escaped("\(kind.rawValue): \(sentence)") }

    /// The problem and its hint: `expected 2xx, found 404 Not Found. The example's data may be stale.`
    ///
    /// The text may hold characters of a server's response. Escape it before printing it to a terminal.
    package var sentence: String {
        let sentence = sentenceWithoutHint
        guard let hint else { return sentence }
        let separator = sentence.hasSuffix(".") ? " " : ". "
        return sentence + separator + hint
    }

    /// The problem as a sentence, without the probable reason.
    private var sentenceWithoutHint: String {
        let path = path ?? "$"
        switch kind {
        case .credential: return credentialSentence
        case .method:
            let method = found ?? "the method"
            return "\(method) may change data on the server"
        case .absentKey: return "\(path) was in no response"
        case .emptyList: return "\(path) was empty in every response, so its elements were not compared"
        default: return comparisonSentence
        }
    }

    /// The sentence for a credential that is not set. Several variables may be needed together: `A and B are not set`.
    private var credentialSentence: String {
        let credential = expected ?? "a credential"
        let verb = credential.contains(" and ") ? "are" : "is"
        return "\(credential) \(verb) \(found ?? "not set")"
    }

    /// Where the problem is, and what was expected and found: `$.id: expected integer, found null (2 of 3, line 4)`.
    ///
    /// Each of these is left out if it does not apply to the problem.
    private var comparisonSentence: String {
        var clauses: [String] = []
        if let expected { clauses.append("expected \(expected)") }
        if let found {
            // Without an expectation, the text is a server's own words, which need no introduction.
            let needsIntroduction = expected != nil || kind == .unexpectedKey
            clauses.append(needsIntroduction ? "found \(found)" : found)
        }
        let comparison = clauses.joined(separator: ", ")
        let pathAndComparison = [path ?? "", comparison].filter { !$0.isEmpty }
        return pathAndComparison.joined(separator: ": ") + countAndLine
    }

    /// The number of places that have the problem, and the line of the first one: ` (2 of 3, line 4)`. Empty if neither
    /// is known.
    private var countAndLine: String {
        var numbers: [String] = []
        if let count, let total, total > 1 { numbers.append("\(count) of \(total)") }
        if let line { numbers.append("line \(line)") }
        if numbers.isEmpty { return "" }
        return " (" + numbers.joined(separator: ", ") + ")"
    }
}

extension CheckProblem {
    /// Returns the reason to skip a call whose method changes data on the server.
    package static func unsafe(_ method: HTTPMethod, hint: String? = nil) -> CheckProblem {
        CheckProblem(.method, expected: "a method that changes nothing", found: method.rawValue, hint: hint)
    }

    /// Returns the reason to skip a call for which a credential is missing.
    package static func missing(_ error: MissingCredential) -> CheckProblem {
        CheckProblem(.credential, expected: error.choices(" or "), found: "not set")
    }

    /// Returns this problem with `(redacted)` in place of the secrets that `redactor` knows.
    package func redacted(by redactor: Redactor) -> CheckProblem {
        var problem = CheckProblem(
            kind, path: path.map(redactor.redact), first: first.map(redactor.redact),
            expected: expected.map(redactor.redact), found: found.map(redactor.redact), line: line, column: column,
            count: count, total: total, hint: hint)
        problem.caseLine = caseLine
        problem.excerpt = excerpt.map(redactor.redact)
        return problem
    }
}
