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
    /// Whether to look for keys that the model does not have. This takes longer.
    let findsUnexpectedKeys: Bool

    private var model: ResponseModel { plan.endpoint.response }

    /// A body that fits the model, and the parts of it that the model has read.
    struct Reading {
        let document: JSONDocument
        /// The members that the model has read.
        let marks: ReadMarks
        /// Knows the keys that the model does not have; nil if they were not looked for.
        fileprivate let recorder: ComparisonRecorder?

        /// The document without the parts that the model has not read.
        var decoded: JSONDocument { document.decoded(marks) }
    }

    /// Decodes a body. A body that does not fit the model is shown on stderr.
    ///
    /// - Throws: `JSONSyntaxError`, `ModelMismatch`, `ReportedFailure` and ``UnusableResponse``, each of which may be
    ///   in an ``AnnotatedError``.
    func read(_ body: [UInt8], _ head: ResponseHead) throws -> Reading {
        do {
            return try decode(body, head)
        } catch let error as JSONSyntaxError {
            throw try failures.unprintable(cause(of: error, body, head), body, head)
        } catch {
            throw try failures.unprintable(error, body, head)
        }
    }

    /// Reads a page of a list. Its items are printed as the model reads them. With `--raw`, and for a URL, which has
    /// no model, they are printed as the server sent them.
    ///
    /// - Returns: The page, the document in which the next page is looked for, and the document to print.
    /// - Throws: The errors of ``read(_:_:)``.
    func page(_ page: Response) throws -> PageWalk.Page {
        if !plan.isDecoded {
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

    /// Returns the error that a response lacks the body that the model needs.
    func missingBody(_ head: ResponseHead) -> UnusableResponse {
        UnusableResponse(description: "the response (\(head.statusText)) has no body, expected \(modelName)")
    }

    /// Whether a response without a body fits, although the endpoint declares JSON.
    func acceptsNoBody(of head: ResponseHead) -> Bool {
        plan.declaration.acceptsNoBody(of: head, from: plan.endpoint)
    }

    /// The name of the model: a Swift type, or the name of a schema in a document.
    private var modelName: String { plan.declaration.responseName(of: plan.endpoint) }

    /// Decodes a body through the model.
    ///
    /// - Throws: `JSONSyntaxError`, `ModelMismatch`, `ReportedFailure` and ``UnusableResponse``.
    private func decode(_ body: [UInt8], _ head: ResponseHead) throws -> Reading {
        if body.isEmpty, !acceptsNoBody(of: head) { throw missingBody(head) }
        // No body is read as null.
        let body = body.isEmpty ? Array("null".utf8) : body
        let coding = plan.declaration.api.coding
        let check = limit.check()
        let document = try model.document(body, head, check: check)
        let recorder = findsUnexpectedKeys ? ComparisonRecorder(document, coding: coding) : nil
        let marks = recorder?.marks ?? ReadMarks(document)
        try decode(document, coding, marks, recorder, check)
        return Reading(document: document, marks: marks, recorder: recorder)
    }

    /// Decodes a document, and notes what the model reads of it.
    ///
    /// - Throws: `ModelMismatch`, `ReportedFailure`, and ``ModelRefusal`` for any other error of the model's own
    ///   `init(from:)`. An error of `check`, such as for a time limit, is thrown unchanged.
    private func decode(
        _ document: JSONDocument, _ coding: Coding, _ marks: ReadMarks, _ recorder: ComparisonRecorder?,
        _ check: @escaping () throws -> Void
    ) throws {
        var isStopped = false
        let stop = {
            do {
                try check()
            } catch {
                isStopped = true
                throw error
            }
        }
        do {
            try model.decode(document, coding: coding, marks: marks, observer: recorder, check: stop)
        } catch let error where error is ModelMismatch || error is ReportedFailure || error is JSONSyntaxError {
            throw error
        } catch {
            throw isStopped ? error : ModelRefusal(model: modelName, reason: error)
        }
    }

    /// Returns a better error than the syntax error for a body that is not JSON at all, as its `Content-Type` says:
    /// it is a stream of documents or in another format. Otherwise returns the syntax error.
    private func cause(of error: JSONSyntaxError, _ body: [UInt8], _ head: ResponseHead) -> any Error {
        if head.isDocumentStream, !model.readsLines(head) { return UnusableResponse.stream(head, failures.redactor) }
        // If valid JSON comes before the error, the body is broken JSON, and its place matters more than the type.
        let isBlankBeforeError = body.prefix(error.offset).allSatisfy { $0 <= 0x20 }
        guard head.isJSON == false, isBlankBeforeError else { return error }
        let type = head.mediaType(redactedBy: failures.redactor) ?? "of unknown type"
        return UnusableResponse(description: "the response is \(type), not JSON")
    }

    // MARK: Keys

    /// The most keys that a note names, so that it stays readable.
    private static let maxNamedKeys = 5

    /// The most keys that are counted without their names.
    private static let maxCountedKeys = 1000

    /// Returns a note about how many keys the model has not read, for a reader who only sees the rest.
    ///
    ///     3 keys are not in MoviePage (--raw shows them)
    ///
    /// The members of all elements of a list count as one key. Unlike ``noteAboutUnexpectedKeys(_:)``, this needs only
    /// the marks of the decoding.
    ///
    /// - Returns: The note; nil if the model has read all keys.
    func noteAboutUnreadKeys(_ reading: Reading) -> String? {
        let count = unreadKeys(reading.document, reading.marks).count
        if count == 0 { return nil }
        let number = count < Self.maxCountedKeys ? count.counted("key") : "at least \(count.counted("key"))"
        let advice = plan.request.method.isRetrieval ? " (--raw shows \(count == 1 ? "it" : "them"))" : ""
        return "\(number) \(count == 1 ? "is" : "are") not in \(modelName)\(advice)"
    }

    /// Returns the paths of the keys that a model has not read, with `[*]` for the elements of lists.
    private func unreadKeys(_ document: JSONDocument, _ marks: ReadMarks) -> Set<String> {
        var keys: Set<String> = []
        // Iterative, because a hostile server chooses the depth.
        var open = [(slot: JSONDocument.root, path: "$")]
        while let (slot, path) = open.popLast(), keys.count < Self.maxCountedKeys {
            guard marks.isOpened(slot) else { continue }
            let isObject = document.kind(of: slot) == .object
            for value in document.values(in: slot) {
                let isContainer = [.object, .array].contains(document.kind(of: value))
                guard isObject, isContainer || !marks.isRead(value) else {
                    if isContainer { open.append((value, path + "[*]")) }
                    continue
                }
                let key = path + ComparisonPlaces.step(document.string(at: value - 1) ?? "")
                if marks.isRead(value) { open.append((value, key)) } else { keys.insert(key) }
            }
        }
        return keys
    }

    /// Returns a note about keys that the model does not have, which are missing from the printed value for that
    /// reason.
    ///
    ///     1 key is not in Movie: $.budget (--raw shows it)
    ///
    /// - Returns: The note; nil if there are no such keys, or if they were not looked for.
    func noteAboutUnexpectedKeys(_ reading: Reading) -> String? {
        guard let survey = reading.recorder?.finish() else { return nil }
        let keys = survey.problems.filter { $0.kind == .unexpectedKey }.compactMap(\.path)
        if keys.isEmpty { return nil }
        let isOne = keys.count == 1
        let subject = isOne ? "1 key is" : "\(keys.count) keys are"
        let named = keys.prefix(Self.maxNamedKeys).joined(separator: ", ")
        let more = keys.count > Self.maxNamedKeys ? " and \(keys.count - Self.maxNamedKeys) more" : ""
        let advice = plan.request.method.isRetrieval ? " (--raw shows \(isOne ? "it" : "them"))" : ""
        return "\(subject) not in \(modelName): \(named)\(more)\(advice)"
    }
}
