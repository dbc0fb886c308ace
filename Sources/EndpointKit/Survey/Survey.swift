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

extension FoldedPlaces {
    /// The keys that were never sent, and the lists that never had an element, as notes in the order of the text.
    ///
    /// - Parameter shape: That of the model, to name what was not compared.
    package func notes(_ shape: @autoclosure () -> ModelShape? = nil) -> [CheckProblem] {
        let noted = places.indices.compactMap { index in container(ofNoteOn: index).map { (index, places[$0]) } }
        return noted.sorted { ($0.1.offset, $0.0) < ($1.1.offset, $1.0) }.map { index, container in
            let isList = places[index].lists > 0
            let count = isList ? container.lists : container.objects
            return CheckProblem(
                isList ? .emptyList : .absentKey, path: path(index),
                expected: isList ? shape()?.elementName(at: index, of: self) : nil, line: container.line, count: count,
                total: count)
        }
    }
}
