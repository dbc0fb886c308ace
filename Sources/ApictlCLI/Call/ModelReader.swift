import EndpointKit
import EndpointTools
import JSONText

/// Reads the bodies of responses through the model of an endpoint.
struct ModelReader {
    let plan: CallPlan
    /// Shows a body that does not fit the model.
    let failurePrinter: FailurePrinter
    /// The time limit for decoding.
    let limit: DecodingLimit
    /// Whether to look for keys that the model does not have. This takes longer.
    let findsUnexpectedKeys: Bool

    private var model: ResponseModel { plan.endpoint.response }

    /// A body that fits the model, and the parts of it that the model has read.
    struct DecodedBody {
        let document: JSONDocument
        /// The marks of the members that the model has read.
        let readMarks: ReadMarks
        /// Knows the keys that the model does not have; nil if they were not looked for.
        fileprivate let recorder: ComparisonRecorder?

        /// The document without the parts that the model has not read.
        var readPart: JSONDocument { document.decoded(readMarks) }
    }

    /// Decodes a body through the model. A body that does not fit the model is shown on stderr.
    ///
    /// - Throws: `JSONSyntaxError`, `ModelMismatch`, `ReportedFailure` and ``UnusableResponse``, each of which may be
    ///   in an ``AnnotatedError``.
    func decodeOrShow(_ body: [UInt8], head: ResponseHead) throws -> DecodedBody {
        do {
            return try decode(body, head: head)
        } catch let syntaxError as JSONSyntaxError {
            let error = reportedError(for: syntaxError, in: body, head: head)
            throw try failurePrinter.showUnprintable(body, head: head, because: error)
        } catch {
            throw try failurePrinter.showUnprintable(body, head: head, because: error)
        }
    }

    /// Reads a page of a list. A body that is not JSON, or does not fit the model, is shown on stderr.
    ///
    /// The items of the page are printed as the model reads them. With `--raw`, and for a URL, which has no model,
    /// they are printed as the server sent them.
    ///
    /// - Throws: The errors of ``decodeOrShow(_:head:)``.
    func readPage(_ page: Response) throws -> PageWalk.Page {
        if plan.isDecoded {
            let decoded = try decodeOrShow(page.body, head: page.head)
            return PageWalk.Page(
                response: page, document: JSONValue(decoded.document), shownDocument: JSONValue(decoded.readPart))
        }
        do {
            let document = try JSONValue(JSONDocument(page.body, check: limit.check()))
            return PageWalk.Page(response: page, document: document, shownDocument: document)
        } catch {
            throw try failurePrinter.showUnprintable(page.body, head: page.head, because: error)
        }
    }

    /// Returns the error that a response lacks the body that the model needs.
    func missingBodyError(_ head: ResponseHead) -> UnusableResponse {
        UnusableResponse(description: "the response (\(head.statusText)) has no body, expected \(modelName)")
    }

    /// Whether a response without a body fits, although the endpoint declares JSON.
    func acceptsNoBody(of head: ResponseHead) -> Bool {
        plan.declaration.acceptsNoBody(of: head, from: plan.endpoint)
    }

    /// The name of the model: a Swift type, or the name of a schema in a document.
    private var modelName: String { plan.declaration.responseName(of: plan.endpoint) }

    /// Decodes a body through the model. An empty body is read as null, if the endpoint accepts that.
    ///
    /// - Throws: `JSONSyntaxError`, `ModelMismatch`, `ReportedFailure` and ``UnusableResponse``.
    private func decode(_ body: [UInt8], head: ResponseHead) throws -> DecodedBody {
        if body.isEmpty, !acceptsNoBody(of: head) { throw missingBodyError(head) }
        // In place of an empty body, the model decodes null.
        let json = body.isEmpty ? Array("null".utf8) : body
        // Parsing and decoding share one time limit, so they share the check of it.
        let checkLimit = limit.check()
        let document = try model.document(json, head, check: checkLimit)
        // While the model decodes the document, the recorder compares the two.
        var recorder: ComparisonRecorder?
        if findsUnexpectedKeys { recorder = ComparisonRecorder(document, coding: plan.declaration.api.coding) }
        let readMarks = recorder?.marks ?? ReadMarks(document)
        try markReadMembers(of: document, in: readMarks, recorder: recorder, checkLimit: checkLimit)
        return DecodedBody(document: document, readMarks: readMarks, recorder: recorder)
    }

    /// Marks the members of a document that the model reads, by decoding it. The decoded value itself is not needed.
    ///
    /// - Parameters:
    ///   - readMarks: Gets a mark for each member that the model reads.
    ///   - recorder: Records which keys the model has; nil if they are not looked for.
    ///   - checkLimit: Throws if the time for decoding is over, or if the call is cancelled.
    /// - Throws: `ModelMismatch`, `ReportedFailure`, the errors of `checkLimit`, and ``ModelRefusal`` for any other
    ///   error of the model's own `init(from:)`.
    private func markReadMembers(
        of document: JSONDocument, in readMarks: ReadMarks, recorder: ComparisonRecorder?,
        checkLimit: @escaping () throws -> Void
    ) throws {
        let coding = plan.declaration.api.coding
        do {
            try model.decode(document, coding: coding, marks: readMarks, observer: recorder, check: checkLimit)
        } catch {
            let isAboutBody = error is ModelMismatch || error is ReportedFailure || error is JSONSyntaxError
            // A model itself has no reason to throw these.
            let isFromLimit = error is TransportError || error is CancellationError
            if isAboutBody || isFromLimit { throw error }
            throw ModelRefusal(model: modelName, reason: error)
        }
    }

