import EndpointKit
import JSONText

/// How a response compares with its model: everything that does not fit, everything that was sent and not asked for, everything that was asked
/// for and not sent.
package struct Survey: Sendable {
    /// Different problems that are kept, at most; one more says that there are others.
    static let maxProblems = 10_000

    /// What does not fit, and the keys that the model does not have, in the order of the text. Not escaped for a terminal.
    package internal(set) var problems: [CheckProblem] = []
    /// The failure that a response of the right form reports itself; see ``Validated``.
    package internal(set) var reportedFailure: ReportedFailure?
    package internal(set) var places = FoldedPlaces()

    /// Compares a document with a model.
    ///
    /// - Parameters:
    ///   - redact: Takes secrets out of the names of keys; without it, long names that begin alike are taken for one.
    ///   - check: Called every so often; what it throws stops the survey.
    ///
    /// Throws `JSONSyntaxError` if the thread's stack is too small for it, and what the model's own `init(from:)` throws that is not a
    /// `DecodingError`.
    package static func of<Model: Decodable>(
        _ document: JSONDocument, as model: Model.Type, coding: Coding = Coding(),
        redact: ((String) -> String)? = nil, check: (() throws -> Void)? = nil
    ) throws -> Survey {
        let recorder = SurveyRecorder(document, coding: coding, redact: redact)
        let value = try recorder.decode(model, check: check)
        var survey = recorder.finish()
        if survey.fits, let value = value as? any Validated {
            do {
                try value.validate()
            } catch {
                survey.reportedFailure = error
            }
        }
        return survey
    }

    init() {}

    /// Whether the response can be decoded.
    package var fits: Bool { problems.verdict != .failed }
}
