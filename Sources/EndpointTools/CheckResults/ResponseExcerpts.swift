import EndpointKit
import JSONText

/// Parts of a response that help people to find the reason why a check did not pass. They have no secrets.
///
/// The secrets that are removed are those of the request, those in fields with names such as `token`, those that the
/// server has issued in the response, and any others that the check knows.
struct ResponseExcerpts {
    /// The most of a body that is kept as its beginning, in Unicode scalars.
    private static let maxBodyStart = 500
    /// The most problems of a check that get an excerpt, because each one takes a search of the body.
    private static let maxExcerpts = 20
    /// The most of a value that an excerpt shows, in Unicode scalars: about two lines of a terminal.
    private static let maxExcerpt = 200
    /// The most of a value that is read for an excerpt, in bytes. Most of it may be white space, which is not shown.
    private static let maxReadForExcerpt = 20_000

    /// The secrets that the server has issued in the response, such as a new token.
    let issuedSecrets: Redactor
    private let response: Response
    /// The redactors of all secrets.
    private let redactors: [Redactor]

    /// Prepares to show parts of a response, and finds the secrets that the server has issued in it.
    ///
    /// - Parameters:
    ///   - response: The response, whose body may be only the beginning.
    ///   - requestSecrets: Removes the secrets of the request.
    ///   - otherSecrets: Removes other secrets that the check knows; nil if there are none.
    init(_ response: Response, requestSecrets: Redactor, otherSecrets: Redactor?) {
        var redactorOfIssuedSecrets = Redactor()
        let contentType = response.head["Content-Type"]
        redactorOfIssuedSecrets.add(SecretRules.secrets(in: response.body, contentType: contentType))
        issuedSecrets = redactorOfIssuedSecrets
        self.response = response
        redactors = [requestSecrets, redactorOfIssuedSecrets, otherSecrets].compactMap(\.self)
    }

    /// The first 500 characters of the body, with an ellipsis if there are more. Nil if the body is empty or binary.
    var bodyStart: String? {
        let body = response.body
        // Text has no NUL, but a binary format mostly has one within its first few kilobytes.
        let isBinary = body.prefix(8192).contains(0)
        if body.isEmpty || isBinary { return nil }
        let contentType = response.head["Content-Type"]
        return shownStart(of: body[...], isCut: false, contentType: contentType, maxLength: Self.maxBodyStart)
    }

    /// Adds an excerpt of the response to each problem that does not show its reason itself, among the first
    /// ``maxExcerpts`` problems.
    ///
    /// | Problem | Excerpt |
    /// |---|---|
    /// | a key is missing | the value that lacks it |
    /// | the status, without a message of the API | the beginning of the body |
    /// | not JSON | the beginning of the body |
    ///
    /// - Parameters:
    ///   - problems: The problems of the check.
    ///   - hasStatusMessage: Whether the problem with the status shows a message of the API. It is called only if there
    ///     is such a problem.
    func addExcerpts(to problems: inout [CheckProblem], hasStatusMessage: () -> Bool) {
        let document = CheckedResponse(response).document
        // Only the first problems get excerpts, because each one takes a search of the body.
        for index in problems.indices.prefix(Self.maxExcerpts) {
            let problem = problems[index]
            switch problem.kind {
            case .missingKey:
                guard let document, let path = problem.first ?? problem.path else { continue }
                let objectWithoutKey = document.valueEnclosing(path)
                problems[index].excerpt = excerpt(of: objectWithoutKey)
            case .status:
                if !hasStatusMessage() { problems[index].excerpt = shortBodyStart }
            case .notJSON:
                problems[index].excerpt = shortBodyStart
            default:
                break
            }
        }
    }

    /// The beginning of the body in the length of an excerpt.
    private var shortBodyStart: String? { bodyStart?.shortened(toScalars: Self.maxExcerpt) }

    /// Returns the beginning of a JSON value on one line, without secrets: `{"id": 7, "name": "Rex", …`.
    private func excerpt(of value: JSONValue) -> String {
        let jsonStart = Array(value.written.prefix(Self.maxReadForExcerpt))
        let isCut = jsonStart.count < value.written.count
        var formatter = JSONFormatter(style: .compact)
        var line: [UInt8] = []
        // The value comes from a document, so it is valid and nothing is thrown.
        try? formatter.feed(jsonStart, into: &line)
        // Finishing would refuse a value that is cut.
        if !isCut { try? formatter.finish(into: &line) }
        // The formatter ends a complete value with a line break.
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        return shownStart(
            of: line[...], isCut: isCut, contentType: "application/json", maxLength: Self.maxExcerpt)
    }

    /// Returns the beginning of a text, without secrets, to show it to a person.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - isCut: Whether the text is itself only the beginning of a longer one. An ellipsis then follows in any case.
    ///   - contentType: The media type of the text, by whose rules secrets are found; nil if it is not known.
    ///   - maxLength: The most Unicode scalars. If there are more, an ellipsis follows.
    private func shownStart(
        of bytes: ArraySlice<UInt8>, isCut: Bool, contentType: String?, maxLength: Int
    ) -> String {
        // A secret is only recognised if it is complete, and most secrets are longer than what replaces them. So 16
        // times as many bytes are redacted as scalars are shown.
        let start = Array(bytes.prefix(maxLength * 16))
        let isStartCut = isCut || start.count < bytes.count
        var redacted = SecretRules.redacted(start, contentType: contentType)
        for redactor in redactors { redacted = redactor.redact(redacted, isCut: isStartCut) }
        let scalars = String(decoding: redacted, as: UTF8.self).unicodeScalars
        let shownText = String(scalars.prefix(maxLength))
        let isShortened = isCut || scalars.count > maxLength
        return isShortened ? shownText + "…" : shownText
    }
}

extension String {
    /// Returns the first Unicode scalars of the text. If there are more than `maxLength`, an ellipsis follows.
    fileprivate func shortened(toScalars maxLength: Int) -> String {
        let scalars = unicodeScalars
        return scalars.count > maxLength ? String(scalars.prefix(maxLength)) + "…" : self
    }
}