    /// Returns the error to report for a body that can't be parsed as JSON.
    ///
    /// If the body is not JSON at all, as its content type says, the error names the type: `the response is text/html,
    /// not JSON`. A stream of documents has an error of its own. Any other body is broken JSON, and the syntax error
    /// says where.
    private func reportedError(
        for error: JSONSyntaxError, in body: [UInt8], head: ResponseHead
    ) -> any Error {
        let redactor = failurePrinter.redactor
        if head.isDocumentStream, !model.readsLines(head) { return UnusableResponse.stream(head, redactor) }
        // Otherwise the body begins like JSON, whatever its content type says.
        let failsAtFirstCharacter = body.prefix(error.offset).allSatisfy { $0 <= UInt8(ascii: " ") }
        // Nil without a content type, which says nothing about the body.
        let hasOtherType = head.isJSON == false
        guard hasOtherType, failsAtFirstCharacter else { return error }
        let type = head.mediaType(redactedBy: redactor) ?? "of unknown type"
        return UnusableResponse(description: "the response is \(type), not JSON")
    }

    // MARK: Keys

    /// The most keys that a note names, so that it stays readable.
    private static let maxNamedKeys = 5

    /// The most keys that are counted without their names, because counting takes time and nobody needs to know how
    /// many more there are.
    private static let maxCountedKeys = 1000

    /// Returns a note about how many keys of a body the model has not read. Only the part that it has read is printed.
    ///
    ///     3 keys are not in MoviePage (--raw shows them)
    ///
    /// A key of all elements of a list counts once. Counting ends at ``maxCountedKeys``, and the note then says "at
    /// least". Unlike ``noteAboutUnexpectedKeys(_:)``, this needs only the marks of the decoding.
    ///
    /// - Returns: The note; nil if the model has read all keys.
    func noteAboutUnreadKeys(_ body: DecodedBody) -> String? {
        let count = unreadKeyPaths(in: body.document, body.readMarks).count
        if count == 0 { return nil }
        let keys = count.counted("key")
        let areAllCounted = count < Self.maxCountedKeys
        let subject = areAllCounted ? keys : "at least \(keys)"
        let verb = count == 1 ? "is" : "are"
        return "\(subject) \(verb) not in \(modelName)\(adviceToShowKeys(count))"
    }

    /// Returns the paths of the keys that a model has not read, with `[*]` for the elements of lists:
    /// `$.results[*].budget`.
    ///
    /// A model opens an object or a list to look into it. An object or list that the model has not opened is not
    /// searched, so at most its own key counts as unread.
    ///
    /// - Returns: The paths. The search ends after ``maxCountedKeys`` of them.
    private func unreadKeyPaths(in document: JSONDocument, _ readMarks: ReadMarks) -> Set<String> {
        func memberPath(ofValueAt slot: Int, in path: String) -> String {
            // The slot before the value of a member holds its key.
            path + ComparisonPlaces.step(document.string(at: slot - 1) ?? "")
        }
        var unreadPaths: Set<String> = []
        // The objects and lists that are still to be searched, each by its slot, which is its position in the document.
        // A recursion could be made too deep by a hostile server.
        var pending = [(container: JSONDocument.root, path: "$")]
        while unreadPaths.count < Self.maxCountedKeys, let (container, path) = pending.popLast() {
            guard readMarks.isOpened(container) else { continue }
            let isList = document.kind(of: container) == .array
            for value in document.values(in: container) {
                let isContainer = [.object, .array].contains(document.kind(of: value))
                let isUnreadMember = !isList && !readMarks.isRead(value)
                guard isContainer || isUnreadMember else { continue }
                let valuePath = isList ? path + "[*]" : memberPath(ofValueAt: value, in: path)
                if isUnreadMember {
                    unreadPaths.insert(valuePath)
                } else {
                    pending.append((value, valuePath))
                }
            }
        }
        return unreadPaths
    }

    /// Returns a note about keys that the model does not have. These keys are missing from the printed value.
    ///
    ///     1 key is not in Movie: $.budget (--raw shows it)
    ///
    /// - Returns: The note; nil if there are no such keys, or if they were not looked for.
    func noteAboutUnexpectedKeys(_ body: DecodedBody) -> String? {
        guard let comparison = body.recorder?.finish() else { return nil }
        let keys = comparison.problems.filter { $0.kind == .unexpectedKey }.compactMap(\.path)
        if keys.isEmpty { return nil }
        let subject = keys.count == 1 ? "1 key is" : "\(keys.count) keys are"
        let named = keys.prefix(Self.maxNamedKeys).joined(separator: ", ")
        let more = keys.count > Self.maxNamedKeys ? " and \(keys.count - Self.maxNamedKeys) more" : ""
        return "\(subject) not in \(modelName): \(named)\(more)\(adviceToShowKeys(keys.count))"
    }

    /// Returns the advice at the end of a note that `--raw` shows the keys too. Empty if the request changes data, so
    /// that it should not be sent again.
    ///
    /// - Parameter count: The number of keys.
    private func adviceToShowKeys(_ count: Int) -> String {
        plan.request.method.isRetrieval ? " (--raw shows \(count == 1 ? "it" : "them"))" : ""
    }
}
