import EndpointKit
import EndpointTools
import JSONText

/// Reads the bodies of responses through the model of an endpoint.
struct ModelReader {
    let plan: CallPlan
    /// Shows a body that does not fit the model.
    let failures: FailurePrinter
    /// The time limit for decoding.
    let limit: DecodingLimit
    /// Whether keys are looked for that the model does not have. It takes longer.
    let findsUnexpectedKeys: Bool

    private var model: ResponseModel { plan.endpoint.response }

    /// A body that fits the model.
    struct Reading {
        let document: JSONDocument
        /// The members that the model has read.
        let marks: ReadMarks
        fileprivate let recorder: ComparisonRecorder?

        /// The document with what the model has read of it, and nothing else.
        var decoded: JSONDocument { document.decoded(marks) }
    }

    /// Decodes a body. One that does not fit the model is shown on stderr.
    ///
    /// - Throws: `JSONSyntaxError`, `ModelMismatch`, `ReportedFailure` and ``UnusableResponse``, each perhaps in an
    ///   ``AnnotatedError``.
    func read(_ body: [UInt8], _ head: ResponseHead) throws -> Reading {
        do {
            return try decode(body, head)
        } catch let error as JSONSyntaxError {
            throw try failures.unprintable(cause(of: error, body, head), body, head)
        } catch {
            throw try failures.unprintable(error, body, head)
        }
    }

    /// Reads a page: the model decides what is shown of it, or with `--raw` all is.
    ///
    /// - Throws: The same errors as ``read(_:_:)``.
    func page(_ page: Response) throws -> PageWalk.Page {
        if plan.options.output.raw {
            do {
                let document = try JSONValue(JSONDocument(page.body, check: limit.check()))
                return (page, document, document)
            } catch {
                throw try failures.unprintable(error, page.body, page.head)
            }
        }
        let reading = try read(page.body, page.head)
        return (page, JSONValue(reading.document), JSONValue(reading.decoded))
    }

    /// The error about a response without the body that the model needs.
    func missingBody(_ head: ResponseHead) -> UnusableResponse {
        UnusableResponse(description: "the response (\(head.statusText)) has no body, expected \(model.name)")
    }

    private func decode(_ body: [UInt8], _ head: ResponseHead) throws -> Reading {
        if body.isEmpty { throw missingBody(head) }
        let coding = plan.declaration.api.coding
        let check = limit.check()
        let document = try model.document(body, head, check: check)
        let recorder = findsUnexpectedKeys ? ComparisonRecorder(document, coding: coding) : nil
        let marks = recorder?.marks ?? ReadMarks(document)
        try model.decode(document, coding: coding, marks: marks, observer: recorder, check: check)
        return Reading(document: document, marks: marks, recorder: recorder)
    }

    /// Returns why a body is not JSON, if its type says it: a stream of documents, or another format.
    private func cause(of error: JSONSyntaxError, _ body: [UInt8], _ head: ResponseHead) -> any Error {
        if head.isDocumentStream, !model.readsLines(head) { return UnusableResponse.stream(head, failures.redactor) }
        let isBlankBeforeError = body.prefix(error.offset).allSatisfy { $0 <= 0x20 }
        guard head.isJSON == false, isBlankBeforeError else { return error }
        let type = head.mediaType(redactedBy: failures.redactor) ?? "of unknown type"
        return UnusableResponse(description: "the response is \(type), not JSON")
    }

    // MARK: Keys

    /// The most keys that a note names.
    private static let maxNamedKeys = 5

    /// Returns a note that names the keys which the model does not have and the printed value therefore lacks: `1 key is not
    /// in Movie: $.budget (--raw shows it)`.
    ///
    /// - Returns: Nil if there are none, or if they were not looked for.
    func noteAboutUnexpectedKeys(_ reading: Reading) -> String? {
        guard let survey = reading.recorder?.finish() else { return nil }
        let keys = survey.problems.filter { $0.kind == .unexpectedKey }.compactMap(\.path)
        if keys.isEmpty { return nil }
        let isOne = keys.count == 1
        let subject = isOne ? "1 key is" : "\(keys.count) keys are"
        let named = keys.prefix(Self.maxNamedKeys).joined(separator: ", ")
        let more = keys.count > Self.maxNamedKeys ? " and \(keys.count - Self.maxNamedKeys) more" : ""
        let advice = plan.request.method.isRetrieval ? " (--raw shows \(isOne ? "it" : "them"))" : ""
        return "\(subject) not in \(model.name): \(named)\(more)\(advice)"
    }
}
