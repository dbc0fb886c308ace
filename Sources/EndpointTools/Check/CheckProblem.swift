import EndpointKit
import JSONText

/// One thing that a check found: the response does not fit its model, or there is no such response.
public struct CheckProblem: Sendable, Hashable, CustomStringConvertible {
    /// The kind of problem. The raw values are those of `apictl check`'s reports.
    public enum Kind: String, Sendable, CaseIterable {
        /// A key was sent that the model does not have.
        case unexpectedKey = "unexpected-key"
        /// A value was sent that an enum of the model does not list; see ``Open``.
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
        /// The body is not one JSON document.
        case notJSON = "not-json"
        /// The status is not the expected one.
        case status
        /// There is no complete HTTP response.
        case network
        case timeout
        /// The API reports a failure in a response with a successful status; see ``Validated``.
        case reportedFailure = "reported-failure"
        /// The response took too long.
        case latency
        /// A credential is not set, so nothing was sent.
        case credential
        /// The method changes data on the server, so nothing was sent.
        case method
        /// A document has an operation that no endpoint is.
        case missingEndpoint = "missing-endpoint"
        /// An endpoint is none of the document's operations.
        case extraEndpoint = "extra-endpoint"
        /// The document has a parameter, or a key of a body, that the endpoint does not have.
        case missingParameter = "missing-parameter"
        /// The endpoint has a parameter, or a key of a body, that the document does not have.
        case extraParameter = "extra-parameter"
        /// A parameter, or a part of a body, is of another type in the document.
        case parameterType = "parameter-type"
        /// A parameter, or a key of a body, must be there in one of the two, and not in the other.
        case parameterRequired = "parameter-required"

        /// What the kind makes of a check.
        package var verdict: CheckVerdict {
            switch self {
            case .absentKey, .emptyList: .passed
            case .unexpectedKey, .unexpectedValue, .missingEndpoint, .missingParameter: .drifted
            case .credential, .method: .skipped
            case .missingKey, .wrongType, .wrongValue, .notJSON, .status, .network, .timeout, .reportedFailure,
                .latency, .extraEndpoint, .extraParameter, .parameterType, .parameterRequired:
                .failed
            }
        }
    }

    public let kind: Kind
    /// The path in the response with positions of lists folded, `$.results[*].adult`; nil if it is not about a place in the body.
    public let path: String?
    /// The path of the first place: `$.results[3].adult`.
    package let first: String?
    /// What was expected; nil if nothing in particular was.
    package let expected: String?
    /// What was found instead; nil if nothing was. It comes from a server: escape it before printing it to a terminal.
    package let found: String?
    /// The line of the first place, from 1.
    package let line: Int?
    /// The column of the first place, from 1, in Unicode scalars.
    package let column: Int?
    /// How many places it was found at.
    package let count: Int?
    /// How many places of that path there were.
    package let total: Int?
    /// What may be the reason, as a sentence.
    package var hint: String?

    /// A problem; what is not given does not apply.
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

    /// The problem without its kind: `$.page: expected integer, found string "x" (line 3)`. Not safe for a terminal.
    package var sentence: String {
        let place = path ?? "$"
        var text: String
        switch kind {
        case .credential:
            let verb = expected?.contains(" and ") == true ? "are" : "is"
            text = "\(expected ?? "a credential") \(verb) \(found ?? "not set")"
        case .method: text = "\(found ?? "the method") may change data on the server"
        case .absentKey: text = "\(place) was in no response"
        case .emptyList: text = "\(place) was empty in every response, so its elements were not compared"
        default:
            // What a server says itself needs no introduction.
            let introduction = expected == nil && kind != .unexpectedKey ? "" : "found "
            let parts = [expected.map { "expected \($0)" }, found.map { introduction + $0 }].compactMap(\.self)
            text = [path, parts.isEmpty ? nil : parts.joined(separator: ", ")].compactMap(\.self).joined(
                separator: ": ")
            let share = total.flatMap { total in total > 1 ? count.map { "\($0) of \(total)" } : nil }
            let places = [share, line.map { "line \($0)" }].compactMap(\.self).joined(separator: ", ")
            if !places.isEmpty { text += " (\(places))" }
        }
        return text + (hint.map { (text.hasSuffix(".") ? " " : ". ") + $0 } ?? "")
    }
}

/// The verdict on a check.
public enum CheckVerdict: String, Sendable, CaseIterable {
    case passed
    /// The response fits the model, but has keys that the model does not have.
    case drifted
    case failed
    /// Nothing was sent, so nothing is known.
    case skipped
}

extension CheckProblem {
    /// The reason to skip a call with that method.
    package static func unsafe(_ method: HTTPMethod, hint: String? = nil) -> CheckProblem {
        CheckProblem(.method, expected: "a method that changes nothing", found: method.rawValue, hint: hint)
    }

    /// The reason to skip a call without that credential.
    package static func missing(_ error: MissingCredential) -> CheckProblem {
        CheckProblem(.credential, expected: error.choices(" or "), found: "not set")
    }

    /// This problem without the secrets that `redactor` knows.
    package func redacted(by redactor: Redactor) -> CheckProblem {
        CheckProblem(
            kind, path: path.map(redactor.redact), first: first.map(redactor.redact),
            expected: expected.map(redactor.redact), found: found.map(redactor.redact), line: line, column: column,
            count: count, total: total, hint: hint)
    }
}

extension [CheckProblem] {
    /// The verdict on a response with these problems: the worst of theirs.
    package var verdict: CheckVerdict {
        let verdicts = Set(map(\.kind.verdict))
        return [.failed, .skipped, .drifted].first(where: verdicts.contains) ?? .passed
    }
}
