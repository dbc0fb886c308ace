import EndpointKit
import JSONText

/// The comparison of a response with its model: what does not fit, what was sent and not asked for, and what was asked
/// for and not sent.
package struct ResponseComparison: Sendable {
    /// The most different problems that are kept. If there are more, one problem of the kind `incomplete` says so.
    static let maxProblems = 10_000

    /// The values that do not fit, and the keys that are missing or that the model does not have, in the order of the
    /// document. Their texts are not escaped for a terminal.
    package internal(set) var problems: [CheckProblem] = []
    /// The failure that a response of the right form reports itself; see `Validated`.
    package internal(set) var reportedFailure: ReportedFailure?
    /// The places that the model asked for, and how often they were there.
    package internal(set) var places = ComparisonPlaces()

    /// The parts of the schema that the response was not compared with; empty for a model, which has no others.
    package var notCompared: [UncomparedPart] = []

    init() {}

    /// Whether the response can be decoded.
    package var fits: Bool { problems.verdict != .failed }

    /// Compares a document with a model, by decoding the model and noting what it asks for.
    ///
    /// A response may fit its model and still say that the request has failed: `{"ok": false}`. Some models have a
    /// `validate()` that throws this failure. It becomes the ``reportedFailure`` of the comparison.
    ///
    /// - Parameters:
    ///   - document: The response's body.
    ///   - model: The model of the endpoint.
    ///   - coding: How the API writes keys and dates.
    ///   - redact: Removes secrets from the names of keys. Without it, long names that begin alike are counted as one.
    ///   - check: Called at regular intervals while the model is decoded, and throws an error to stop the comparison,
    ///     such as after a time limit. Nil if nothing stops it.
    /// - Returns: The comparison, also if the document does not fit at all.
    /// - Throws: The error of `check`, `JSONSyntaxError` if the document is nested too deeply for the thread's stack,
    ///   and any error of the model's own `init(from:)` that is not a `DecodingError`.
    package static func compare<Model: Decodable>(
        _ document: JSONDocument, as model: Model.Type, coding: Coding = Coding(),
        redact: ((String) -> String)? = nil, check: (() throws -> Void)? = nil
    ) throws -> ResponseComparison {
        let recorder = ComparisonRecorder(document, coding: coding, redact: redact)
        let decodedModel = try recorder.decode(model, check: check)
        var comparison = recorder.finish()
        if comparison.fits, let validated = decodedModel as? any Validated {
            do {
                try validated.validate()
            } catch {
                comparison.reportedFailure = error
            }
        }
        return comparison
    }
}
